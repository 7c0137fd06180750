// The module's functions with types: texts and numbers are read from its memory, where each call leaves them.

import type { LookData, OpenFailure, SceneEntry, SceneFiles, SceneInfo, SceneRequest } from "../protocol";

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
  bounds(): void;
  hash(): void;
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
    this.run(() => this.wasm.clear_files());
    for (const [path, content] of files) {
      const name = new TextEncoder().encode(path);
      const bytes = new Uint8Array(name.length + content.length);
      bytes.set(name);
      bytes.set(content, name.length);
      this.give(bytes);
      this.run(() => this.wasm.add_file(name.length));
    }
    this.give(new TextEncoder().encode(JSON.stringify(request)));
    const failed = this.run(() => this.wasm.open()) !== 0;
    const answer: unknown = JSON.parse(this.text());
    return failed ? { failure: answer as OpenFailure } : (answer as SceneInfo);
  }

  look(number: number): LookData {
    const numbers = this.numbersOf((wasm) => wasm.look(number));
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
