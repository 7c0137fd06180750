// The playhead: asks the worker for one frame at a time and always for the latest wish, forwards, backwards, or by steps.

import { FRAME, type FrameData, type Wants } from "./protocol";
import { Stopped, type Session } from "./session";

/** Speeds in real time. */
export const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export interface PlayerListener {
  shown(frame: FrameData): void;
  playing(direction: number): void;
  failed(error: Error): void;
}

export class Player {
  /** 1 forwards, -1 backwards, 0 paused. */
  direction = 0;
  speed = 1;
  /** The instant shown, s. */
  time = 0;
  private end = 0;
  private wished: number | null = null;
  private asking = false;
  private last = 0;
  private run = 0;

  constructor(
    private readonly session: Session,
    private readonly wants: () => Wants,
    private readonly listener: PlayerListener,
  ) {}

  /** A new run of some length, s. */
  open(end: number): void {
    this.run++;
    Object.assign(this, { end, time: 0, wished: null, asking: false });
    this.play(0);
  }

  play(direction: number): void {
    const atEnd = direction > 0 && this.time >= this.end;
    if (atEnd) {
      this.time = 0;
    }
    this.direction = direction;
    this.last = performance.now();
    this.listener.playing(direction);
  }

  /** Goes to a time as soon as the worker is free. */
  seek(time: number): void {
    this.wished = Math.max(0, Math.min(this.end, time));
    void this.serve(false);
  }

  /** Goes to a time, however long the run needs to get there. */
  async reach(time: number): Promise<void> {
    await this.take(this.session.ask({ ask: "go", time, wait: true, wants: this.wants() }));
  }

  async stepEvents(by: number): Promise<void> {
    this.play(0);
    await this.take(this.session.ask({ ask: "events", by, wants: this.wants() }));
  }

  /** Returns whether there is one. */
  async stepImpact(forward: boolean, micros: boolean): Promise<boolean> {
    this.play(0);
    return this.take(this.session.ask({ ask: "impact", forward, micros, wants: this.wants() }));
  }

  async goToEvent(event: number): Promise<void> {
    this.play(0);
    await this.take(this.session.ask({ ask: "event", event, wants: this.wants() }));
  }

  /** Shows a frame that came by another way. */
  accept(frame: FrameData): void {
    this.run++;
    [this.wished, this.asking] = [null, false];
    this.time = frame.numbers[FRAME.time];
    this.listener.shown(frame);
  }

  /** The same instant once more, with what is wanted now. */
  refresh(): void {
    this.wished ??= this.time;
    void this.serve(false);
  }

  /** Called for every picture: moves the playhead on. */
  tick(now: number): void {
    // A picture's own time may lie before the press that began to play.
    const passed = Math.max(0, Math.min(now - this.last, 100)) / 1000;
    this.last = now;
    if (this.direction === 0 || this.asking) {
      return;
    }
    const time = this.time + this.direction * this.speed * passed;
    this.wished = Math.max(0, Math.min(this.end, time));
    void this.serve(true);
  }

  private async serve(playing: boolean): Promise<void> {
    if (this.asking) {
      return;
    }
    if (this.wished !== null) {
      const time = this.wished;
      this.wished = null;
      await this.take(this.session.ask({ ask: "go", time, wait: false, wants: this.wants() }));
    }
    const over = this.direction > 0 ? this.time >= this.end : this.time <= 0;
    if (playing && this.direction !== 0 && over) {
      this.play(0);
    }
  }

  private async take(asked: Promise<FrameData | null>): Promise<boolean> {
    const run = this.run;
    this.asking = true;
    try {
      const frame = await asked;
      if (frame !== null && run === this.run) {
        this.time = frame.numbers[FRAME.time];
        this.listener.shown(frame);
      }
      return frame !== null;
    } catch (error) {
      this.direction = 0;
      if (!(error instanceof Stopped)) {
        this.listener.failed(error as Error);
      }
      return false;
    } finally {
      if (run === this.run) {
        this.asking = false;
        // What was wished meanwhile.
        void this.serve(false);
      }
    }
  }
}
