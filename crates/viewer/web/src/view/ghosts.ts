// Other runs of a scene, drawn translucent: the last one before a change, or many with other seeds.

import { BufferAttribute, BufferGeometry, Color, Group, Mesh, MeshLambertMaterial } from "three";
import { GHOST, type Opened } from "../protocol";

/** Most bodies of all ghosts together. */
const MOST = 4000;

const COLOR = 0x7f8da0;

interface Ghost {
  bodies: (Mesh<BufferGeometry, MeshLambertMaterial> | null)[];
  material: MeshLambertMaterial;
  geometries: BufferGeometry[];
}

export class Ghosts {
  readonly group = new Group();
  private all: Ghost[] = [];
  private drawn = 0;

  get count(): number {
    return this.all.length;
  }

  clear(): void {
    for (const { material, geometries } of this.all) {
      material.dispose();
      geometries.forEach((one) => one.dispose());
    }
    [this.all, this.drawn] = [[], 0];
    this.group.clear();
  }

  /** One more; whether it is drawn, or there are too many bodies already. */
  add({ info, looks }: Opened, opacity: number): boolean {
    const material = new MeshLambertMaterial({ color: COLOR, transparent: true, opacity, depthWrite: false });
    const geometries = looks.map(({ positions, normals, indices }) => {
      const made = new BufferGeometry();
      made.setAttribute("position", new BufferAttribute(positions, 3));
      made.setAttribute("normal", new BufferAttribute(normals, 3));
      made.setIndex(new BufferAttribute(indices, 1));
      return made;
    });
    const room = this.drawn + info.bodies.length <= MOST;
    const bodies = info.bodies.map((body) => {
      if (!room || body.kind === "fixed") {
        return null;
      }
      const mesh = new Mesh(geometries[body.look], material);
      mesh.renderOrder = 1;
      this.group.add(mesh);
      return mesh;
    });
    this.drawn += room ? info.bodies.length : 0;
    this.all.push({ bodies, material, geometries });
    return room;
  }

  /** A colour for its outcome. */
  setColor(ghost: number, color: string): void {
    this.all[ghost]?.material.color.copy(new Color(color));
  }

  show(frames: Float64Array[]): void {
    this.all.forEach(({ bodies }, ghost) => {
      const numbers = frames[ghost];
      bodies.forEach((mesh, body) => {
        if (mesh === null) {
          return;
        }
        const at = body * GHOST.length;
        mesh.visible = numbers !== undefined && Number.isFinite(numbers[at]);
        if (mesh.visible) {
          mesh.position.fromArray(numbers, at + GHOST.origin);
          const q = at + GHOST.rotation;
          mesh.quaternion.set(numbers[q + 1], numbers[q + 2], numbers[q + 3], numbers[q]);
        }
      });
    });
  }
}
