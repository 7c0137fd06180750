// What page and worker say to each other, and the layout of the numbers that cross: see crates/viewer/src/views.rs.

/** A scene to be run, as `Request` in crates/viewer/src/request.rs. */
export interface SceneRequest {
  scene: string;
  from_files: boolean;
  params: Record<string, string>;
  seed: number;
  until?: number;
  memory?: number;
  acts?: Act[];
  /** Whether the run before stays as a ghost, or the ghosts that there are. */
  ghost?: "none" | "last" | "keep";
}

type Vector = [number, number, number];

/** What can be done to a scene by hand, as `Deed` in crates/scenes/src/acts. */
export type Deed =
  | { act: "grab"; body: string; at: Vector; to: Vector }
  | { act: "move"; to: Vector }
  | { act: "release" }
  | { act: "push"; body: string; at: Vector; impulse: Vector }
  | { act: "gravity"; to: Vector }
  | { act: "remove"; body: string }
  | { act: "add"; body: string; shape: { ball: number } | { box: Vector } | { like: string }; at: Vector; velocity: Vector };

/** Something done at a time, s. */
export type Act = Deed & { t: number };

/** As `Recording` in crates/scenes/src/acts/recording.rs. */
export interface Recording {
  version: string;
  scene: string;
  files?: Record<string, string>;
  params: Record<string, string>;
  seed: number;
  until: number;
  acts: Act[];
  hash: string;
}

/** A function of scene scripts. */
export interface FunctionInfo {
  name: string;
  usage: string;
  text: string;
  example: string;
}

/** What is known of a part file. */
export interface PartStudy {
  weight: {
    volume: number; mass: number; com: Vector; inertia: [Vector, Vector, Vector]; convex: boolean; faces: number; notes: string[];
    bounding_box: [Vector, Vector];
  };
  poses: { down: Vector; probability: number; barrier: number | null; height: number }[];
  radius: number;
  positions: number[];
  triangles: number[];
}

/** Files that a scene may read, by path. */
export type SceneFiles = [string, Uint8Array][];

export interface BodyInfo {
  name: string;
  kind: "free" | "fixed" | "scripted";
  mass: number | null;
  color: [number, number, number];
  look: number;
  ball: boolean;
  bounded: boolean;
  /** Whether it is a plane that faces up, more or less. */
  level: boolean;
  radius: number | null;
  friction: number;
  restitution: number;
}

export interface ParamInfo {
  name: string;
  kind: "integer" | "number" | "flag" | "text";
  default: string;
  value: string;
  min: number | null;
  max: number | null;
  unit: string | null;
  about: string | null;
}

export interface SceneInfo {
  duration: number;
  end: number;
  gravity: [number, number, number];
  size: number;
  params: ParamInfo[];
  bodies: BodyInfo[];
  looks: number;
  warnings: string[];
  log: string[];
  /** How many acts are part of the run. */
  acts: number;
}

export interface OpenFailure {
  message: string;
  file: string | null;
  line: number | null;
  column: number | null;
}

/** Triangles of a shape. */
export interface LookData {
  positions: Float32Array;
  normals: Float32Array;
  indices: Uint32Array;
}

/** What a frame should hold besides the bodies. */
export interface Wants {
  /** Length of the window of impacts, s. */
  window: number;
  contacts: boolean;
  closest: boolean;
  boxes: boolean;
  ghosts: boolean;
}

/** An instant of the run: arrays as in crates/viewer/src/views.rs. */
export interface FrameData {
  numbers: Float64Array;
  impacts: Float64Array;
  contacts: Float64Array;
  closest: Float64Array;
  boxes: Float64Array;
  /** The point that is held and where it is pulled; empty if none is. */
  held: Float64Array;
  /** Where the bodies of each ghost are: rows of GHOST.length. */
  ghosts: Float64Array[];
}

/** How far the run has come. */
export interface ProgressReport {
  time: number;
  events: number;
  state: RunState;
  reason: string;
  /** Events per second of computing, and simulated seconds per second of it. */
  eventsPerSecond: number;
  timesRealTime: number;
  /** Milliseconds of computing so far. */
  busy: number;
  /** Memory of the module, bytes. */
  memory: number;
  /** Samples since the last report: rows of SAMPLE_NUMBERS. */
  samples: Float64Array;
  /** Whether the samples are all there are, since the run was changed. */
  fresh: boolean;
  /** How many of the other runs are computed, and of how many. */
  ghosts: [number, number];
}

export type RunState = "underway" | "finished" | "failed" | "held";

/** What the page asks; every question has one answer. */
export type Question =
  | { ask: "load"; module: WebAssembly.Module }
  | { ask: "scenes" }
  | { ask: "open"; request: SceneRequest; files: SceneFiles }
  | { ask: "go"; time: number; wait: boolean; wants: Wants }
  | { ask: "event"; event: number; wants: Wants }
  | { ask: "events"; by: number; wants: Wants }
  | { ask: "impact"; forward: boolean; micros: boolean; wants: Wants }
  | { ask: "track"; body: number }
  | { ask: "impactsOf"; body: number; most: number; micros: boolean }
  | { ask: "densities"; from: number; to: number; parts: number }
  | { ask: "bounds" }
  | { ask: "hardest" }
  | { ask: "hash" }
  | { ask: "act"; deed: Deed; time: number; wants: Wants }
  | { ask: "hold"; to: Vector; time: number; wants: Wants }
  | { ask: "recording" }
  | { ask: "checkRecording"; text: string }
  | { ask: "version" }
  | { ask: "functions" }
  | { ask: "ghostOpen"; request: SceneRequest; files: SceneFiles }
  | { ask: "ghostClear" }
  | { ask: "ghostSamples"; ghost: number }
  | { ask: "ghostTrack"; ghost: number; body: number }
  | { ask: "ghostPoses"; ghost: number; time: number }
  | { ask: "part"; name: string; content: Uint8Array; scale: number; density: number };

export interface Opened {
  info: SceneInfo;
  looks: LookData[];
}

export interface SceneEntry {
  name: string;
  section: string;
  description: string;
  /** Its script. */
  text: string;
}

/** The answer to each question. */
export interface Answers {
  load: null;
  scenes: SceneEntry[];
  open: Opened | { failure: OpenFailure };
  go: FrameData;
  event: FrameData;
  events: FrameData;
  impact: FrameData | null;
  track: Float64Array;
  impactsOf: Float64Array;
  densities: Float64Array;
  bounds: Float64Array;
  hardest: Float64Array;
  hash: string;
  act: { frame: FrameData; opened: Opened | null };
  hold: FrameData;
  recording: string;
  checkRecording: null;
  version: string;
  functions: FunctionInfo[];
  ghostOpen: Opened | { failure: OpenFailure };
  ghostClear: null;
  ghostSamples: Float64Array;
  ghostTrack: Float64Array;
  ghostPoses: Float64Array;
  part: PartStudy;
}

export interface Envelope {
  id: number;
  question: Question;
}

export type FromWorker =
  | { kind: "answer"; id: number; answer: unknown }
  | { kind: "refused"; id: number; message: string }
  | { kind: "progress"; report: ProgressReport }
  | { kind: "broken"; message: string };

/** Places in the numbers that open a frame. */
export const FRAME = {
  time: 0, events: 1, checks: 2, collisions: 3, micros: 4, kinetic: 5, potential: 6, reached: 7, reachedEvents: 8, state: 9,
  keyframes: 10, keyframeBytes: 11, lastKind: 12, lastFirst: 13, lastSecond: 14, nextTime: 15, nextKind: 16, nextFirst: 17,
  nextSecond: 18, separation: 19, length: 20,
} as const;

/** Places in the numbers of a body: origin, row of the command's table, energy, flags, mean velocity. */
export const BODY = { origin: 0, centre: 3, rotation: 6, velocity: 10, spin: 13, kinetic: 16, flags: 17, mean: 18, length: 21 } as const;

/** Flags of a body. */
export const FLAG = { frozen: 1, lasting: 2, settled: 4 } as const;

/** Places in the numbers of an impact. */
export const IMPACT = {
  event: 0, time: 1, first: 2, second: 3, point: 4, normal: 7, impulse: 10, before: 13, after: 16, lost: 19, micro: 20, modes: 21,
  length: 22,
} as const;

/** Places in the numbers of a lasting contact. */
export const CONTACT = { first: 0, second: 1, point: 2, normal: 5, force: 8, mode: 11, friction: 12, length: 13 } as const;

/** Places in the numbers of a watched pair. */
export const CLOSEST = { first: 0, second: 1, points: 2, distance: 8, check: 9, length: 10 } as const;

/** Places in the numbers of a ghost's body. */
export const GHOST = { origin: 0, rotation: 3, length: 7 } as const;

/** Places in the numbers of a box. */
export const BOX = { body: 0, low: 1, high: 4, expiry: 7, length: 8 } as const;

/** Places in the numbers of a sample. */
export const SAMPLE = { time: 0, kinetic: 1, potential: 2, events: 3, checks: 4, collisions: 5, micros: 6, length: 7 } as const;

/** Places in the numbers of a body's track. */
export const TRACK = { time: 0, position: 1, velocity: 4, spin: 7, length: 10 } as const;

/** Places in the numbers of an impact in short. */
export const NOTE = { time: 0, event: 1, first: 2, second: 3, impulse: 4, lost: 5, micro: 6, length: 7 } as const;

/** Numbers of a part of the time line: collisions, microcollisions, hardest collision. */
export const DENSITY = { collisions: 0, micros: 1, hardest: 2, length: 3 } as const;
