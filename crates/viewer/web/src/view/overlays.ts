// What is drawn over the bodies on request: boxes, closest points, centres of mass, trails.

import {
  BufferGeometry, Float32BufferAttribute, Group, Line, LineBasicMaterial, LineSegments, Points, PointsMaterial, type Material, type Object3D,
} from "three";
import { BODY, BOX, CLOSEST, FRAME, TRACK, type BodyInfo, type FrameData } from "../protocol";
import { MARKS } from "./theme";

/** Pairs of corners of a box, as bits: high or low in x, y, z. */
const BOX_EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

export class Overlays {
  readonly group = new Group();
  private readonly boxes = new LineSegments(new BufferGeometry(), line(MARKS.box, 0.8));
  private readonly closest = new LineSegments(new BufferGeometry(), over(line(MARKS.closest, 0.95)));
  private readonly closestEnds = new Points(new BufferGeometry(), over(dots(MARKS.closest, 5)));
  private readonly centres = new Points(new BufferGeometry(), over(dots(MARKS.centre, 8)));
  private readonly hand = new LineSegments(new BufferGeometry(), over(line(MARKS.hand, 1)));
  private readonly handEnds = new Points(new BufferGeometry(), over(dots(MARKS.hand, 9)));
  private readonly trails = new Group();
  private bodies: BodyInfo[] = [];

  constructor() {
    const all: Object3D[] = [this.boxes, this.closest, this.closestEnds, this.centres, this.hand, this.handEnds];
    all.forEach((one) => (one.frustumCulled = false));
    this.group.add(...all, this.trails);
  }

  open(bodies: BodyInfo[]): void {
    this.bodies = bodies;
    [this.boxes, this.closest, this.closestEnds, this.centres].forEach((one) => fill(one.geometry, []));
    this.clearTrails();
  }

  show(frame: FrameData, centres: boolean): void {
    fill(this.boxes.geometry, boxLines(frame.boxes));
    fill(this.hand.geometry, [...frame.held]);
    fill(this.handEnds.geometry, [...frame.held]);
    const pairs: number[] = [];
    for (let at = 0; at < frame.closest.length; at += CLOSEST.length) {
      pairs.push(...frame.closest.subarray(at + CLOSEST.points, at + CLOSEST.points + 6));
    }
    fill(this.closest.geometry, pairs);
    fill(this.closestEnds.geometry, pairs);
    fill(this.centres.geometry, centres ? this.centresOf(frame.numbers) : []);
  }

  clearTrails(): void {
    for (const one of [...this.trails.children]) {
      const trail = one as Line<BufferGeometry, Material>;
      trail.geometry.dispose();
      trail.material.dispose();
      this.trails.remove(one);
    }
  }

  /** Draws the way of a body: rows of its track. */
  addTrail(body: number, track: Float64Array): void {
    const points: number[] = [];
    for (let at = 0; at < track.length; at += TRACK.length) {
      points.push(...track.subarray(at + TRACK.position, at + TRACK.position + 3));
    }
    const [r, g, b] = this.bodies[body].color;
    const trail = new Line(new BufferGeometry(), line((r << 16) | (g << 8) | b, 0.75));
    fill(trail.geometry, points);
    trail.frustumCulled = false;
    this.trails.add(trail);
  }

  get trailCount(): number {
    return this.trails.children.length;
  }

  private centresOf(numbers: Float64Array): number[] {
    return this.bodies.flatMap((body, number) => {
      const at = FRAME.length + number * BODY.length + BODY.centre;
      return body.kind === "free" && Number.isFinite(numbers[at]) ? [...numbers.subarray(at, at + 3)] : [];
    });
  }
}

function boxLines(boxes: Float64Array): number[] {
  const lines: number[] = [];
  for (let at = 0; at < boxes.length; at += BOX.length) {
    for (const corner of BOX_EDGES) {
      for (let axis = 0; axis < 3; axis++) {
        lines.push(boxes[at + ((corner >> axis) & 1 ? BOX.high : BOX.low) + axis]);
      }
    }
  }
  return lines;
}

function fill(geometry: BufferGeometry, positions: number[]): void {
  geometry.dispose();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
}

function line(color: number, opacity: number): LineBasicMaterial {
  return new LineBasicMaterial({ color, transparent: true, opacity, toneMapped: false });
}

function dots(color: number, size: number): PointsMaterial {
  return new PointsMaterial({ color, size, sizeAttenuation: false, transparent: true, toneMapped: false });
}

/** Seen through the bodies. */
function over<T extends Material>(material: T): T {
  material.depthTest = false;
  return material;
}
