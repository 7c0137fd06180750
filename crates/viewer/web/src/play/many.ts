// The same scene with many seeds at once: all as ghosts, coloured by how they end.

import { Quaternion, Vector3 } from "three";
import type { App } from "../app";
import { GHOST, type ProgressReport } from "../protocol";
import { byId, css, digits, make } from "../ui/dom";
import { tell } from "../ui/messages";

/** Colours of outcomes. */
const COLORS = ["#2f7fd8", "#e0772d", "#17a673", "#c9428f", "#8a5cf0", "#b8a000", "#1aa7b8", "#8a8f98"];

const SIDES: [string, Vector3][] = [
  ["+x", new Vector3(1, 0, 0)], ["-x", new Vector3(-1, 0, 0)], ["+y", new Vector3(0, 1, 0)], ["-y", new Vector3(0, -1, 0)],
  ["+z", new Vector3(0, 0, 1)], ["-z", new Vector3(0, 0, -1)],
];

export class Many {
  private running = 0;
  private waiting = false;

  constructor(private readonly app: App) {
    byId("run-many").addEventListener("click", () => void this.run(byId<HTMLInputElement>("many-count").valueAsNumber || 20));
  }

  /** Another scene is open. */
  opened(): void {
    this.running++;
    this.waiting = false;
    byId("outcomes").replaceChildren();
  }

  /** Runs the scene with so many seeds, from the one after its own. */
  async run(count: number): Promise<void> {
    const { app } = this;
    const number = ++this.running;
    await app.session.ask<"ghostClear">({ ask: "ghostClear" });
    app.picture.ghosts.clear();
    byId("outcomes").replaceChildren(make("p", "quiet", "computing …"));
    const files = app.bundle?.files ?? [];
    for (let k = 1; k <= Math.min(100, count); k++) {
      const request = {
        scene: app.bundle?.main ?? app.place.scene, from_files: app.bundle !== null, params: app.place.params, seed: app.place.seed + k,
        until: app.info?.end ?? 1,
      };
      const opened = await app.session.ask<"ghostOpen">({ ask: "ghostOpen", request, files }).catch((error: Error) => error);
      if (number !== this.running || opened instanceof Error) {
        return;
      }
      if ("failure" in opened) {
        tell("many", opened.failure.message, true);
        return;
      }
      app.picture.ghosts.add(opened, 0.28);
    }
    this.waiting = true;
    // The last report may have come already.
    if (app.report !== null) {
      this.progress(app.report);
    }
  }

  progress({ ghosts: [done, all] }: ProgressReport): void {
    if (this.waiting && all > 0 && all === this.app.picture.ghosts.count) {
      if (done < all) {
        byId("outcomes").replaceChildren(make("p", "quiet", `${done} of ${all} runs computed`));
      } else {
        this.waiting = false;
        void this.judge();
      }
    }
  }

  /** Colours the runs by the side that the body ends on, or a ball by where it ends. */
  private async judge(): Promise<void> {
    const { app } = this;
    const bodies = app.info?.bodies ?? [];
    const chosen = bodies[app.picture.selected]?.kind === "free" ? app.picture.selected : bodies.findIndex((body) => body.kind === "free");
    if (chosen < 0) {
      return;
    }
    const ends: { key: string; place: Vector3 }[] = [];
    for (let ghost = 0; ghost < app.picture.ghosts.count; ghost++) {
      const poses = await app.session.ask<"ghostPoses">({ ask: "ghostPoses", ghost, time: app.info?.end ?? 0 }).catch(() => new Float64Array());
      const at = chosen * GHOST.length;
      const place = new Vector3().fromArray(poses, at);
      const q = at + GHOST.rotation;
      const turn = new Quaternion(poses[q + 1], poses[q + 2], poses[q + 3], poses[q]);
      const down = new Vector3(0, 0, -1).applyQuaternion(turn.invert());
      const [side] = SIDES.reduce((best, one) => (one[1].dot(down) > best[1].dot(down) ? one : best));
      ends.push({ key: bodies[chosen].ball ? "" : `${side} down`, place });
    }
    if (bodies[chosen].ball) {
      nameHalves(ends);
    }
    this.tell(bodies[chosen].name, ends.map(({ key }) => key));
    app.player.refresh();
  }

  private tell(name: string, keys: string[]): void {
    const counts = new Map<string, number>();
    keys.forEach((key) => counts.set(key, (counts.get(key) ?? 0) + 1));
    const order = [...counts.entries()].sort((a, b) => b[1] - a[1]);
    keys.forEach((key, ghost) => this.app.picture.ghosts.setColor(ghost, COLORS[order.findIndex(([one]) => one === key) % COLORS.length]));
    const rows = order.map(([key, count], number) => {
      const mark = make("span", "swatch");
      mark.style.background = COLORS[number % COLORS.length];
      return make("li", "row", "", mark, make("span", "", `${name}: ${key}, ${count} of ${keys.length}`));
    });
    byId("outcomes").replaceChildren(make("ul", "outcomes", "", ...rows));
    byId("outcomes").style.color = css("text");
  }
}

/** Names the ends of balls: nearer to or farther from the mean end than half of them. */
function nameHalves(ends: { key: string; place: Vector3 }[]): void {
  const mean = ends.reduce((sum, { place }) => sum.add(place), new Vector3()).divideScalar(Math.max(1, ends.length));
  const distances = ends.map(({ place }) => place.distanceTo(mean)).sort((a, b) => a - b);
  const middle = distances[Math.floor(distances.length / 2)] ?? 0;
  ends.forEach((end) => (end.key = end.place.distanceTo(mean) <= middle ? `ends within ${digits(middle, 2)} m of the mean` : "ends farther away"));
}
