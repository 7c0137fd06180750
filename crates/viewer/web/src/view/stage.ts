// The picture: renderer, light, camera. Draws only when something has changed.

import {
  Box3, Color, DirectionalLight, Fog, HemisphereLight, NeutralToneMapping, PCFShadowMap, PerspectiveCamera, Scene, Sphere, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { DARK, LIGHT, type Theme } from "./theme";

/** Pictures in a row that are farther apart than this, ms, lower the quality; rendering in software needs it. */
const SLOW = 70;

/** As coarse as it gets, pixels of the picture by pixels of the screen. */
const COARSEST = 0.6;

/** A scene that is so many times longer than wide and high is looked at along its length. */
const ELONGATED = 8;

/** Room around a scene that is looked at as a whole. */
const MARGIN = 1.18;

/** Where the light comes from. */
const TO_SUN = new Vector3(0.45, -0.55, 1).normalize();
const TO_FILL = new Vector3(-1, 0.7, 0.4).normalize();

/** Direction from which one looks at a new scene. */
const LOOK_FROM = new Vector3(1.05, -1.7, 0.95).normalize();

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(38, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly renderer: WebGLRenderer;
  theme: Theme = LIGHT;
  /** Number of pictures drawn. */
  drawn = 0;
  private readonly sun = new DirectionalLight(0xffffff, 2);
  private readonly fill = new DirectionalLight(0xffffff, 0.4);
  private readonly sky = new HemisphereLight(0xffffff, 0xffffff, 1);
  /** Parts of the canvas that panels cover, pixels. */
  private margins = { top: 0, right: 0, bottom: 0, left: 0 };
  private size = 1;
  private needed = true;
  private slowFrames = 0;
  private lastDrawn = 0;
  private resolution = "";
  private ratio = Math.min(window.devicePixelRatio, 2);

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.toneMapping = NeutralToneMapping;
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.maxPolarAngle = 0.94 * Math.PI;
    this.controls.addEventListener("change", () => this.invalidate());
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3.5;
    this.sun.shadow.intensity = 0.75;
    this.scene.add(this.sun, this.sun.target, this.fill, this.fill.target, this.sky);
    new ResizeObserver(() => this.invalidate()).observe(canvas);
  }

  setTheme(dark: boolean): void {
    this.theme = dark ? DARK : LIGHT;
    this.scene.background = new Color(this.theme.background);
    this.sky.color.set(this.theme.sky);
    this.sky.groundColor.set(this.theme.earth);
    this.sky.intensity = this.theme.ambient;
    this.sun.intensity = this.theme.sun;
    this.fill.intensity = this.theme.fill;
    this.setFog();
    this.invalidate();
  }

  /** Takes up where a new scene happens: sets clipping and fog to its size. */
  setSize(bounds: Box3): void {
    const ball = bounds.getBoundingSphere(new Sphere());
    this.size = Math.max(ball.radius, 1e-6);
    this.camera.near = 0.004 * this.size;
    this.camera.far = 150 * this.size;
    this.controls.minDistance = 0.02 * this.size;
    this.controls.maxDistance = 40 * this.size;
    this.setFog();
  }

  /** Sets what panels cover: the scene is centred in the rest. */
  setMargins(margins: { top: number; right: number; bottom: number; left: number }): void {
    this.margins = margins;
    this.invalidate();
  }

  /** Looks at a box as a whole from the side that one looked from before. */
  fit(bounds: Box3): void {
    this.lookAt(bounds, this.camera.position.clone().sub(this.controls.target).normalize());
  }

  /** Looks at a new scene: a long one along its length, from the end where most of its bodies are. */
  lookFirst(bounds: Box3, middle: Vector3): void {
    const [centre, size] = [bounds.getCenter(new Vector3()), bounds.getSize(new Vector3())];
    const [long, across] = size.x >= size.y ? [new Vector3(1, 0, 0), size.y] : [new Vector3(0, 1, 0), size.x];
    const length = Math.max(size.x, size.y);
    if (length < ELONGATED * Math.max(across, size.z)) {
      this.lookAt(bounds, LOOK_FROM.clone());
      return;
    }
    const towards = Math.sign(middle.clone().sub(centre).dot(long)) || 1;
    const side = new Vector3().crossVectors(long, new Vector3(0, 0, 1)).multiplyScalar(0.42 * towards);
    const from = long.multiplyScalar(towards).add(side).add(new Vector3(0, 0, 0.34)).normalize();
    const half = Math.max(0.05 * length, 0.6 * Math.max(across, size.z));
    this.lookAt(new Box3().setFromCenterAndSize(centre.lerp(middle, 0.9), new Vector3().setScalar(2 * half)), from);
  }

  /** Looks at a box from a direction, as near as all of its corners can be seen. */
  private lookAt(bounds: Box3, from: Vector3): void {
    const { width, height } = this.free();
    const up = Math.tan(0.5 * this.camera.fov * (Math.PI / 180)) * (height / Math.max(this.canvas.clientHeight, 1));
    const across = up * (width / height);
    const target = bounds.getCenter(new Vector3());
    const right = new Vector3().crossVectors(this.camera.up, from).normalize();
    const above = new Vector3().crossVectors(from, right);
    let distance = 1e-6;
    for (let corner = 0; corner < 8; corner++) {
      const [x, y, z] = [1, 2, 4].map((bit) => (corner & bit ? bounds.max : bounds.min));
      const place = new Vector3(x.x, y.y, z.z).sub(target);
      const aside = Math.max(Math.abs(place.dot(right)) / across, Math.abs(place.dot(above)) / up);
      distance = Math.max(distance, aside + place.dot(from));
    }
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(from, MARGIN * distance);
    this.controls.update();
    this.invalidate();
  }

  /** The part of the canvas that nothing covers. */
  private free(): { width: number; height: number } {
    const { clientWidth, clientHeight } = this.canvas;
    const { top, right, bottom, left } = this.margins;
    return { width: Math.max(clientWidth - right - left, 80), height: Math.max(clientHeight - top - bottom, 80) };
  }

  /** Position and target of the camera. */
  view(): number[] {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }

  setView(view: number[]): void {
    this.camera.position.fromArray(view, 0);
    this.controls.target.fromArray(view, 3);
    this.controls.update();
    this.invalidate();
  }

  /** Turns the camera about its target by angles, rad, and moves it nearer by a factor. */
  orbit(around: number, up: number, nearer: number): void {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const flat = Math.hypot(arm.x, arm.y);
    const [length, azimuth] = [arm.length() / nearer, Math.atan2(arm.y, arm.x) + around];
    const height = Math.max(-1.4, Math.min(1.5, Math.atan2(arm.z, flat) + up));
    arm.set(Math.cos(height) * Math.cos(azimuth), Math.cos(height) * Math.sin(azimuth), Math.sin(height)).multiplyScalar(length);
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
    this.invalidate();
  }

  /** Moves camera and target by a way, to follow a body. */
  move(way: Vector3): void {
    this.camera.position.add(way);
    this.controls.target.add(way);
    this.invalidate();
  }

  invalidate(): void {
    this.needed = true;
  }

  /** Draws if something has changed; returns whether it did. */
  render(): boolean {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!this.needed || width === 0 || height === 0) {
      return false;
    }
    this.needed = false;
    this.setResolution(width, height);
    this.camera.aspect = width / height;
    const { top, right, bottom, left } = this.margins;
    this.camera.setViewOffset(width, height, 0.5 * (right - left), 0.5 * (bottom - top), width, height);
    this.light();
    this.adapt(performance.now());
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
    return true;
  }

  private setResolution(width: number, height: number): void {
    const wanted = [width, height, this.ratio].join();
    if (wanted !== this.resolution) {
      this.resolution = wanted;
      this.renderer.setPixelRatio(this.ratio);
      this.renderer.setSize(width, height, false);
    }
  }

  /** Light and shadows where one looks: the shadows are as fine as the picture needs. */
  private light(): void {
    const target = this.controls.target;
    const reach = Math.min(1.7 * this.size, 0.8 * this.camera.position.distanceTo(target));
    const away = 4 * Math.max(reach, this.size);
    this.sun.target.position.copy(target);
    this.sun.position.copy(target).addScaledVector(TO_SUN, away);
    this.fill.target.position.copy(target);
    this.fill.position.copy(target).addScaledVector(TO_FILL, away);
    const shadow = this.sun.shadow.camera;
    Object.assign(shadow, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.05 * away, far: 3 * away });
    shadow.updateProjectionMatrix();
    this.sun.shadow.normalBias = (2 * reach) / 2048;
    this.sun.shadow.bias = -1e-4;
  }

  /** The picture as it is. */
  picture(): HTMLCanvasElement {
    return this.canvas;
  }

  /** Pictures that follow each other slowly, as in playing, become coarser; after a pause they are fine again. */
  private adapt(now: number): void {
    const apart = now - this.lastDrawn;
    this.lastDrawn = now;
    if (apart > 1000) {
      [this.ratio, this.slowFrames] = [Math.min(window.devicePixelRatio, 2), 0];
      return;
    }
    this.slowFrames = apart > SLOW ? this.slowFrames + 1 : 0;
    if (this.slowFrames > 3) {
      this.ratio = Math.max(COARSEST, 0.75 * this.ratio);
      this.slowFrames = 0;
    }
  }

  private setFog(): void {
    this.scene.fog = new Fog(this.theme.background, 9 * this.size, 40 * this.size);
  }
}
