// Arrows at contacts: impulses of collisions and microcollisions, forces of lasting contacts.

import { BufferGeometry, Color, ConeGeometry, CylinderGeometry, Float32BufferAttribute, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { CONTACT, IMPACT, type BodyInfo, type FrameData } from "../protocol";
import { MARKS } from "./theme";

/** Most arrows of one picture. */
const MOST = 4000;

/** Length of the longest arrow, in lengths given by the scene. */
const LONGEST = 1;

/** An arrow as it is drawn. */
export interface Arrow {
  kind: "collision" | "micro" | "force";
  time: number;
  point: [number, number, number];
  /** On the body that can move: impulse, N s, or force, N. */
  vector: [number, number, number];
  color: number;
  /** From 1, new, to 0. */
  fresh: number;
}

export interface ArrowChoice {
  collisions: boolean;
  micros: boolean;
  forces: boolean;
}

export class Arrows {
  readonly group = new Group();
  /** What is drawn now. */
  drawn: Arrow[] = [];
  private readonly mesh: InstancedMesh;
  /** Old arrows fade into it. */
  private readonly background = new Color();
  private size = 1;
  private bodies: BodyInfo[] = [];
  /** The largest impulse and force so far: they have the longest arrows. */
  private largest = { impulse: 0, force: 0 };

  constructor() {
    this.mesh = new InstancedMesh(arrowGeometry(), new MeshBasicMaterial({ toneMapped: false }), MOST);
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
    this.group.add(this.mesh);
  }

  open(bodies: BodyInfo[], size: number): void {
    this.bodies = bodies;
    this.size = size;
    this.largest = { impulse: 0, force: 0 };
    this.mesh.count = 0;
  }

  setBackground(color: number): void {
    this.background.set(color);
  }

  show(frame: FrameData, time: number, window: number, choice: ArrowChoice): void {
    this.drawn = [];
    if (choice.collisions || choice.micros) {
      this.impulses(frame.impacts, time, window, choice);
    }
    if (choice.forces) {
      this.forces(frame.contacts, time);
    }
    this.drawn = this.drawn.slice(-MOST);
    this.drawn.forEach((arrow, number) => this.place(arrow, number));
    this.mesh.count = this.drawn.length;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor !== null) {
      this.mesh.instanceColor.needsUpdate = true;
    }
  }

  private impulses(impacts: Float64Array, time: number, window: number, choice: ArrowChoice): void {
    for (let at = 0; at < impacts.length; at += IMPACT.length) {
      const micro = impacts[at + IMPACT.micro] !== 0;
      if (micro ? !choice.micros : !choice.collisions) {
        continue;
      }
      const sign = this.signOf(impacts[at + IMPACT.first]);
      const vector = vectorAt(impacts, at + IMPACT.impulse, sign);
      this.largest.impulse = Math.max(this.largest.impulse, Math.hypot(...vector));
      const fresh = Math.max(0.15, 1 - (time - impacts[at + IMPACT.time]) / window);
      const [kind, color] = micro ? (["micro", MARKS.micro] as const) : (["collision", MARKS.collision] as const);
      this.drawn.push({ kind, time: impacts[at + IMPACT.time], point: vectorAt(impacts, at + IMPACT.point, 1), vector, color, fresh });
    }
  }

  private forces(contacts: Float64Array, time: number): void {
    const colors = [MARKS.rest, MARKS.roll, MARKS.slide];
    for (let at = 0; at < contacts.length; at += CONTACT.length) {
      const vector = vectorAt(contacts, at + CONTACT.force, this.signOf(contacts[at + CONTACT.first]));
      this.largest.force = Math.max(this.largest.force, Math.hypot(...vector));
      const color = colors[contacts[at + CONTACT.mode]];
      this.drawn.push({ kind: "force", time, point: vectorAt(contacts, at + CONTACT.point, 1), vector, color, fresh: 1 });
    }
  }

  /** Impulses are those on the first body; where only the second one moves, its own is shown. */
  private signOf(first: number): number {
    return this.bodies[first]?.kind === "free" ? 1 : -1;
  }

  private place(arrow: Arrow, number: number): void {
    const vector = new Vector3(...arrow.vector);
    const largest = arrow.kind === "force" ? this.largest.force : this.largest.impulse;
    // By the root, so that a small one beside a large one is seen.
    const share = Math.sqrt(vector.length() / Math.max(largest, Number.MIN_VALUE));
    const length = Math.max(LONGEST * this.size * share, 1e-9);
    const width = 0.11 * this.size * (0.35 + 0.65 * share) * (0.5 + 0.5 * arrow.fresh);
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), vector.normalize());
    this.mesh.setMatrixAt(number, new Matrix4().compose(new Vector3(...arrow.point), turn, new Vector3(width, width, length)));
    this.mesh.setColorAt(number, new Color(arrow.color).lerp(this.background, 0.75 * (1 - arrow.fresh)));
  }
}

function vectorAt(numbers: Float64Array, at: number, sign: number): [number, number, number] {
  return [sign * numbers[at], sign * numbers[at + 1], sign * numbers[at + 2]];
}

/** An arrow of length 1 along z: a shaft and a head. */
function arrowGeometry(): BufferGeometry {
  const shaft = new CylinderGeometry(0.16, 0.16, 0.72, 10).rotateX(Math.PI / 2).translate(0, 0, 0.36);
  const head = new ConeGeometry(0.5, 0.28, 14).rotateX(Math.PI / 2).translate(0, 0, 0.86);
  const parts = [shaft.toNonIndexed(), head.toNonIndexed()];
  const merged = new BufferGeometry();
  const all = parts.flatMap((part) => [...part.getAttribute("position").array]);
  merged.setAttribute("position", new Float32BufferAttribute(all, 3));
  [shaft, head, ...parts].forEach((one) => one.dispose());
  return merged;
}
