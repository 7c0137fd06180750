// The page's side of the worker: questions with answers, reports, and a worker that can be stopped and started anew.

import type { Answers, Envelope, FromWorker, ProgressReport, Question } from "./protocol";

type Asked<K extends Question["ask"]> = Extract<Question, { ask: K }>;

/** After so long without an answer the page offers to stop the worker, ms. */
export const PATIENCE = 2000;

export interface Listener {
  progress(report: ProgressReport): void;
  /** The engine broke; the next question starts a new one. */
  broken(message: string): void;
  /** Whether the worker has not answered for too long. */
  silent(since: boolean): void;
}

/** Questions that need no scene. */
const WITHOUT_SCENE = new Set<Question["ask"]>(["open", "scenes", "functions", "part", "checkRecording", "version"]);

/** The engine was stopped or broke before it answered. */
export class Stopped extends Error {}

interface Pending {
  since: number;
  patient: boolean;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export class Session {
  private worker: Worker | null = null;
  private loading: Promise<null> | null = null;
  private next = 0;
  private readonly pending = new Map<number, Pending>();
  private silent = false;
  private readonly watching: number;
  /** Whether the worker has a scene. */
  private open = false;

  constructor(
    private readonly start: () => Worker,
    private readonly module: () => Promise<WebAssembly.Module>,
    private readonly listener: Listener,
  ) {
    this.watching = window.setInterval(() => this.watch(), 250);
  }

  async ask<K extends Question["ask"]>(question: Asked<K>): Promise<Answers[K]> {
    if (!this.open && !WITHOUT_SCENE.has(question.ask)) {
      throw new Stopped("no scene is open");
    }
    await this.loaded();
    const answer = await this.post(question);
    this.open ||= question.ask === "open" && !("failure" in (answer as Answers["open"]));
    return answer;
  }

  /** Ends the worker, whatever it does. */
  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.loading = null;
    this.open = false;
    const left = [...this.pending.values()];
    this.pending.clear();
    left.forEach((one) => one.reject(new Stopped("the simulation was stopped")));
    this.watch();
  }

  /** Ends the worker for good. */
  end(): void {
    this.stop();
    clearInterval(this.watching);
  }

  private loaded(): Promise<null> {
    if (this.worker === null || this.loading === null) {
      this.worker = this.start();
      this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.hear(event.data);
      this.worker.onerror = (event) => this.broke(event.message);
      this.loading = this.module().then((module) => this.post<"load">({ ask: "load", module }));
    }
    return this.loading;
  }

  private post<K extends Question["ask"]>(question: Asked<K>): Promise<Answers[K]> {
    const id = this.next++;
    // A question that waits for the run to come so far may take long; the slices in between show that it is alive.
    const patient = ("wait" in question && question.wait === true) || question.ask === "part";
    return new Promise((resolve, reject) => {
      this.pending.set(id, { since: performance.now(), patient, resolve: (answer) => resolve(answer as Answers[K]), reject });
      this.worker?.postMessage({ id, question } satisfies Envelope);
    });
  }

  private hear(message: FromWorker): void {
    switch (message.kind) {
      case "progress":
        this.listener.progress(message.report);
        break;
      case "broken":
        this.broke(message.message);
        break;
      case "answer":
        this.take(message.id)?.resolve(message.answer);
        break;
      case "refused":
        this.take(message.id)?.reject(new Error(message.message));
        break;
    }
    this.watch();
  }

  private take(id: number): Pending | undefined {
    const found = this.pending.get(id);
    this.pending.delete(id);
    return found;
  }

  private broke(message: string): void {
    this.stop();
    this.listener.broken(message);
  }

  private watch(): void {
    const now = performance.now();
    const silent = [...this.pending.values()].some((one) => !one.patient && now - one.since > PATIENCE);
    if (silent !== this.silent) {
      this.silent = silent;
      this.listener.silent(silent);
    }
  }
}
