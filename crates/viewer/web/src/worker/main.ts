// The worker: runs the scene ahead in short slices, keeps keyframes, and answers between the slices.

import {
  FRAME, SAMPLE,
  type Answers, type Envelope, type FrameData, type FromWorker, type OpenFailure, type Opened, type ProgressReport, type Question,
  type RunState, type SceneFiles, type SceneRequest, type Wants,
} from "../protocol";
import { Broken, Engine } from "./engine";

/** Computing between two looks at the messages, and between two keyframes, ms. */
const SLICE = 10;

/** Between two reports, ms. */
const REPORT = 60;

const STATES: RunState[] = ["underway", "finished", "failed"];

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
      case "hash":
        return engine.hash();
    }
  }

  private open(request: SceneRequest, files: SceneFiles): Opened | { failure: OpenFailure } {
    const engine = this.loaded();
    const info = engine.open(request, files);
    if ("failure" in info) {
      return info;
    }
    this.waiting = [];
    Object.assign(this, { state: "underway", reason: "", busy: 0, batch: 32, reported: 0, samples: 0 });
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
    };
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
    }
    const now = performance.now();
    if (now - this.reported > REPORT || this.state !== "underway") {
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
    return {
      time, events, state: this.state, reason: this.reason, busy: this.busy, memory: engine.memory, samples,
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
