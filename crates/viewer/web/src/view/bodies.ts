// The bodies: one mesh each, shapes shared, with edges; planes as ground with a grid.

import {
  BufferAttribute, BufferGeometry, Color, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial, type MeshLambertMaterial, Raycaster,
  Vector2, Vector3, type Material, type Object3D, type PerspectiveCamera,
} from "three";
import { BODY, FRAME, type BodyInfo, type LookData, type Opened } from "../protocol";
import { ball, ground } from "./materials";
import { MARKS, type Theme } from "./theme";

/** Facets that meet at more than this angle, degrees, have an edge. */
const EDGE_ANGLE = 32;

/** With more bodies than this no edges are drawn. */
const MOST_EDGED = 400;

/** Materials that are kept. */
const MOST_MATERIALS = 200;

type BodyMaterial = MeshStandardMaterial | MeshLambertMaterial;

/** A body under the pointer, the point of it that is seen, and the direction away from who looks. */
export interface Hit {
  body: number;
  point: Vector3;
  away: Vector3;
}

export class Bodies {
  readonly group = new Group();
  private meshes: Mesh<BufferGeometry, BodyMaterial>[] = [];
  private edges: LineBasicMaterial | null = null;
  private disposables: { dispose(): void }[] = [];
  private selected = -1;
  private infos: BodyInfo[] = [];
  /** Materials are kept from scene to scene, since their programs are compiled once; bodies of one kind and colour share theirs. */
  private readonly materials = new Map<string, BodyMaterial>();

  /** Takes up a new scene. */
  open({ info, looks }: Opened, theme: Theme): void {
    this.clear();
    this.infos = info.bodies;
    const geometries = looks.map((look) => this.keep(geometry(look)));
    const edged = info.bodies.length <= MOST_EDGED ? geometries.map((g) => this.keep(new EdgesGeometry(g, EDGE_ANGLE))) : null;
    this.edges = this.keep(new LineBasicMaterial({ transparent: true }));
    for (const body of info.bodies) {
      const mesh = new Mesh(geometries[body.look], this.material(body, info.size));
      mesh.castShadow = body.bounded;
      mesh.receiveShadow = true;
      mesh.renderOrder = body.bounded ? 0 : -1;
      if (edged !== null && body.bounded) {
        mesh.add(new LineSegments(edged[body.look], this.edges));
      }
      this.meshes.push(mesh);
      this.group.add(mesh);
    }
    this.setTheme(theme);
  }

  /** Puts the bodies where a frame says. */
  place(numbers: Float64Array): void {
    this.meshes.forEach((mesh, body) => {
      const at = FRAME.length + body * BODY.length;
      const [o, q] = [at + BODY.origin, at + BODY.rotation];
      // Bodies that were removed, or are yet to come, have no place.
      mesh.visible = Number.isFinite(numbers[o]);
      if (!mesh.visible) {
        return;
      }
      mesh.position.set(numbers[o], numbers[o + 1], numbers[o + 2]);
      mesh.quaternion.set(numbers[q + 1], numbers[q + 2], numbers[q + 3], numbers[q]);
    });
  }

  /** The body under a point of the picture, coordinates within -1 and 1. Planes do not count. */
  hit(point: Vector2, camera: PerspectiveCamera): Hit | null {
    const caster = new Raycaster();
    caster.setFromCamera(point, camera);
    const solid = this.meshes.filter((mesh, body) => this.infos[body].bounded && mesh.visible);
    const hit = caster.intersectObjects<Object3D>(solid, false)[0];
    const body = hit === undefined ? -1 : this.meshes.indexOf(hit.object as Mesh<BufferGeometry, BodyMaterial>);
    return body < 0 ? null : { body, point: hit.point.clone(), away: caster.ray.direction.clone() };
  }

  select(body: number): void {
    this.glow(false);
    this.selected = body;
    this.glow(true);
  }

  setWireframe(on: boolean): void {
    this.meshes.forEach((mesh, body) => {
      mesh.material.wireframe = on && this.infos[body].bounded;
      mesh.children.forEach((edges) => (edges.visible = !on));
    });
  }

  setTheme(theme: Theme): void {
    this.edges?.color.set(theme.edge);
    if (this.edges !== null) {
      this.edges.opacity = theme.edgeOpacity;
    }
    this.meshes.forEach((mesh, body) => {
      if (!this.infos[body].bounded) {
        mesh.material.color.set(theme.ground);
        mesh.material.userData.line.value.set(theme.line);
        mesh.material.userData.strength.value = theme.lineStrength;
        mesh.material.opacity = this.infos[body].level ? 1 : 0.4;
        mesh.material.transparent = !this.infos[body].level;
      }
    });
  }

  private clear(): void {
    this.glow(false);
    this.group.clear();
    this.disposables.forEach((one) => one.dispose());
    this.disposables = [];
    this.meshes = [];
    this.selected = -1;
  }

  /** Gives the chosen body a material of its own that glows, or takes it away. */
  private glow(on: boolean): void {
    const mesh = this.meshes[this.selected];
    if (mesh === undefined || !this.infos[this.selected].bounded) {
      return;
    }
    const { wireframe } = mesh.material;
    if (on) {
      mesh.material = material(this.infos[this.selected], 1);
      mesh.material.emissive.set(MARKS.selected);
      mesh.material.emissiveIntensity = 0.35;
    } else {
      mesh.material.dispose();
      mesh.material = this.material(this.infos[this.selected], 1);
    }
    mesh.material.wireframe = wireframe;
  }

  private material(body: BodyInfo, size: number): BodyMaterial {
    const key = body.bounded ? `${body.ball} ${body.color.join()}` : `plane ${body.level} ${gridOf(size)}`;
    const known = this.materials.get(key) ?? material(body, size);
    if (this.materials.size >= MOST_MATERIALS) {
      this.materials.forEach((one) => one.dispose());
      this.materials.clear();
    }
    this.materials.set(key, known);
    return known;
  }

  private keep<T extends BufferGeometry | Material>(one: T): T {
    this.disposables.push(one);
    return one;
  }
}

function geometry({ positions, normals, indices }: LookData): BufferGeometry {
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(positions, 3));
  made.setAttribute("normal", new BufferAttribute(normals, 3));
  made.setIndex(new BufferAttribute(indices, 1));
  return made;
}

function material(body: BodyInfo, size: number): BodyMaterial {
  if (!body.bounded) {
    return ground(gridOf(size));
  }
  const [r, g, b] = body.color.map((part) => part / 255);
  const color = new Color().setRGB(r, g, b, "srgb");
  const parameters = { color, roughness: 0.48, metalness: 0.02 };
  return body.ball ? ball(parameters) : new MeshStandardMaterial(parameters);
}

/** Width of the grid's squares, m: a power of ten a few of which span the scene. */
function gridOf(size: number): number {
  return 10 ** Math.round(Math.log10(0.4 * size));
}

/** The centre of mass of a body in a frame. */
export function centre(numbers: Float64Array, body: number): Vector3 {
  return new Vector3().fromArray(numbers, FRAME.length + body * BODY.length + BODY.centre);
}
