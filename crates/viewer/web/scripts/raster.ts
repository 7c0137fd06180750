// Triangles into pixels, with depth, normals and colours.

import type { LookData } from "../src/protocol";

export type Vector = [number, number, number];

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a: Vector): number => Math.sqrt(dot(a, a));
export const normal = (a: Vector): Vector => scale(a, 1 / Math.max(length(a), 1e-300));

/** A vector turned by a quaternion, real part first. */
export function rotated([w, x, y, z]: number[], v: Vector): Vector {
  const q: Vector = [x, y, z];
  const t = scale(cross(q, v), 2);
  return add(add(v, scale(t, w)), cross(q, t));
}

/** From where one looks at what, how wide (tangent of half the angle upwards), or with parallel rays, m. */
export interface View {
  from: Vector;
  target: Vector;
  slope: number;
  aspect: number;
  depth: number;
  /** Half the height of the picture of parallel rays, m; 0 for a perspective. */
  parallel: number;
}

interface Corner {
  x: number;
  y: number;
  /** One over the depth, which is linear in a perspective; minus the depth for parallel rays. */
  near: number;
  normal: Vector;
}

export class Raster {
  private readonly near: Float64Array;
  private readonly normals: Float32Array;
  private readonly colors: Float32Array;
  private readonly ahead: Vector;
  private readonly right: Vector;
  private readonly up: Vector;

  constructor(
    readonly width: number,
    readonly height: number,
    readonly view: View,
  ) {
    this.near = new Float64Array(width * height).fill(-Infinity);
    this.normals = new Float32Array(3 * width * height);
    this.colors = new Float32Array(3 * width * height);
    this.ahead = normal(subtract(view.target, view.from));
    this.right = normal(cross(this.ahead, [0, 0, 1]));
    this.up = cross(this.right, this.ahead);
  }

  /** Draws a mesh whose points and normals are placed by functions. */
  mesh(look: LookData, place: (v: Vector) => Vector, turn: (v: Vector) => Vector, color: Vector): void {
    const vectorAt = (from: Float32Array, index: number) => [...from.subarray(3 * index, 3 * index + 3)] as Vector;
    const count = look.positions.length / 3;
    const places = Array.from({ length: count }, (_, index) => place(vectorAt(look.positions, index)));
    const normals = Array.from({ length: count }, (_, index) => turn(vectorAt(look.normals, index)));
    for (let at = 0; at < look.indices.length; at += 3) {
      const corners = [...look.indices.subarray(at, at + 3)];
      this.polygon(corners.map((index) => places[index]), corners.map((index) => normals[index]), color);
    }
  }

  /** The surface in a pixel. */
  seen(at: number): { place: Vector; normal: Vector; color: Vector } | null {
    if (this.near[at] === -Infinity) {
      return null;
    }
    const depth = 1 / this.near[at];
    const x = ((2 * ((at % this.width) + 0.5)) / this.width - 1) * this.view.slope * this.view.aspect * depth;
    const y = (1 - (2 * (Math.floor(at / this.width) + 0.5)) / this.height) * this.view.slope * depth;
    const place = add(this.view.from, add(scale(this.ahead, depth), add(scale(this.right, x), scale(this.up, y))));
    return { place, normal: this.three(this.normals, at), color: this.three(this.colors, at) };
  }

  /** Which share of a small square about a point is hidden by something nearer, for parallel rays. */
  covers(place: Vector, blur: number): number {
    const away = subtract(place, this.view.from);
    const scaled = this.height / (2 * this.view.parallel);
    const [x, y, near] = [dot(away, this.right) * scaled + this.width / 2, this.height / 2 - dot(away, this.up) * scaled, -dot(away, this.ahead)];
    const spread = Math.max(1, blur * scaled);
    let hidden = 0;
    for (let k = 0; k < 25; k++) {
      const [column, row] = [Math.floor(x + (((k % 5) - 2) / 2) * spread), Math.floor(y + ((Math.floor(k / 5) - 2) / 2) * spread)];
      const inside = column >= 0 && row >= 0 && column < this.width && row < this.height;
      hidden += inside && this.near[row * this.width + column] > near ? 1 : 0;
    }
    return hidden / 25;
  }

  /** Draws a triangle, cut where it comes too near. */
  private polygon(places: Vector[], normals: Vector[], color: Vector): void {
    const least = 1e-3 * this.view.depth;
    const depths = places.map((place) => dot(subtract(place, this.view.from), this.ahead));
    const kept: [Vector, Vector][] = [];
    for (let k = 0; k < 3; k++) {
      const next = (k + 1) % 3;
      if (depths[k] >= least) {
        kept.push([places[k], normals[k]]);
      }
      if (depths[k] >= least !== depths[next] >= least) {
        const share = (least - depths[k]) / (depths[next] - depths[k]);
        const between = (a: Vector, b: Vector) => add(scale(a, 1 - share), scale(b, share));
        kept.push([between(places[k], places[next]), between(normals[k], normals[next])]);
      }
    }
    const corners = kept.map(([place, n]) => this.corner(place, n));
    for (let k = 2; k < corners.length; k++) {
      this.triangle([corners[0], corners[k - 1], corners[k]], color);
    }
  }

  private corner(place: Vector, n: Vector): Corner {
    const away = subtract(place, this.view.from);
    const depth = dot(away, this.ahead);
    const half = this.view.parallel > 0 ? this.view.parallel : this.view.slope * depth;
    const x = 0.5 * this.width * (1 + dot(away, this.right) / (half * this.view.aspect));
    const y = 0.5 * this.height * (1 - dot(away, this.up) / half);
    return { x, y, near: this.view.parallel > 0 ? -depth : 1 / depth, normal: n };
  }

  private triangle([a, b, c]: Corner[], color: Vector): void {
    const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (area === 0) {
      return;
    }
    const [left, right] = [Math.max(0, Math.floor(Math.min(a.x, b.x, c.x))), Math.min(this.width - 1, Math.ceil(Math.max(a.x, b.x, c.x)))];
    const [top, bottom] = [Math.max(0, Math.floor(Math.min(a.y, b.y, c.y))), Math.min(this.height - 1, Math.ceil(Math.max(a.y, b.y, c.y)))];
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const [x, y] = [column + 0.5, row + 0.5];
        const first = ((b.x - x) * (c.y - y) - (c.x - x) * (b.y - y)) / area;
        const second = ((c.x - x) * (a.y - y) - (a.x - x) * (c.y - y)) / area;
        const third = 1 - first - second;
        const near = first * a.near + second * b.near + third * c.near;
        const at = row * this.width + column;
        if (first >= 0 && second >= 0 && third >= 0 && near > this.near[at]) {
          this.near[at] = near;
          const n = normal(add(add(scale(a.normal, first), scale(b.normal, second)), scale(c.normal, third)));
          this.normals.set(n, 3 * at);
          this.colors.set(color, 3 * at);
        }
      }
    }
  }

  private three(from: Float32Array, at: number): Vector {
    return [from[3 * at], from[3 * at + 1], from[3 * at + 2]];
  }
}
