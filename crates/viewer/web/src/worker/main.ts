// The worker: runs the scene ahead in short slices, keeps keyframes, and answers between the slices.

import {
  FRAME, SAMPLE,
  type Answers, type Deed, type Envelope, type FrameData, type FromWorker, type OpenFailure, type Opened, type ProgressReport, type Question,
  type RunState, type SceneFiles, type SceneRequest, type Wants,
} from "../protocol";
import { Broken, Engine } from "./engine";

/** Computing between two looks at the messages, and between two keyframes, ms. */
const SLICE = 10;

/** Between two reports, ms. */
const REPORT = 60;

/** How long a hold may take to come to its time, ms: then it shows where it is. */
const HOLD = 40;

/** Memory for the keyframes of a ghost, bytes. */
const GHOST_MEMORY = 2 << 20;

const STATES: RunState[] = ["underway", "finished", "failed", "held"];

type MoreQuestion = Extract<Question, { ask: "recording" | "checkRecording" | "version" | "functions" | "part" }>;
type GhostQuestion = Extract<Question, { ask: `ghost${string}` }>;

class Worker {
  private engine: Engine | null = null;
  private state: RunState = "finished";
  private reason = "";
  private busy = 0;
  private batch = 32;
  private reported = 0;
  private samples = 0;
  private reached = { time: 0, events: 0 };
  private last = { busy: 0, time: 0, events: 0 };
  private waiting: { id: number; time: number; wants: Wants }[] = [];
  private ticking = false;
  /** Whether the page must forget the samples that it has. */
  private fresh = false;
  /** Ghosts that are yet to be computed. */
  private ghosts: number[] = [];
  private readonly channel = new MessageChannel();

  constructor(private readonly send: (message: FromWorker) => void) {
    this.channel.port1.onmessage = () => this.guarded(() => this.tick());
  }

  async hear({ id, question }: Envelope): Promise<void> {
    try {
      if (question.ask === "load") {
        this.engine = await Engine.load(question.module);
        this.send({ kind: "answer", id, answer: null });
        return;
      }
      if (question.ask === "go" && question.wait && this.state === "underway" && question.time > this.reached.time) {
        this.waiting.push({ id, time: question.time, wants: question.wants });
        return;
      }
      this.send({ kind: "answer", id, answer: this.answer(question) });
    } catch (error) {
      this.failed(error, id);
    }
  }

  private answer(question: Exclude<Question, { ask: "load" }>): Answers[Question["ask"]] {
    const engine = this.loaded();
    switch (question.ask) {
      case "scenes":
        return engine.scenes();
      case "open":
        return this.open(question.request, question.files);
      case "go":
        engine.go(question.time, question.wants.window);
        return this.frame(question.wants);
      case "event":
        engine.goToEvent(question.event, question.wants.window);
        return this.frame(question.wants);
      case "events":
        return this.stepEvents(question.by, question.wants);
      case "impact":
        return this.stepImpact(question.forward, question.micros, question.wants);
      case "track":
        return engine.numbersOf((wasm) => wasm.track(question.body));
      case "impactsOf":
        return engine.numbersOf((wasm) => wasm.impacts_of(question.body, question.most, Number(question.micros)));
      case "densities":
        return engine.numbersOf((wasm) => wasm.densities(question.from, question.to, question.parts));
      case "bounds":
        return engine.numbersOf((wasm) => wasm.bounds());
      case "hardest":
        return engine.numbersOf((wasm) => wasm.hardest());
      case "hash":
        return engine.hash();
      case "act":
        return this.act(question.deed, question.time, question.wants);
      case "hold":
        return this.hold(question.to, question.time, question.wants);
      default:
        return this.answerMore(question);
    }
  }

  private answerMore(question: MoreQuestion | GhostQuestion): Answers[Question["ask"]] {
    const engine = this.loaded();
    switch (question.ask) {
      case "recording":
        return engine.recording();
      case "checkRecording":
        engine.checkRecording(question.text);
        return null;
      case "version":
        return engine.version();
      case "functions":
        return engine.functions();
      case "part":
        return engine.part(question.name, question.content, question.scale, question.density);
      default:
        return this.answerGhost(question);
    }
  }

  private answerGhost(question: GhostQuestion): Answers[GhostQuestion["ask"]] {
    const engine = this.loaded();
    switch (question.ask) {
      case "ghostOpen":
        return this.openGhost(question.request, question.files);
      case "ghostClear":
        engine.clearGhosts();
        this.ghosts = [];
        return null;
      case "ghostSamples":
        return engine.numbersOf((wasm) => wasm.ghost_samples(question.ghost));
      case "ghostTrack":
        return engine.numbersOf((wasm) => wasm.ghost_track(question.ghost, question.body));
      case "ghostPoses":
        return engine.ghostPoses(question.ghost, question.time);
    }
  }

  private openGhost(request: SceneRequest, files: SceneFiles): Opened | { failure: OpenFailure } {
    const engine = this.loaded();
    const info = engine.openGhost({ ...request, memory: GHOST_MEMORY }, files);
    if ("failure" in info) {
      return info;
    }
    const number = engine.ghosts - 1;
    this.ghosts.push(number);
    this.wake();
    return { info, looks: Array.from({ length: info.looks }, (_, look) => engine.look(look, number)) };
  }

  /** Does something at a time, or as far as the run has come; the run goes on from there. */
  private act(deed: Deed, time: number, wants: Wants): Answers["act"] {
    const engine = this.loaded();
    engine.go(Math.min(time, this.reached.time), 0);
    const info = engine.act(deed);
    this.changed();
    engine.limit(deed.act === "grab" ? this.reached.time : Infinity);
    this.wake();
    const opened = info === null ? null : { info, looks: Array.from({ length: info.looks }, (_, look) => engine.look(look)) };
    return { frame: this.frame(wants), opened };
  }

  /** Pulls what is held, and lets the run come to a time. */
  private hold(to: [number, number, number], time: number, wants: Wants): FrameData {
    const engine = this.loaded();
    // Another question may have looked at an instant before.
    engine.go(this.reached.time, 0);
    engine.act({ act: "move", to });
    this.changed();
    engine.limit(time);
    const patience = performance.now() + HOLD;
    while (this.state === "underway" && performance.now() < patience) {
      this.slice();
    }
    engine.limit(this.reached.time);
    engine.go(this.reached.time, wants.window);
    return this.frame(wants);
  }

  /** The run was changed at the present instant. */
  private changed(): void {
    const frame = this.loaded().numbersOf((wasm) => wasm.frame());
    this.reached = { time: frame[FRAME.reached], events: frame[FRAME.reachedEvents] };
    this.last = { busy: this.busy, ...this.reached };
    Object.assign(this, { state: "underway", reason: "", samples: 0, fresh: true });
  }

  private open(request: SceneRequest, files: SceneFiles): Opened | { failure: OpenFailure } {
    const engine = this.loaded();
    const info = engine.open(request, files);
    if ("failure" in info) {
      return info;
    }
    this.waiting = [];
    Object.assign(this, { state: "underway", reason: "", busy: 0, batch: 32, reported: 0, samples: 0, fresh: true });
    this.ghosts = Array.from({ length: engine.ghosts }, (_, number) => number);
    this.reached = { time: 0, events: 0 };
    this.last = { busy: 0, time: 0, events: 0 };
    const looks = Array.from({ length: info.looks }, (_, number) => engine.look(number));
    this.wake();
    return { info, looks };
  }

  private stepEvents(by: number, wants: Wants): FrameData {
    const engine = this.loaded();
    const now = engine.numbersOf((wasm) => wasm.frame())[FRAME.events];
    this.runPast(now + by);
    engine.goToEvent(Math.max(0, now + by), wants.window);
    return this.frame(wants);
  }

  private stepImpact(forward: boolean, micros: boolean, wants: Wants): FrameData | null {
    const engine = this.loaded();
    let event = engine.impactBeside(forward, micros);
    const patience = performance.now() + 1000;
    while (event < 0 && forward && this.state === "underway" && performance.now() < patience) {
      this.slice();
      event = engine.impactBeside(forward, micros);
    }
    if (event < 0) {
      return null;
    }
    engine.goToEvent(event, wants.window);
    return this.frame(wants);
  }

  /** Runs until so many events are known, or the run ends. */
  private runPast(events: number): void {
    while (this.state === "underway" && this.reached.events < events) {
      this.slice();
    }
  }

  private frame(wants: Wants): FrameData {
    const engine = this.loaded();
    const none = new Float64Array();
    return {
      numbers: engine.numbersOf((wasm) => wasm.frame()),
      impacts: wants.window > 0 ? engine.numbersOf((wasm) => wasm.impacts(wants.window)) : none,
      contacts: wants.contacts ? engine.numbersOf((wasm) => wasm.contacts()) : none,
      closest: wants.closest ? engine.numbersOf((wasm) => wasm.closest()) : none,
      boxes: wants.boxes ? engine.numbersOf((wasm) => wasm.boxes()) : none,
      held: engine.numbersOf((wasm) => wasm.held()),
      ghosts: wants.ghosts ? this.ghostsNow() : [],
    };
  }

  /** The ghosts at the instant that is looked at. */
  private ghostsNow(): Float64Array[] {
    const engine = this.loaded();
    const time = engine.numbersOf((wasm) => wasm.frame())[FRAME.time];
    return Array.from({ length: engine.ghosts }, (_, ghost) => engine.ghostPoses(ghost, time));
  }

  private wake(): void {
    if (!this.ticking) {
      this.ticking = true;
      this.channel.port2.postMessage(null);
    }
  }

  private tick(): void {
    this.ticking = false;
    if (this.state === "underway") {
      this.slice();
      this.wake();
    } else if (this.ghosts.length > 0) {
      this.sliceGhost();
      this.wake();
    }
    const now = performance.now();
    if (now - this.reported > REPORT || (this.state !== "underway" && this.ghosts.length === 0)) {
      this.reported = now;
      this.send({ kind: "progress", report: this.report() });
    }
    const ready = this.waiting.filter(({ time }) => this.state !== "underway" || time <= this.reached.time);
    this.waiting = this.waiting.filter((one) => !ready.includes(one));
    for (const { id, time, wants } of ready) {
      this.send({ kind: "answer", id, answer: this.answer({ ask: "go", time, wait: false, wants }) });
    }
  }

  /** Runs ahead for a slice of time and keeps a keyframe. */
  private slice(): void {
    const engine = this.loaded();
    const begun = performance.now();
    let [now, code] = [begun, 0];
    while (code === 0 && now - begun < SLICE) {
      const before = now;
      code = engine.advance(this.batch);
      now = performance.now();
      // Batches of about a quarter of a slice.
      const factor = (0.25 * SLICE) / Math.max(now - before, 0.01);
      this.batch = Math.max(1, Math.min(100000, Math.round(this.batch * Math.min(2, Math.max(0.25, factor)))));
    }
    engine.keep();
    this.busy += performance.now() - begun;
    this.state = STATES[code];
    this.reason = code === 2 ? engine.text() : "";
    const frame = engine.numbersOf((wasm) => wasm.frame());
    this.reached = { time: frame[FRAME.reached], events: frame[FRAME.reachedEvents] };
  }

  /** Computes a part of a ghost. */
  private sliceGhost(): void {
    const engine = this.loaded();
    const begun = performance.now();
    const [ghost] = this.ghosts;
    let code = 0;
    while (code === 0 && performance.now() - begun < SLICE) {
      code = engine.advanceGhost(ghost, 200);
    }
    if (code !== 0) {
      this.ghosts.shift();
    }
  }

  private report(): ProgressReport {
    const engine = this.loaded();
    const samples = engine.numbersOf((wasm) => wasm.samples(this.samples));
    this.samples += samples.length / SAMPLE.length;
    const { time, events } = this.reached;
    // The rate of the last half second, or of the whole run if it was shorter.
    const seconds = Math.max((this.busy - this.last.busy) / 1000, 1e-6);
    const rate = { events: (events - this.last.events) / seconds, time: (time - this.last.time) / seconds };
    if (seconds > 0.5) {
      this.last = { busy: this.busy, time, events };
    }
    const [fresh, all] = [this.fresh, engine.ghosts];
    this.fresh = false;
    return {
      fresh, ghosts: [all - this.ghosts.length, all], time, events, state: this.state, reason: this.reason, busy: this.busy, memory: engine.memory, samples,
      eventsPerSecond: rate.events, timesRealTime: rate.time,
    };
  }

  private guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.failed(error, null);
    }
  }

  private failed(error: unknown, id: number | null): void {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof Broken || id === null) {
      this.state = "finished";
      this.send({ kind: "broken", message });
    } else {
      this.send({ kind: "refused", id, message });
    }
  }

  private loaded(): Engine {
    if (this.engine === null) {
      throw new Error("the engine is not loaded yet");
    }
    return this.engine;
  }
}

const scope = self as unknown as { postMessage(message: FromWorker): void; onmessage: ((event: MessageEvent<Envelope>) => void) | null };
const worker = new Worker((message) => scope.postMessage(message));
scope.onmessage = (event) => void worker.hear(event.data);
