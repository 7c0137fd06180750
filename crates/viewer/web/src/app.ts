// The page as a whole: opens scenes, connects the playhead with the picture and the panels.

import { engineModule, startWorker } from "./assets";
import { Player } from "./player";
import { DENSITY, FRAME, type FrameData, type ProgressReport, type SceneInfo, type Wants } from "./protocol";
import { Session, Stopped } from "./session";
import { givenScene, watchGiven, type Given } from "./start";
import * as address from "./ui/address";
import { byId } from "./ui/dom";
import { Gallery } from "./ui/gallery";
import { Inspector } from "./ui/inspector";
import { tell, withdraw, withdrawAll } from "./ui/messages";
import { PLOTS, Plots } from "./ui/plots";
import { TimeLine } from "./ui/timeline";
import { Picture, extentOf, CHOICES, type Choice } from "./view/picture";

/** Longest window in which arrows of impulses are shown, s, and its share of a short run. */
const WINDOW = 0.08;
const WINDOW_SHARE = 1 / 40;

/** How long the first picture waits for the run to show where it leads, ms. */
const FORESIGHT = 350;

/** Impacts of a body that are listed. */
const LISTED = 60;

export class App {
  readonly picture = new Picture(byId<HTMLCanvasElement>("picture"));
  readonly session: Session;
  readonly player: Player;
  readonly plots = new Plots((time) => this.seek(time));
  info: SceneInfo | null = null;
  frame: FrameData | null = null;
  report: ProgressReport | null = null;
  /** Told whenever the state of playing changes. */
  onPlaying: (direction: number) => void = () => undefined;
  private readonly line = new TimeLine((time) => this.seek(time));
  private readonly inspector = new Inspector((body) => this.select(body), (event) => void this.player.goToEvent(event));
  readonly gallery = new Gallery((scene) => void this.open({ ...EMPTY, scene }, true));
  private place: address.Place = EMPTY;
  private given: Given | null = null;
  private opened = 0;
  private dirty = false;
  private writing = 0;
  private listed = 0;
  private trailing = 0;

  constructor() {
    this.session = new Session(startWorker, engineModule, {
      progress: (report) => this.progress(report),
      broken: (message) => this.broken(message),
      silent: (silent) => this.silent(silent),
    });
    this.player = new Player(this.session, () => this.wants(), {
      shown: (frame) => this.show(frame),
      playing: (direction) => this.playing(direction),
      failed: (error) => tell("run", error.message, true),
    });
    this.picture.stage.controls.addEventListener("end", () => this.note());
    window.addEventListener("hashchange", (event) => this.follow(new URL(event.newURL).hash));
  }

  /** The first scene. */
  async begin(): Promise<void> {
    this.given = await givenScene();
    this.gallery.fill(await this.session.ask({ ask: "scenes" }));
    const place = address.read(location.hash);
    if (this.given !== null) {
      watchGiven(this.given, (given) => this.changed(given));
    }
    const scene = place.scene !== "" ? place.scene : (this.given?.scene ?? "bowling");
    await this.open({ ...(this.given !== null && place.scene === "" ? placeOf(this.given) : place), scene }, place.time === null);
    requestAnimationFrame((now) => this.tick(now));
  }

  /** Opens a scene at the time and with the camera of a place; returns whether it can be run. */
  async open(place: address.Place, play: boolean): Promise<boolean> {
    const number = ++this.opened;
    clearTimeout(this.writing);
    const given = this.given !== null && place.scene === this.given.scene ? this.given : null;
    const request = {
      scene: place.scene, from_files: given?.from_files ?? false, params: place.params, seed: place.seed,
      ...(place.until === null ? {} : { until: place.until }),
    };
    withdrawAll();
    const files = given?.files ?? [];
    const opened = await this.session.ask<"open">({ ask: "open", request, files }).catch((error: Error) => error);
    if (number !== this.opened || opened instanceof Error) {
      return false;
    }
    if ("failure" in opened) {
      tell("open", opened.failure.message, true);
      return false;
    }
    this.place = place;
    this.info = opened.info;
    this.reset(opened.info);
    opened.info.warnings.forEach((warning, k) => tell(`warning ${k}`, `warning: ${warning}`, false));
    const { bounds, middle } = extentOf(await this.foreseen());
    if (number !== this.opened) {
      return false;
    }
    this.picture.open(opened, bounds);
    this.choose(place.show);
    if (place.camera === null) {
      this.picture.stage.lookFirst(bounds, middle);
    } else {
      this.picture.stage.setView(place.camera);
    }
    await this.player.reach(place.time ?? 0);
    this.note();
    if (play && number === this.opened) {
      this.player.play(1);
    }
    return true;
  }

  seek(time: number): void {
    this.player.play(0);
    this.player.seek(time);
    this.note();
  }

  select(body: number): void {
    this.picture.select(body);
    this.plots.setTrack(new Float64Array());
    this.inspector.showImpacts(new Float64Array());
    void this.trackSelected();
    this.dirty = true;
    this.player.refresh();
  }

  async fit(): Promise<void> {
    const bounds = await this.session.ask<"bounds">({ ask: "bounds" });
    this.picture.stage.fit(extentOf(bounds).bounds);
    this.note();
  }

  /** Turns something that is drawn on or off. */
  async draw(name: Choice, on: boolean): Promise<void> {
    this.picture.choose(name, on);
    if (name === "trails") {
      await this.trails();
    }
    this.player.refresh();
    this.note();
  }

  /** The window in which impulses are shown, s. */
  get window(): number {
    return Math.min(WINDOW, WINDOW_SHARE * (this.info?.end ?? 0));
  }

  /** Ends a worker that does not answer and opens the scene again. */
  stop(): void {
    this.session.stop();
    this.report = null;
    tell("stopped", "The simulation was stopped.", true, { name: "Start again", run: () => void this.open(this.place, false) });
  }

  async plotTrack(): Promise<void> {
    await this.trackSelected();
    this.plots.draw();
  }

  private wants(): Wants {
    const has = (name: Choice) => this.picture.choices.has(name);
    const impulses = has("collisions") || has("micros");
    return { window: impulses ? this.window : 0, contacts: has("forces"), closest: has("closest"), boxes: has("boxes") };
  }

  private reset(info: SceneInfo): void {
    [this.report, this.frame, this.listed] = [null, null, 0];
    this.trailing++;
    this.player.open(info.end);
    this.line.open(info.end);
    this.plots.open(info.end);
    this.inspector.open(info.bodies);
    byId("scene-name").textContent = this.place.scene;
    byId("scene-about").textContent = this.gallery.about(this.place.scene);
    document.title = `${this.place.scene} – Impulse`;
    this.gallery.mark(this.place.scene);
  }

  /** Where most of the run happens, as far as it is known after a short while. */
  private async foreseen(): Promise<Float64Array> {
    const until = performance.now() + FORESIGHT;
    while ((this.report === null || this.report.state === "underway") && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    return this.session.ask<"bounds">({ ask: "bounds" });
  }

  private tick(now: number): void {
    this.player.tick(now);
    if (this.dirty && this.frame !== null) {
      this.dirty = false;
      this.tellFrame(this.frame, now);
    }
    this.picture.stage.render();
    requestAnimationFrame((next) => this.tick(next));
  }

  private show(frame: FrameData): void {
    this.frame = frame;
    this.picture.show(frame, frame.numbers[FRAME.time], this.window);
    this.dirty = true;
  }

  private tellFrame(frame: FrameData, now: number): void {
    const time = frame.numbers[FRAME.time];
    const end = this.info?.end ?? 0;
    const clock = byId("clock");
    const decimals = Math.max(3, Math.min(9, 4 - Math.floor(Math.log10(Math.max(end, 1e-9)))));
    clock.textContent = `${time.toFixed(decimals)} s`;
    this.line.show(time);
    this.plots.show(time);
    this.inspector.show(this.picture.selected, frame);
    this.inspector.showRun(frame, this.report);
    if (this.picture.selected >= 0 && (now - this.listed > 200 || this.player.direction === 0)) {
      this.listed = now;
      void this.listImpacts();
    }
  }

  private async listImpacts(): Promise<void> {
    const body = this.picture.selected;
    const micros = this.picture.choices.has("micros");
    const notes = await this.session.ask<"impactsOf">({ ask: "impactsOf", body, most: LISTED, micros }).catch(ignored);
    if (notes !== null && body === this.picture.selected) {
      this.inspector.showImpacts(notes);
    }
  }

  private playing(direction: number): void {
    this.onPlaying(direction);
    if (direction === 0) {
      this.note();
    }
  }

  private progress(report: ProgressReport): void {
    const first = this.report === null;
    this.report = report;
    this.plots.add(report.samples);
    this.dirty = true;
    if (report.state === "failed") {
      tell("run", `The run ends at ${report.time.toFixed(6)} s:\n${report.reason}`, true);
    }
    if (first || report.state !== "underway" || Math.random() < 0.3) {
      void this.measure(report);
    } else {
      this.line.update(report.time, false, null);
    }
    if (report.state !== "underway") {
      void this.trails();
      void this.trackSelected();
    }
  }

  private async measure(report: ProgressReport): Promise<void> {
    const parts = this.line.parts;
    const asked = this.session.ask<"densities">({ ask: "densities", from: 0, to: this.info?.end ?? 1, parts });
    const densities = await asked.catch(ignored);
    if (densities !== null && densities.length === parts * DENSITY.length) {
      this.line.update(report.time, report.state === "failed", densities);
    }
  }

  private async trackSelected(): Promise<void> {
    const body = this.picture.selected;
    if (body >= 0 && PLOTS[this.plots.choice].body) {
      const track = await this.session.ask<"track">({ ask: "track", body }).catch(ignored);
      if (track !== null && body === this.picture.selected) {
        this.plots.setTrack(track);
      }
    }
  }

  private async trails(): Promise<void> {
    const bodies = this.info?.bodies ?? [];
    const number = ++this.trailing;
    this.picture.overlays.clearTrails();
    for (let body = 0; body < bodies.length && this.picture.choices.has("trails"); body++) {
      if (bodies[body].kind === "free") {
        const track = await this.session.ask<"track">({ ask: "track", body }).catch(ignored);
        if (track === null || number !== this.trailing) {
          return;
        }
        this.picture.overlays.addTrail(body, track);
      }
    }
    this.picture.stage.invalidate();
  }

  private choose(names: string[] | null): void {
    for (const name of Object.keys(CHOICES) as Choice[]) {
      if (names !== null) {
        this.picture.choose(name, names.includes(name));
      }
      byId<HTMLInputElement>(`draw-${name}`).checked = this.picture.choices.has(name);
    }
  }

  private broken(message: string): void {
    const text = `The engine broke; please report this scene.\n${message}`;
    tell("broken", text, true, { name: "Start again", run: () => void this.open(this.place, false) });
  }

  private silent(silent: boolean): void {
    if (silent) {
      tell("silent", "The simulation has not answered for 2 s.", true, { name: "Stop it", run: () => this.stop() });
    } else {
      withdraw("silent");
    }
  }

  private changed(given: Given): void {
    this.given = given;
    const time = this.player.time;
    void this.open({ ...placeOf(given), time, camera: this.picture.stage.view(), show: [...this.picture.choices] }, this.player.direction > 0);
  }

  /** Writes the address soon. */
  private note(): void {
    clearTimeout(this.writing);
    this.writing = window.setTimeout(() => {
      const place = { ...this.place, time: this.player.time, camera: this.picture.stage.view(), show: [...this.picture.choices] };
      try {
        history.replaceState(null, "", address.write(place));
      } catch {
        // A page in a sandboxed frame has no address of its own.
      }
    }, 250);
  }

  /** Opens what the address says when somebody else has changed it. */
  private follow(hash: string): void {
    const place = address.read(hash);
    if (place.scene !== "") {
      void this.open(place, place.time === null);
    }
  }
}

const EMPTY: address.Place = { scene: "", params: {}, seed: 0, until: null, time: null, camera: null, show: null };

function placeOf(given: Given): address.Place {
  return { ...EMPTY, scene: given.scene, params: given.params, seed: given.seed, until: given.until };
}

function ignored(error: Error): null {
  if (!(error instanceof Stopped)) {
    tell("run", error.message, true);
  }
  return null;
}
