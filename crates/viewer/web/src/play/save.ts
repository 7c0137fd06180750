// Saving and sharing: a link, a recording, tables, a picture, a film, the scene in one page.

import type { App } from "../app";
import { singlePage } from "../assets";
import { base64, LONGEST } from "../bundle";
import { BODY, FRAME, IMPACT, type FrameData, type Recording } from "../protocol";
import * as address from "../ui/address";
import { byId } from "../ui/dom";
import { tell } from "../ui/messages";
import { glb } from "./gltf";

/** Rows of a table per simulated run, and pictures per second of an animation and a film. */
const SAMPLES = 500;
const RATE = 30;

const NOTHING = { window: 0, contacts: false, closest: false, boxes: false, ghosts: false };

export class Save {
  private replayed: Recording | null = null;

  constructor(private readonly app: App) {
    const actions: [string, () => Promise<void>][] = [
      ["share-link", () => this.link()], ["save-recording", () => this.recording()], ["save-csv", () => this.table()],
      ["save-impacts", () => this.impacts()], ["save-gltf", () => this.animation()], ["save-png", () => this.picture()],
      ["save-film", () => this.film()], ["save-script", () => this.script()], ["save-page", () => this.page()],
    ];
    for (const [id, run] of actions) {
      byId(id).addEventListener("click", () => void run().catch((error: Error) => tell("save", error.message, true)));
    }
  }

  /** Opens a recording, and compares the end. */
  async replay(recording: Recording): Promise<boolean> {
    const { scene, params, seed, until, acts } = recording;
    const files = Object.entries(recording.files ?? {}).map(([path, text]): [string, Uint8Array] => [path, new TextEncoder().encode(text)]);
    const place = { params, seed, until, time: 0 };
    const opened = files.length > 0
      ? await this.app.openBundle({ main: scene, files }, false, { acts }, place)
      : await this.app.open({ ...this.app.place, code: null, camera: null, scene, ...place }, false, { acts });
    this.replayed = opened ? recording : null;
    await this.progress();
    return opened;
  }

  /** The run has come farther: at the end of a replay the hashes are compared. */
  async progress(): Promise<void> {
    const [replayed, report] = [this.replayed, this.app.report];
    if (replayed === null || report === null || report.state === "underway") {
      return;
    }
    this.replayed = null;
    const { session, player } = this.app;
    await session.ask<"go">({ ask: "go", time: replayed.until, wait: true, wants: NOTHING });
    const [hash, version] = [await session.ask<"hash">({ ask: "hash" }), await session.ask<"version">({ ask: "version" })];
    player.refresh();
    if (hash === replayed.hash) {
      tell("replay", `Replayed ${replayed.acts.length} acts: the hash ${hash} is that of the recording.`, false);
      return;
    }
    const why = version === replayed.version ? "the scene or the acts were changed since" : `it was made by version ${replayed.version}, this is ${version}`;
    tell("replay", `The replay ends with the hash ${hash}, the recording with ${replayed.hash}: ${why}.`, true);
  }

  private async link(): Promise<void> {
    const text = new URL(address.write(this.app.here()), location.href).href;
    if ((this.app.place.code ?? "").length > LONGEST) {
      tell("save", "The scene is too long for a link. Send its script (Save script), or the page with it (Save page).", true);
      return;
    }
    try {
      await navigator.clipboard.writeText(text);
      tell("save", `The link is copied: it holds scene, parameters, time and camera (${text.length} characters). Nothing goes to a server.`, false);
    } catch {
      tell("save", `Copy this link:\n${text}`, false);
    }
    if ((this.app.info?.acts ?? 0) > 0 || this.app.frame?.held.length) {
      tell("acts", "What was done by hand is not in the link; save a recording for that.", false);
    }
  }

  private async recording(): Promise<void> {
    download(`${this.name}.recording.json`, await this.app.session.ask<"recording">({ ask: "recording" }), "application/json");
  }

  private async table(): Promise<void> {
    const rows = ["t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz"];
    await this.frames(this.end / SAMPLES, ({ numbers }) => {
      this.bodies.forEach((name, body) => {
        const at = FRAME.length + body * BODY.length + BODY.centre;
        if (Number.isFinite(numbers[at])) {
          rows.push(`${float(numbers[FRAME.time])},${quoted(name)},${[...numbers.subarray(at, at + 13)].map(float).join()}`);
        }
      });
    });
    download(`${this.name}.csv`, `${rows.join("\n")}\n`, "text/csv");
  }

  private async impacts(): Promise<void> {
    const rows = ["t,body1,body2,x,y,z,nx,ny,nz,px,py,pz,ux0,uy0,uz0,ux1,uy1,uz1,energy_lost,mode,micro"];
    const step = this.end / 100;
    await this.frames(step, ({ impacts }) => {
      for (let at = 0; at < impacts.length; at += IMPACT.length) {
        const names = [IMPACT.first, IMPACT.second].map((place) => quoted(this.bodies[impacts[at + place]] ?? ""));
        const numbers = [...impacts.subarray(at + IMPACT.point, at + IMPACT.point + 16)].map(float).join();
        rows.push(`${float(impacts[at + IMPACT.time])},${names.join()},${numbers},${modes(impacts[at + IMPACT.modes])},${impacts[at + IMPACT.micro] !== 0}`);
      }
    }, step);
    download(`${this.name}.impacts.csv`, `${rows.join("\n")}\n`, "text/csv");
  }

  private async animation(): Promise<void> {
    const { opened } = this.app;
    if (opened === null) {
      return;
    }
    const frames: FrameData[] = [];
    await this.frames(Math.max(1 / RATE, this.end / 2000), (frame) => frames.push(frame));
    download(`${this.name}.glb`, glb(opened, frames), "model/gltf-binary");
  }

  private async picture(): Promise<void> {
    const canvas = this.app.picture.stage.picture();
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (blob !== null) {
      download(`${this.name}.png`, blob, "image/png");
    }
  }

  /** Plays the run once, at the speed that is chosen, and records the canvas. */
  private async film(): Promise<void> {
    const { player, picture } = this.app;
    const recorder = new MediaRecorder(picture.stage.picture().captureStream(RATE), { mimeType: "video/webm" });
    const pieces: Blob[] = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    const stopped = new Promise((resolve) => (recorder.onstop = resolve));
    await player.reach(0);
    recorder.start();
    player.play(1);
    tell("film", "Recording a film of the run …", false, { name: "Stop", run: () => player.play(0) });
    while (player.direction !== 0) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    recorder.stop();
    await stopped;
    download(`${this.name}.webm`, new Blob(pieces, { type: "video/webm" }), "video/webm");
  }

  private async script(): Promise<void> {
    const { name, text } = this.app.script();
    download(name, text, "text/plain");
    return Promise.resolve();
  }

  /** The page as one file with the scene in it. */
  private async page(): Promise<void> {
    const { app } = this;
    const source = await singlePage();
    const files = Object.fromEntries((app.bundle?.files ?? []).map(([path, content]) => [path, base64(content)]));
    const given = { scene: app.bundle?.main ?? app.place.scene, from_files: app.bundle !== null, params: app.place.params, seed: app.place.seed, until: app.place.until, files, version: "" };
    const start = JSON.stringify({ given }).replaceAll("<", "\\u003c");
    const page = source.replace(/(<script type="application\/json" id="start">)[^<]*/, (_, open: string) => open + start);
    download(`${this.name}.html`, page, "text/html");
  }

  private get name(): string {
    return this.app.place.scene.replaceAll(/[^\w.-]+/g, "_") || "scene";
  }

  private get end(): number {
    return this.app.report?.time ?? this.app.info?.end ?? 0;
  }

  private get bodies(): string[] {
    return (this.app.info?.bodies ?? []).map(({ name }) => name);
  }

  /** Goes through the run in equal steps, s, its end included, and back. */
  private async frames(step: number, take: (frame: FrameData) => void, window = 0): Promise<void> {
    const { session, player } = this.app;
    const count = Math.ceil(this.end / step - 1e-9);
    for (let k = 0; k <= count; k++) {
      take(await session.ask<"go">({ ask: "go", time: Math.min(this.end, k * step), wait: false, wants: { ...NOTHING, window } }));
    }
    player.refresh();
  }
}

/** How a contact moved, in the command's words: digits to base four, the last mode in the lowest one. */
function modes(number: number): string {
  const names = [...number.toString(4)].map((digit) => ["hop", "slide", "stick", "slip_along_ray"][Number(digit)]);
  return names.join(">");
}

/** As the command writes numbers, digit for digit: with a point, or with an exponent if they are large or small. */
function float(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e16 || (size < 1e-4 && size > 0)) {
    return value.toExponential().replace("e+", "e");
  }
  const text = Object.is(value, -0) ? "-0" : String(value);
  return Number.isInteger(value) ? `${text}.0` : text;
}

function quoted(name: string): string {
  return /[",\n\r]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

function download(name: string, content: BlobPart, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
