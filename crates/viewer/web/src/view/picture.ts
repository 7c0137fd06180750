// All that is drawn of a scene: bodies, arrows, overlays on the stage.

import { Box3, Vector2, Vector3 } from "three";
import type { BodyInfo, FrameData, Opened } from "../protocol";
import { Arrows } from "./arrows";
import { Bodies, centre, type Hit } from "./bodies";
import { Cones } from "./cones";
import { Ghosts } from "./ghosts";
import { Overlays } from "./overlays";
import { Stage } from "./stage";

/** What can be drawn, and what is from the start. */
export const CHOICES = {
  collisions: { label: "collisions (impulses)", swatch: "collision", on: true },
  micros: { label: "microcollisions (impulses)", swatch: "micro", on: false },
  forces: { label: "forces: rest, roll, slide", swatch: "force", on: false },
  cones: { label: "friction cones", swatch: "cone", on: false },
  trails: { label: "trails", swatch: "", on: false },
  centres: { label: "centres of mass", swatch: "centre", on: false },
  closest: { label: "closest points", swatch: "closest", on: false },
  boxes: { label: "boxes", swatch: "box", on: false },
  wireframe: { label: "wireframe", swatch: "", on: false },
} as const;

export type Choice = keyof typeof CHOICES;

export class Picture {
  readonly stage: Stage;
  readonly arrows = new Arrows();
  readonly overlays = new Overlays();
  readonly cones = new Cones();
  readonly ghosts = new Ghosts();
  readonly choices = new Set<Choice>((Object.keys(CHOICES) as Choice[]).filter((name) => CHOICES[name].on));
  selected = -1;
  follow = false;
  private readonly bodies = new Bodies();
  private followed: Vector3 | null = null;
  private size = 1;

  constructor(canvas: HTMLCanvasElement) {
    this.stage = new Stage(canvas);
    this.stage.scene.add(this.bodies.group, this.arrows.group, this.overlays.group, this.cones.group, this.ghosts.group);
  }

  open(opened: Opened, bounds: Box3): void {
    const { info } = opened;
    this.stage.setSize(bounds);
    this.bodies.open(opened, this.stage.theme);
    const size = arrowSize(info.bodies, bounds);
    this.arrows.open(info.bodies, size);
    this.cones.open(info.bodies, size);
    this.size = size;
    this.overlays.open(info.bodies);
    this.bodies.setWireframe(this.choices.has("wireframe"));
    this.select(-1);
  }

  show(frame: FrameData, time: number, window: number): void {
    this.bodies.place(frame.numbers);
    const { choices } = this;
    const drawn = { collisions: choices.has("collisions"), micros: choices.has("micros"), forces: choices.has("forces") };
    this.arrows.show(frame, time, window, drawn);
    this.overlays.show(frame, choices.has("centres"));
    this.cones.show(choices.has("cones") ? frame.contacts : new Float64Array());
    this.ghosts.show(frame.ghosts);
    this.followBody(frame);
    this.stage.invalidate();
  }

  /** Takes up bodies that have come, at the same place of everything else. */
  renew(opened: Opened): void {
    const { selected } = this;
    this.bodies.open(opened, this.stage.theme);
    this.arrows.open(opened.info.bodies, this.size);
    this.cones.open(opened.info.bodies, this.size);
    this.overlays.open(opened.info.bodies);
    this.bodies.setWireframe(this.choices.has("wireframe"));
    this.select(selected);
  }

  choose(name: Choice, on: boolean): void {
    if (on) {
      this.choices.add(name);
    } else {
      this.choices.delete(name);
    }
    this.bodies.setWireframe(this.choices.has("wireframe"));
    this.stage.invalidate();
  }

  setTheme(dark: boolean): void {
    this.stage.setTheme(dark);
    this.bodies.setTheme(this.stage.theme);
    this.arrows.setBackground(this.stage.theme.background);
  }

  select(body: number): void {
    this.selected = body;
    this.followed = null;
    this.bodies.select(body);
    this.stage.invalidate();
  }

  /** The body at a place on the screen; -1 if there is none. */
  pick(event: MouseEvent): number {
    return this.hit(event)?.body ?? -1;
  }

  /** The body at a place on the screen, and the point of it that is seen. */
  hit(event: MouseEvent): Hit | null {
    return this.bodies.hit(this.pointOf(event), this.stage.camera);
  }

  /** A place on the screen within -1 and 1. */
  pointOf(event: MouseEvent): Vector2 {
    const { left, top, width, height } = this.stage.picture().getBoundingClientRect();
    return new Vector2((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
  }

  private followBody(frame: FrameData): void {
    if (!this.follow || this.selected < 0) {
      this.followed = null;
      return;
    }
    const now = centre(frame.numbers, this.selected);
    if (this.followed !== null) {
      this.stage.move(now.clone().sub(this.followed));
    }
    this.followed = now;
  }
}

/** Length of the longest arrow, m: a few radii of the bodies that move, within the scene. */
function arrowSize(bodies: BodyInfo[], bounds: Box3): number {
  const radii = bodies.filter((body) => body.kind === "free" && body.radius !== null).map((body) => body.radius ?? 0);
  const mean = radii.reduce((sum, radius) => sum + radius, 0) / Math.max(radii.length, 1);
  const scene = 0.25 * bounds.getSize(new Vector3()).length();
  return mean > 0 ? Math.min(scene, 3.2 * mean) : scene;
}

/** Where a run happens: a box, and the mean place of the bodies. */
export function extentOf(numbers: Float64Array): { bounds: Box3; middle: Vector3 } {
  const [low, high, middle] = [0, 3, 6].map((at) => new Vector3().fromArray(numbers, at));
  return { bounds: new Box3(low, high), middle };
}
