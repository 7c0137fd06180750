// The page as a whole: opens scenes, connects the playhead with the picture and the panels.

import type { Box3, Vector3 } from "three";
import { engineModule, startWorker } from "./assets";
import { Player } from "./player";
import { pack, unpack, type Bundle } from "./bundle";
import {
  DENSITY, FRAME, NOTE, type Act, type Deed, type FrameData, type OpenFailure, type Opened, type ProgressReport, type SceneInfo, type Wants,
} from "./protocol";
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
  /** What is open: the scene with its looks, where it comes from, and its own files. */
  opened: Opened | null = null;
  place: address.Place = EMPTY;
  bundle: Bundle | null = null;
  /** Told when a scene is open, cannot be opened, and whenever the run has come farther. */
  onOpened: () => void = () => undefined;
  onFailed: (failure: OpenFailure) => void = () => undefined;
  onProgress: (report: ProgressReport) => void = () => undefined;
  /** Told for every picture. */
  onTick: (now: number) => void = () => undefined;
  /** Told whenever the state of playing changes. */
  onPlaying: (direction: number) => void = () => undefined;
  private readonly line = new TimeLine((time) => this.seek(time));
  private readonly inspector = new Inspector((body) => this.select(body), (event) => void this.player.goToEvent(event));
  readonly gallery = new Gallery((scene) => void this.open({ ...EMPTY, scene }, true));
  private given: Given | null = null;
  private openings = 0;
  private dirty = false;
  private writing = 0;
  private listed = 0;
  private trailing = 0;
  private plotting = 0;

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
    const scene = place.scene !== "" || place.code !== null ? place.scene : (this.given?.scene ?? "bowling");
    await this.open({ ...(this.given !== null && place.scene === "" && place.code === null ? placeOf(this.given) : place), scene }, place.time === null);
    requestAnimationFrame((now) => this.tick(now));
  }

  /** Opens a scene at the time and with the camera of a place; returns whether it can be run. */
  async open(place: address.Place, play: boolean, { ghost = "none", acts = [] }: Opening = {}): Promise<boolean> {
    const number = ++this.openings;
    clearTimeout(this.writing);
    const bundle = await this.bundleOf(place);
    if (bundle instanceof Error) {
      tell("open", bundle.message, true);
      return false;
    }
    const request = {
      scene: bundle?.main ?? place.scene, from_files: bundle !== null, params: place.params, seed: place.seed, acts, ghost,
      ...(place.until === null ? {} : { until: place.until }),
    };
    withdrawAll();
    const files = bundle?.files ?? [];
    const opened = await this.session.ask<"open">({ ask: "open", request, files }).catch((error: Error) => error);
    if (number !== this.openings || opened instanceof Error) {
      return false;
    }
    if ("failure" in opened) {
      tell("open", opened.failure.message, true);
      this.onFailed(opened.failure);
      return false;
    }
    this.showGhost(ghost);
    [this.place, this.info, this.opened, this.bundle] = [place, opened.info, opened, bundle];
    this.reset(opened.info);
    this.onOpened();
    opened.info.warnings.forEach((warning, k) => tell(`warning ${k}`, `warning: ${warning}`, false));
    const { bounds, middle } = extentOf(await this.foreseen(place.camera === null));
    if (number !== this.openings) {
      return false;
    }
    this.picture.open(opened, bounds);
    this.choose(place.show);
    this.look(place, bounds, middle);
    await this.player.reach(place.time ?? 0);
    this.note();
    if (play && number === this.openings) {
      this.player.play(1);
    }
    return true;
  }

  private look(place: address.Place, bounds: Box3, middle: Vector3): void {
    if (place.camera === null) {
      this.picture.stage.lookFirst(bounds, middle);
    } else {
      this.picture.stage.setView(place.camera);
    }
  }

  /** Does something by hand at an instant, the one that is shown if nothing is said, at most as far as the run has come; whether it can be done. */
  async act(deed: Deed, time = this.player.time): Promise<boolean> {
    const done = await this.session.ask<"act">({ ask: "act", deed, time, wants: this.wants() }).catch((error: Error) => error);
    if (done instanceof Error) {
      if (!(done instanceof Stopped)) {
        tell("act", done.message, true);
      }
      return false;
    }
    if (done.opened !== null) {
      [this.info, this.opened] = [done.opened.info, done.opened];
      this.picture.renew(done.opened);
      this.inspector.open(done.opened.info.bodies);
    }
    this.player.accept(done.frame);
    return true;
  }

  /** Opens a script with its files. */
  async openBundle(bundle: Bundle, play: boolean, opening: Opening = {}, place: Partial<address.Place> = {}): Promise<boolean> {
    const scene = bundle.main.replace(/\.rhai$/, "");
    return this.open({ ...EMPTY, ...place, scene, code: await pack(bundle) }, play, opening);
  }

  /** The script of the scene that is open, and its name. */
  script(): { name: string; text: string } {
    const main = this.bundle?.files.find(([path]) => path === this.bundle?.main);
    const text = main === undefined ? this.gallery.script(this.place.scene) : new TextDecoder().decode(main[1]);
    return { name: this.bundle?.main ?? `${this.place.scene}.rhai`, text };
  }

  /** The address of what is shown now. */
  here(): address.Place {
    return { ...this.place, time: this.player.time, camera: this.picture.stage.view(), show: [...this.picture.choices] };
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

  /** Goes to the hardest collision that is known, and says which it is. */
  async goToHardest(): Promise<void> {
    const note = await this.session.ask<"hardest">({ ask: "hardest" }).catch(ignored);
    if (note === null || note.length === 0) {
      tell("step", "There is no collision yet.", false);
      return;
    }
    this.inspector.showHardest(note);
    await this.player.goToEvent(note[NOTE.event]);
    tell("step", byId("hardest").textContent, false);
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

  wants(): Wants {
    const has = (name: Choice) => this.picture.choices.has(name);
    const impulses = has("collisions") || has("micros");
    const contacts = has("forces") || has("cones");
    const ghosts = this.picture.ghosts.count > 0;
    return { window: impulses ? this.window : 0, contacts, closest: has("closest"), boxes: has("boxes"), ghosts };
  }

  /** The files of a place: packed in its address, or given by the command; an error if they cannot be read. */
  private async bundleOf(place: address.Place): Promise<Bundle | Error | null> {
    if (place.code !== null) {
      return unpack(place.code).catch((error: Error) => error);
    }
    const given = this.given !== null && place.scene === this.given.scene && this.given.from_files ? this.given : null;
    return given === null ? null : { main: given.scene, files: given.files };
  }

  /** Draws the run before as a ghost, if it stays. */
  private showGhost(ghost: Opening["ghost"]): void {
    if (ghost !== "keep") {
      this.picture.ghosts.clear();
    }
    if (ghost === "last" && this.opened !== null) {
      this.picture.ghosts.add(this.opened, 0.32);
    }
  }

  /** Other runs in the plots, as soon as they are computed. */
  async plotGhosts(): Promise<void> {
    const found = [];
    const number = ++this.plotting;
    const body = this.picture.selected;
    for (let ghost = 0; ghost < this.picture.ghosts.count; ghost++) {
      const samples = await this.session.ask<"ghostSamples">({ ask: "ghostSamples", ghost }).catch(ignored);
      const track = body < 0 ? null : await this.session.ask<"ghostTrack">({ ask: "ghostTrack", ghost, body }).catch(ignored);
      if (number !== this.plotting) {
        return;
      }
      found.push({ samples: samples ?? [], track: track ?? new Float64Array() });
    }
    this.plots.setGhosts(found);
    this.player.refresh();
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
  private async foreseen(wait: boolean): Promise<Float64Array> {
    const until = performance.now() + (wait ? FORESIGHT : 0);
    while ((this.report === null || this.report.state === "underway") && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    return this.session.ask<"bounds">({ ask: "bounds" });
  }

  private tick(now: number): void {
    this.player.tick(now);
    this.onTick(now);
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
    this.plots.add(report.samples, report.fresh);
    this.dirty = true;
    if (report.state === "failed") {
      tell("run", `The run ends at ${report.time.toFixed(6)} s:\n${report.reason}`, true);
    }
    if (first || report.state !== "underway" || Math.random() < 0.3) {
      void this.measure(report);
    } else {
      this.line.update(report.time, false, null);
    }
    if (report.state !== "underway" && report.state !== "held") {
      void this.trails();
      void this.trackSelected();
      void this.session.ask<"hardest">({ ask: "hardest" }).then((note) => this.inspector.showHardest(note)).catch(ignored);
      if (report.ghosts[1] > 0 && report.ghosts[0] === report.ghosts[1]) {
        void this.plotGhosts();
      }
    }
    this.onProgress(report);
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
      try {
        history.replaceState(null, "", address.write(this.here()));
      } catch {
        // A page in a sandboxed frame has no address of its own.
      }
    }, 250);
  }

  /** Opens what the address says when somebody else has changed it. */
  private follow(hash: string): void {
    const place = address.read(hash);
    if (place.scene !== "" || place.code !== null) {
      void this.open(place, place.time === null);
    }
  }
}

/** How a scene is opened. */
export interface Opening {
  ghost?: "none" | "last" | "keep";
  acts?: Act[];
}

export const EMPTY: address.Place = { scene: "", code: null, params: {}, seed: 0, until: null, time: null, camera: null, show: null };

function placeOf(given: Given): address.Place {
  return { ...EMPTY, scene: given.scene, params: given.params, seed: given.seed, until: given.until };
}

function ignored(error: Error): null {
  if (!(error instanceof Stopped)) {
    tell("run", error.message, true);
  }
  return null;
}
