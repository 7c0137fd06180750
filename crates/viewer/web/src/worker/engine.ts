// The module's functions with types: texts and numbers are read from its memory, where each call leaves them.

import type { Deed, FunctionInfo, LookData, OpenFailure, PartStudy, SceneEntry, SceneFiles, SceneInfo, SceneRequest } from "../protocol";

interface Exports {
  memory: WebAssembly.Memory;
  input(length: number): number;
  text_address(): number;
  text_length(): number;
  numbers_address(): number;
  numbers_length(): number;
  panic_address(): number;
  panic_length(): number;
  scenes(): void;
  clear_files(): void;
  add_file(pathLength: number): void;
  open(): number;
  look(number: number): void;
  advance(events: number): number;
  keep(): void;
  go(time: number, window: number): number;
  go_to_event(event: number, window: number): number;
  impact_beside(forward: number, micros: number): number;
  frame(): void;
  impacts(window: number): void;
  contacts(): void;
  closest(): void;
  boxes(): void;
  samples(from: number): void;
  track(body: number): void;
  impacts_of(body: number, most: number, micros: number): void;
  densities(from: number, to: number, parts: number): void;
  hardest(): void;
  bounds(): void;
  hash(): void;
  act(): number;
  limit(time: number): void;
  held(): void;
  recording(): number;
  check_recording(): number;
  version(): void;
  functions(): void;
  ghost_open(): number;
  ghost_count(): number;
  ghost_clear(): void;
  ghost_advance(ghost: number, events: number): number;
  ghost_poses(ghost: number, time: number): number;
  ghost_samples(ghost: number): void;
  ghost_track(ghost: number, body: number): void;
  ghost_look(ghost: number, look: number): void;
  part(nameLength: number, scale: number, density: number): number;
}

/** The engine broke: the module cannot be used any more. */
export class Broken extends Error {}

export class Engine {
  private constructor(private readonly wasm: Exports) {}

  static async load(module: WebAssembly.Module): Promise<Engine> {
    const instance = await WebAssembly.instantiate(module, {});
    return new Engine(instance.exports as unknown as Exports);
  }

  /** Bytes of the module's memory. */
  get memory(): number {
    return this.wasm.memory.buffer.byteLength;
  }

  scenes(): SceneEntry[] {
    this.run(() => this.wasm.scenes());
    return JSON.parse(this.text()) as SceneEntry[];
  }

  open(request: SceneRequest, files: SceneFiles): SceneInfo | { failure: OpenFailure } {
    return this.opened(request, files, (wasm) => wasm.open());
  }

  /** Opens a scene as one more ghost. */
  openGhost(request: SceneRequest, files: SceneFiles): SceneInfo | { failure: OpenFailure } {
    return this.opened(request, files, (wasm) => wasm.ghost_open());
  }

  /** Does something now; the scene if bodies have come. */
  act(deed: Deed): SceneInfo | null {
    this.say(JSON.stringify(deed));
    const done = this.run(() => this.wasm.act());
    this.told(done === 1 ? 1 : 0);
    return done === 2 ? (JSON.parse(this.text()) as SceneInfo) : null;
  }

  /** The run goes no farther than a time. */
  limit(time: number): void {
    this.run(() => this.wasm.limit(time));
  }

  recording(): string {
    this.told(this.run(() => this.wasm.recording()));
    return this.text();
  }

  checkRecording(text: string): void {
    this.say(text);
    this.told(this.run(() => this.wasm.check_recording()));
  }

  version(): string {
    this.run(() => this.wasm.version());
    return this.text();
  }

  functions(): FunctionInfo[] {
    this.run(() => this.wasm.functions());
    return JSON.parse(this.text()) as FunctionInfo[];
  }

  get ghosts(): number {
    return this.run(() => this.wasm.ghost_count());
  }

  clearGhosts(): void {
    this.run(() => this.wasm.ghost_clear());
  }

  advanceGhost(ghost: number, events: number): number {
    return this.run(() => this.wasm.ghost_advance(ghost, events));
  }

  ghostPoses(ghost: number, time: number): Float64Array {
    this.told(this.run(() => this.wasm.ghost_poses(ghost, time)));
    return this.numbers();
  }

  part(name: string, content: Uint8Array, scale: number, density: number): PartStudy {
    const length = this.giveNamed(name, content);
    this.told(this.run(() => this.wasm.part(length, scale, density)));
    return JSON.parse(this.text()) as PartStudy;
  }

  /** A look of the scene, or of a ghost. */
  look(number: number, ghost = -1): LookData {
    const numbers = this.numbersOf((wasm) => (ghost < 0 ? wasm.look(number) : wasm.ghost_look(ghost, number)));
    const [positions, triangles] = [3 * numbers[0], 3 * numbers[1]];
    return {
      positions: Float32Array.from(numbers.subarray(2, 2 + positions)),
      normals: Float32Array.from(numbers.subarray(2 + positions, 2 + 2 * positions)),
      indices: Uint32Array.from(numbers.subarray(2 + 2 * positions, 2 + 2 * positions + triangles)),
    };
  }

  /** 0 underway, 1 finished, 2 failed. */
  advance(events: number): number {
    return this.run(() => this.wasm.advance(events));
  }

  keep(): void {
    this.run(() => this.wasm.keep());
  }

  go(time: number, window: number): void {
    this.told(this.run(() => this.wasm.go(time, window)));
  }

  goToEvent(event: number, window: number): void {
    this.told(this.run(() => this.wasm.go_to_event(event, window)));
  }

  /** The event of the impact beside the present one, -1 if none is known. */
  impactBeside(forward: boolean, micros: boolean): number {
    return this.run(() => this.wasm.impact_beside(Number(forward), Number(micros)));
  }

  /** A copy of the numbers that a call leaves. */
  numbersOf(call: (wasm: Exports) => void): Float64Array {
    this.run(() => call(this.wasm));
    return this.numbers();
  }

  /** A copy of the numbers that the last call left. */
  private numbers(): Float64Array {
    const [address, length] = [this.wasm.numbers_address(), this.wasm.numbers_length()];
    return new Float64Array(this.wasm.memory.buffer, address, length).slice();
  }

  hash(): string {
    this.run(() => this.wasm.hash());
    return this.text();
  }

  /** The text that the last call left. */
  text(): string {
    return this.decode(this.wasm.text_address(), this.wasm.text_length());
  }

  private opened(request: SceneRequest, files: SceneFiles, call: (wasm: Exports) => number): SceneInfo | { failure: OpenFailure } {
    this.run(() => this.wasm.clear_files());
    for (const [path, content] of files) {
      const length = this.giveNamed(path, content);
      this.run(() => this.wasm.add_file(length));
    }
    this.say(JSON.stringify(request));
    const failed = this.run(() => call(this.wasm)) !== 0;
    const answer: unknown = JSON.parse(this.text());
    return failed ? { failure: answer as OpenFailure } : (answer as SceneInfo);
  }

  /** Gives a file with its name; the length of the name. */
  private giveNamed(path: string, content: Uint8Array): number {
    const name = new TextEncoder().encode(path);
    const bytes = new Uint8Array(name.length + content.length);
    bytes.set(name);
    bytes.set(content, name.length);
    this.give(bytes);
    return name.length;
  }

  private say(text: string): void {
    this.give(new TextEncoder().encode(text));
  }

  private give(bytes: Uint8Array): void {
    const address = this.run(() => this.wasm.input(bytes.length));
    new Uint8Array(this.wasm.memory.buffer).set(bytes, address);
  }

  private told(failed: number): void {
    if (failed !== 0) {
      throw new Error(this.text());
    }
  }

  private decode(address: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.wasm.memory.buffer, address, length));
  }

  private run<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      const message = this.decode(this.wasm.panic_address(), this.wasm.panic_length());
      throw new Broken(message === "" ? String(error) : message);
    }
  }
}
