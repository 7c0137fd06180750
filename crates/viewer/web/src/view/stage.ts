// The picture: renderer, light, camera. Draws only when something has changed.

import {
  Box3, Color, DirectionalLight, Fog, HemisphereLight, NeutralToneMapping, PCFShadowMap, PerspectiveCamera, Scene, Sphere, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { DARK, LIGHT, type Theme } from "./theme";

/** A frame that takes longer than this, ms, lowers the resolution; software rendering needs it. */
const SLOW = 90;

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
  private size = 1;
  private needed = true;
  private slowFrames = 0;
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

  /** The size of a new scene, m: sets light, shadows and clipping to it. */
  setSize(bounds: Box3): void {
    const ball = bounds.getBoundingSphere(new Sphere());
    this.size = Math.max(ball.radius, 1e-6);
    const reach = 1.7 * this.size;
    this.sun.target.position.copy(ball.center);
    this.sun.position.copy(ball.center).addScaledVector(new Vector3(0.45, -0.55, 1).normalize(), 4 * reach);
    this.fill.target.position.copy(ball.center);
    this.fill.position.copy(ball.center).add(new Vector3(-1, 0.7, 0.4).multiplyScalar(reach));
    const shadow = this.sun.shadow.camera;
    Object.assign(shadow, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.5 * reach, far: 9 * reach });
    shadow.updateProjectionMatrix();
    this.sun.shadow.normalBias = (2.5 * reach) / 2048;
    this.sun.shadow.bias = -2e-4;
    this.camera.near = 0.004 * this.size;
    this.camera.far = 150 * this.size;
    this.controls.minDistance = 0.02 * this.size;
    this.controls.maxDistance = 40 * this.size;
    this.setFog();
  }

  /** Looks at a box as a whole, from the same side as before or, for a new scene, from the front. */
  fit(bounds: Box3, anew: boolean): void {
    const ball = bounds.getBoundingSphere(new Sphere());
    const from = anew ? LOOK_FROM.clone() : this.camera.position.clone().sub(this.controls.target).normalize();
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const half = 0.5 * this.camera.fov * (Math.PI / 180);
    const narrow = Math.min(half, Math.atan(Math.tan(half) * (width / Math.max(height, 1))));
    const distance = Math.max(ball.radius, 1e-6) / Math.sin(narrow);
    this.controls.target.copy(ball.center);
    this.camera.position.copy(ball.center).addScaledVector(from, 0.92 * distance);
    this.controls.update();
    this.invalidate();
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
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    const begun = performance.now();
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
    this.adapt(performance.now() - begun);
    return true;
  }

  /** The picture as it is. */
  picture(): HTMLCanvasElement {
    return this.canvas;
  }

  private adapt(took: number): void {
    this.slowFrames = took > SLOW ? this.slowFrames + 1 : 0;
    if (this.slowFrames > 5 && this.ratio > 0.75) {
      this.ratio = Math.max(0.75, 0.75 * this.ratio);
      this.slowFrames = 0;
    }
  }

  private setFog(): void {
    this.scene.fog = new Fog(this.theme.background, 9 * this.size, 40 * this.size);
  }
}
