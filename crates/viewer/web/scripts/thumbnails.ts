// Pictures of the built-in scenes for the gallery, drawn without a browser: depth buffer, sun with shadow, sky.

import { BODY, DENSITY, FRAME, type LookData, type SceneInfo } from "../src/protocol";
import { Engine } from "../src/worker/engine";
import { png } from "./png";
import { add, dot, length, normal, Raster, rotated, scale, subtract, type Vector, type View } from "./raster";

const [WIDTH, HEIGHT, FINE] = [320, 200, 2];
const SUN = normal([0.45, -0.55, 1]);
const FROM = normal([1.05, -1.7, 0.95]);
const BACKGROUND: Vector = [0.925, 0.94, 0.957];
const GROUND: Vector = [0.6, 0.635, 0.68];

/** Name and picture of every built-in scene. */
export async function thumbnails(module: WebAssembly.Module): Promise<[string, Uint8Array][]> {
  const engine = await Engine.load(module);
  return engine.scenes().map(({ name }) => [name, picture(engine, name)]);
}

function picture(engine: Engine, scene: string): Uint8Array {
  const info = engine.open({ scene, from_files: false, params: {}, seed: 0 }, []);
  if ("failure" in info) {
    throw new Error(info.failure.message);
  }
  while (engine.advance(1000) === 0) {
    engine.keep();
  }
  engine.go(moment(engine, info), 0);
  const frame = engine.numbersOf((wasm) => wasm.frame());
  const looks = Array.from({ length: info.looks }, (_, number) => engine.look(number));
  return draw(info, looks, frame, cameraFor(info, frame));
}

/** An instant in which something happens: when a third of the collisions is over. */
function moment(engine: Engine, info: SceneInfo): number {
  const parts = 400;
  const densities = engine.numbersOf((wasm) => wasm.densities(0, info.end, parts));
  const counts = Array.from({ length: parts }, (_, part) => densities[part * DENSITY.length + DENSITY.collisions]);
  const all = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  const part = counts.findIndex((count) => (seen += count) > all / 3);
  return all === 0 || part < 0 ? 0.3 * info.end : ((part + 1) / parts) * info.end;
}

/** Looks at the bodies that move, where they are now, and at what is about as large as all of them. */
function cameraFor(info: SceneInfo, frame: Float64Array): View {
  const all = info.bodies.map((body, number) => ({ ...body, place: [...frame.subarray(FRAME.length + number * BODY.length + BODY.centre).subarray(0, 3)] as Vector }));
  const moving = all.filter(({ kind, bounded }) => bounded && kind === "free");
  const first = boxOf(moving);
  const near = all.filter(({ bounded, kind, radius }) => bounded && kind !== "free" && (radius ?? Infinity) < 2.5 * first.reach);
  const { middle, reach: half } = boxOf([...moving, ...near]);
  // One or two bodies are shown with what is around them.
  const reach = moving.length > 2 ? half : 1.9 * half;
  return { from: add(middle, scale(FROM, 3.1 * reach)), target: middle, slope: 0.34, aspect: WIDTH / HEIGHT, depth: 30 * reach, parallel: 0 };
}

/** The middle of a box around bodies, and half of its diagonal. */
function boxOf(bodies: { place: Vector; radius: number | null }[]): { middle: Vector; reach: number } {
  const [low, high]: Vector[] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (const { place, radius } of bodies) {
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], place[axis] - 0.7 * (radius ?? 0));
      high[axis] = Math.max(high[axis], place[axis] + 0.7 * (radius ?? 0));
    }
  }
  return { middle: scale(add(low, high), 0.5), reach: 0.5 * length(subtract(high, low)) };
}

function draw(info: SceneInfo, looks: LookData[], frame: Float64Array, view: View): Uint8Array {
  const reach = length(subtract(view.from, view.target));
  const raster = new Raster(WIDTH * FINE, HEIGHT * FINE, view);
  const sun: View = { ...view, from: add(view.target, scale(SUN, 6 * reach)), aspect: 1, parallel: 0.75 * reach };
  const shadow = new Raster(900, 900, sun);
  info.bodies.forEach((body, number) => {
    const at = FRAME.length + number * BODY.length;
    const origin = [...frame.subarray(at + BODY.origin, at + BODY.origin + 3)] as Vector;
    const turn = [...frame.subarray(at + BODY.rotation, at + BODY.rotation + 4)];
    // Walls would hide what is behind them.
    if (!body.bounded && !body.level) {
      return;
    }
    const color = body.bounded ? (body.color.map((part) => (part / 255) ** 2.2) as Vector) : GROUND;
    const place = (vector: Vector) => add(origin, rotated(turn, vector));
    raster.mesh(looks[body.look], place, (vector) => rotated(turn, vector), color);
    if (body.bounded) {
      shadow.mesh(looks[body.look], place, (vector) => rotated(turn, vector), color);
    }
  });
  return png(WIDTH, HEIGHT, shaded(raster, shadow, reach));
}

/** Colours of all pixels, each the mean of some finer ones. */
function shaded(raster: Raster, shadow: Raster, reach: number): Uint8Array {
  const pixels = new Uint8Array(3 * WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      let sum: Vector = [0, 0, 0];
      for (let part = 0; part < FINE * FINE; part++) {
        const at = (y * FINE + Math.floor(part / FINE)) * raster.width + x * FINE + (part % FINE);
        sum = add(sum, colorAt(raster, shadow, at, reach));
      }
      // In steps of eight, which hardly anybody sees and which compress better.
      sum.forEach((part, k) => (pixels[3 * (y * WIDTH + x) + k] = Math.min(255, 8 * Math.round((31.875 * part) / (FINE * FINE)))));
    }
  }
  return pixels;
}

function colorAt(raster: Raster, shadow: Raster, at: number, reach: number): Vector {
  const seen = raster.seen(at);
  if (seen === null) {
    return BACKGROUND;
  }
  const facing = Math.max(0, dot(seen.normal, SUN)) * (1 - 0.8 * shadow.covers(add(seen.place, scale(seen.normal, 0.004 * reach)), 0.01 * reach));
  const sky = 0.5 + 0.12 * seen.normal[2];
  const lit = seen.color.map((part) => Math.min(1, part * (sky + 0.62 * facing)) ** (1 / 2.2)) as Vector;
  const far = Math.min(1, Math.max(0, (length(subtract(seen.place, raster.view.from)) / reach - 1.5) / 4));
  return add(scale(lit, 1 - far), scale(BACKGROUND, far));
}
