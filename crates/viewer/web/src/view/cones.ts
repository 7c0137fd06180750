// Friction cones at lasting contacts: a force within its cone can be borne without slip (thesis, section 3.2).

import { ConeGeometry, DoubleSide, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { CONTACT, type BodyInfo } from "../protocol";
import { MARKS } from "./theme";

/** Most cones of one picture. */
const MOST = 500;

export class Cones {
  readonly group = new Group();
  /** How many are drawn. */
  count = 0;
  private readonly mesh: InstancedMesh;
  private size = 1;
  private bodies: BodyInfo[] = [];

  constructor() {
    // Its tip at the origin, opening along z, with radius 1 at height 1.
    const geometry = new ConeGeometry(1, 1, 28, 1, true).translate(0, -0.5, 0).rotateX(-Math.PI / 2);
    const material = new MeshBasicMaterial({ color: MARKS.cone, transparent: true, opacity: 0.3, side: DoubleSide, depthWrite: false, toneMapped: false });
    this.mesh = new InstancedMesh(geometry, material, MOST);
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
    this.group.add(this.mesh);
  }

  open(bodies: BodyInfo[], size: number): void {
    this.bodies = bodies;
    this.size = 0.55 * size;
    this.show(new Float64Array());
  }

  /** One cone at each contact, opening towards the body that can move. */
  show(contacts: Float64Array): void {
    this.count = Math.min(MOST, contacts.length / CONTACT.length);
    for (let number = 0; number < this.count; number++) {
      const at = number * CONTACT.length;
      const towards = this.bodies[contacts[at + CONTACT.first]]?.kind === "free" ? 1 : -1;
      const normal = new Vector3().fromArray(contacts, at + CONTACT.normal).multiplyScalar(towards);
      const angle = Math.atan(contacts[at + CONTACT.friction]);
      const [width, height] = [this.size * Math.sin(angle), this.size * Math.cos(angle)];
      const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal);
      const place = new Vector3().fromArray(contacts, at + CONTACT.point);
      this.mesh.setMatrixAt(number, new Matrix4().compose(place, turn, new Vector3(width, width, height)));
    }
    this.mesh.count = this.count;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}
