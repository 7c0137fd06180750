// Hands: grab a body and throw it, push it, take it away, add one, turn gravity. All of it becomes part of the run.

import { Plane, Quaternion, Raycaster, Vector3 } from "three";
import type { App } from "../app";
import { BODY, FRAME, type Deed } from "../protocol";
import { byId, digits } from "../ui/dom";
import { tell } from "../ui/messages";
import type { Hit } from "../view/bodies";

export type Tool = "look" | "grab" | "push" | "remove";

type Triple = [number, number, number];

/** Most simulated time between two pictures of a hold, s. */
const STEP = 0.05;

export class Hands {
  tool: Tool = "look";
  private plane = new Plane();
  private target = new Vector3();
  private holding = false;
  private pressed = false;
  private asking = false;
  private last = 0;
  private added = 0;

  constructor(private readonly app: App) {
    for (const name of ["look", "grab", "push", "remove"] as Tool[]) {
      byId<HTMLInputElement>(`tool-${name}`).addEventListener("change", () => this.choose(name));
    }
    const canvas = byId("picture");
    // Before the camera's own listener.
    canvas.addEventListener("pointerdown", (event) => this.down(event as PointerEvent), { capture: true });
    window.addEventListener("pointermove", (event) => this.move(event));
    window.addEventListener("pointerup", () => void this.release());
    window.addEventListener("pointercancel", () => void this.release());
    byId("push-body").addEventListener("click", () => void this.pushSelected());
    byId("remove-body").addEventListener("click", () => void this.removeSelected());
    byId("add-ball").addEventListener("click", () => void this.add("ball"));
    byId("add-box").addEventListener("click", () => void this.add("box"));
    byId("copy-body").addEventListener("click", () => void this.add("like"));
    byId("turn-gravity").addEventListener("click", () => void this.app.act({ act: "gravity", to: triple("gravity") }));
  }

  choose(tool: Tool): void {
    this.tool = tool;
    byId<HTMLInputElement>(`tool-${tool}`).checked = true;
    byId("picture").dataset.tool = tool;
  }

  /** Another scene is open. */
  opened(): void {
    this.holding = false;
    const gravity = this.app.info?.gravity ?? [0, 0, 0];
    gravity.forEach((value, axis) => (byId<HTMLInputElement>(`gravity-${"xyz"[axis]}`).value = String(value)));
  }

  /** Called for every picture: pulls what is held. */
  tick(now: number): void {
    const passed = Math.min((now - this.last) / 1000, STEP);
    this.last = now;
    if (this.holding && !this.asking) {
      void this.pull(passed * this.app.player.speed);
    }
  }

  private down(event: PointerEvent): void {
    if (this.tool === "look" || event.button !== 0) {
      return;
    }
    const hit = this.app.picture.hit(event);
    const body = hit === null ? undefined : this.app.info?.bodies[hit.body];
    if (hit === null || body === undefined) {
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    this.app.select(hit.body);
    if (body.kind !== "free" && this.tool !== "remove") {
      tell("act", `${body.name} is ${body.kind}; only free bodies can be moved by hand.`, false);
    } else if (this.tool === "grab") {
      void this.grab(hit, body.name);
    } else if (this.tool === "push") {
      const size = byId<HTMLInputElement>("push-size").valueAsNumber || 1;
      const impulse = hit.away.multiplyScalar(size * (body.mass ?? 1)).toArray();
      void this.do({ act: "push", body: body.name, at: hit.point.toArray(), impulse });
    } else {
      void this.do({ act: "remove", body: body.name });
    }
  }

  private async grab({ body, point }: Hit, name: string): Promise<void> {
    const { picture, frame, player } = this.app;
    if (frame === null) {
      return;
    }
    const at = FRAME.length + body * BODY.length;
    const q = at + BODY.rotation;
    const turn = new Quaternion(frame.numbers[q + 1], frame.numbers[q + 2], frame.numbers[q + 3], frame.numbers[q]);
    const local = point.clone().sub(new Vector3().fromArray(frame.numbers, at + BODY.origin)).applyQuaternion(turn.invert());
    this.plane.setFromNormalAndCoplanarPoint(picture.stage.camera.getWorldDirection(new Vector3()), point);
    this.target.copy(point);
    player.play(0);
    this.pressed = true;
    this.holding = await this.app.act({ act: "grab", body: name, at: local.toArray(), to: point.toArray() });
    this.last = performance.now();
    if (!this.pressed) {
      await this.release();
    }
  }

  private move(event: PointerEvent): void {
    if (this.holding) {
      const caster = new Raycaster();
      caster.setFromCamera(this.app.picture.pointOf(event), this.app.picture.stage.camera);
      caster.ray.intersectPlane(this.plane, this.target);
    }
  }

  private async pull(passed: number): Promise<void> {
    const { player, session } = this.app;
    this.asking = true;
    const time = Math.min(player.time + passed, this.app.info?.end ?? 0);
    if (time <= player.time) {
      this.asking = false;
      return;
    }
    const frame = await session.ask<"hold">({ ask: "hold", to: this.target.toArray(), time, wants: this.app.wants() }).catch((error: Error) => error);
    this.asking = false;
    if (frame instanceof Error) {
      tell("act", frame.message, true);
      await this.release();
    } else if (this.holding) {
      player.accept(frame);
    }
  }

  private async release(): Promise<void> {
    this.pressed = false;
    if (this.holding) {
      this.holding = false;
      // Where the hand has pulled it to, though the last picture of that may not have come.
      await this.do({ act: "release" }, Infinity);
    }
  }

  /** Does something and lets the run go on. */
  private async do(deed: Deed, time?: number): Promise<void> {
    if (await this.app.act(deed, time)) {
      this.app.player.play(1);
    }
  }

  private async pushSelected(): Promise<void> {
    const { frame, picture, info } = this.app;
    const body = info?.bodies[picture.selected];
    if (frame === null || body === undefined) {
      tell("act", "Choose a body first: click it, or press B.", false);
      return;
    }
    const at = FRAME.length + picture.selected * BODY.length + BODY.centre;
    await this.do({ act: "push", body: body.name, at: [...frame.numbers.subarray(at, at + 3)] as Triple, impulse: triple("impulse") });
  }

  private async removeSelected(): Promise<void> {
    const body = this.app.info?.bodies[this.app.picture.selected];
    if (body === undefined) {
      tell("act", "Choose a body first: click it, or press B.", false);
      return;
    }
    await this.do({ act: "remove", body: body.name });
  }

  /** Adds a body above what one looks at. */
  private async add(kind: "ball" | "box" | "like"): Promise<void> {
    const { info, picture } = this.app;
    const radii = (info?.bodies ?? []).filter((body) => body.kind === "free").map((body) => body.radius ?? 0);
    const radius = radii.length === 0 ? 0.1 : radii.reduce((a, b) => a + b) / radii.length;
    const model = info?.bodies[picture.selected];
    if (kind === "like" && model?.kind !== "free") {
      tell("act", "Choose a free body to copy: click it, or press B.", false);
      return;
    }
    const at = picture.stage.controls.target.clone();
    at.z += 3 * radius + 0.5 * radius * (this.added % 5);
    const side = Number(digits(1.2 * radius, 3));
    const shape = kind === "ball" ? { ball: Number(digits(0.7 * radius, 3)) } : kind === "box" ? { box: [side, side, side] as Triple } : { like: model?.name ?? "" };
    await this.do({ act: "add", body: `added ${++this.added}`, shape, at: at.toArray(), velocity: [0, 0, 0] });
  }
}

function triple(name: string): Triple {
  return ["x", "y", "z"].map((axis) => byId<HTMLInputElement>(`${name}-${axis}`).valueAsNumber || 0) as Triple;
}
