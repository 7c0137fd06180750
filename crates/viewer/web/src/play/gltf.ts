// A run as glTF, which most 3D programs open: a mesh per body, with its way as an animation.

import { BODY, FRAME, type FrameData, type Opened } from "../protocol";

const FLOAT = 5126;
const INDEX = 5125;

/** Collects binary data with its views and accessors. */
class Buffer {
  readonly views: object[] = [];
  readonly accessors: object[] = [];
  private readonly pieces: ArrayBufferView<ArrayBuffer>[] = [];
  length = 0;

  add(data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>, type: "SCALAR" | "VEC3" | "VEC4", bounds = false): number {
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    this.views.push({ buffer: 0, byteOffset: this.length, byteLength: data.byteLength });
    const accessor = { bufferView: this.views.length - 1, componentType: data instanceof Float32Array ? FLOAT : INDEX, count: data.length / width, type };
    this.accessors.push(bounds ? { ...accessor, ...extremes(data, width) } : accessor);
    this.pieces.push(data);
    this.length += data.byteLength;
    return this.accessors.length - 1;
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.length);
    let at = 0;
    for (const piece of this.pieces) {
      all.set(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength), at);
      at += piece.byteLength;
    }
    return all;
  }
}

export function glb({ info, looks }: Opened, frames: FrameData[]): Uint8Array<ArrayBuffer> {
  const buffer = new Buffer();
  const parts = looks.map(({ positions, normals, indices }) => ({
    attributes: { POSITION: buffer.add(floats(positions), "VEC3", true), NORMAL: buffer.add(floats(normals), "VEC3") },
    indices: buffer.add(Uint32Array.from(indices), "SCALAR"),
  }));
  const times = buffer.add(Float32Array.from(frames, ({ numbers }) => numbers[FRAME.time]), "SCALAR", true);
  const samplers: object[] = [];
  const channels: object[] = [];
  info.bodies.forEach((body, node) => {
    if (body.kind !== "fixed") {
      for (const [path, place, type] of [["translation", BODY.origin, "VEC3"], ["rotation", BODY.rotation, "VEC4"]] as const) {
        samplers.push({ input: times, output: buffer.add(track(frames, node, place, type), type), interpolation: "LINEAR" });
        channels.push({ sampler: samplers.length - 1, target: { node, path } });
      }
    }
  });
  const colour = ([r, g, b]: [number, number, number]) => [...[r, g, b].map((part) => (part / 255) ** 2.2), 1];
  const bodies = info.bodies.map((body, mesh) => ({ name: body.name, mesh, ...placed(frames[0], mesh) }));
  const document = {
    asset: { version: "2.0", generator: "Impulse" },
    scene: 0,
    // The up axis of glTF is y.
    nodes: [...bodies, { name: "world", rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], children: bodies.map((_, node) => node) }],
    scenes: [{ nodes: [bodies.length] }],
    materials: info.bodies.map((body) => ({ pbrMetallicRoughness: { baseColorFactor: colour(body.color), metallicFactor: 0, roughnessFactor: 0.6 }, doubleSided: !body.bounded })),
    meshes: info.bodies.map((body, material) => ({ primitives: [{ ...parts[body.look], material }] })),
    animations: channels.length > 0 ? [{ samplers, channels }] : undefined,
    accessors: buffer.accessors, bufferViews: buffer.views, buffers: [{ byteLength: buffer.length }],
  };
  return assembled(new TextEncoder().encode(JSON.stringify(document)), buffer.bytes());
}

/** Where a body is in all frames; one that is not there stays where it was last. */
function track(frames: FrameData[], body: number, place: number, type: "VEC3" | "VEC4"): Float32Array<ArrayBuffer> {
  const width = type === "VEC3" ? 3 : 4;
  const found = new Float32Array(width * frames.length);
  let last = width === 3 ? [0, 0, 0] : [0, 0, 0, 1];
  frames.forEach(({ numbers }, k) => {
    const at = FRAME.length + body * BODY.length + place;
    if (Number.isFinite(numbers[at])) {
      // The real part last.
      last = width === 3 ? [...numbers.subarray(at, at + 3)] : [numbers[at + 1], numbers[at + 2], numbers[at + 3], numbers[at]];
    }
    found.set(last, width * k);
  });
  return found;
}

function placed(frame: FrameData | undefined, body: number): object {
  return frame === undefined ? {} : { translation: [...track([frame], body, BODY.origin, "VEC3")], rotation: [...track([frame], body, BODY.rotation, "VEC4")] };
}

function floats(data: Float32Array): Float32Array<ArrayBuffer> {
  return Float32Array.from(data);
}

function extremes(data: ArrayLike<number>, width: number): { min: number[]; max: number[] } {
  const [min, max] = [Array<number>(width).fill(Infinity), Array<number>(width).fill(-Infinity)];
  for (let k = 0; k < data.length; k++) {
    min[k % width] = Math.min(min[k % width], data[k]);
    max[k % width] = Math.max(max[k % width], data[k]);
  }
  return { min, max };
}

/** The container: header, JSON padded with spaces, data padded with zeros. */
function assembled(json: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const [jsonLength, dataLength] = [json, data].map(({ length }) => 4 * Math.ceil(length / 4));
  const all = new Uint8Array(12 + 8 + jsonLength + 8 + dataLength);
  const view = new DataView(all.buffer);
  const words = (at: number, ...values: number[]) => values.forEach((value, k) => view.setUint32(at + 4 * k, value, true));
  words(0, 0x46546c67, 2, all.length, jsonLength, 0x4e4f534a);
  all.fill(0x20, 20, 20 + jsonLength);
  all.set(json, 20);
  words(20 + jsonLength, dataLength, 0x004e4942);
  all.set(data, 28 + jsonLength);
  return all;
}
