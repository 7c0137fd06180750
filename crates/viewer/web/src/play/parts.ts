// Files that are dropped on the page: parts, scripts with their parts, recordings.

import type { App } from "../app";
import { engineModule, startWorker } from "../assets";
import type { PartStudy, Recording } from "../protocol";
import { Session } from "../session";
import { byId, digits, make, setFacts } from "../ui/dom";
import { tell, withdraw } from "../ui/messages";

/** Largest part file that is read, bytes: a larger one takes longer than anybody waits. */
const LARGEST = 48 << 20;

/** Sides of the pictures of poses, pixels. */
const PICTURE = 84;

export class Parts {
  /** Part files by name, which scripts may read. */
  readonly files = new Map<string, Uint8Array>();
  /** What is known of the part that is shown. */
  study: PartStudy | null = null;
  private name = "";

  constructor(
    private readonly app: App,
    private readonly script: (name: string, text: string) => void,
    private readonly replay: (recording: Recording, text: string) => void,
  ) {
    const target = byId("app");
    target.addEventListener("dragover", (event) => event.preventDefault());
    target.addEventListener("drop", (event) => {
      event.preventDefault();
      void this.take([...(event.dataTransfer?.files ?? [])]);
    });
    const input = byId<HTMLInputElement>("open-files");
    input.addEventListener("change", () => {
      void this.take([...(input.files ?? [])]);
      input.value = "";
    });
    byId("drop-part").addEventListener("click", () => void this.drop());
    byId("close-part").addEventListener("click", () => (byId("part").hidden = true));
    for (const field of ["part-scale", "part-density"]) {
      byId(field).addEventListener("change", () => void this.weigh());
    }
  }

  /** Takes up files: parts first, so that a script dropped with them finds them. */
  async take(files: File[]): Promise<void> {
    withdraw("file");
    const parts = files.filter((file) => /\.(stl|obj)$/i.test(file.name));
    for (const file of parts) {
      if (file.size > LARGEST) {
        tell("file", `${file.name} has ${Math.round(file.size / 2 ** 20)} MB; the page reads parts of up to ${LARGEST >> 20} MB. Make its mesh coarser, or use \`impulse mass\` and \`impulse poses\`, which read it.`, true);
        return;
      }
      this.files.set(file.name, new Uint8Array(await file.arrayBuffer()));
    }
    for (const file of files.filter((one) => !parts.includes(one))) {
      await this.takeText(file);
    }
    const last = parts.at(-1);
    if (last !== undefined && parts.length === files.length) {
      this.name = last.name;
      await this.weigh();
    }
  }

  private async takeText(file: File): Promise<void> {
    if (file.size > 4 << 20) {
      tell("file", `${file.name} is too large for a script or a recording.`, true);
      return;
    }
    const text = await file.text();
    if (/\.rhai$/i.test(file.name)) {
      this.script(file.name, text);
    } else if (/\.json$/i.test(file.name)) {
      const wrong = await this.app.session.ask<"checkRecording">({ ask: "checkRecording", text }).catch((error: Error) => error);
      if (wrong instanceof Error) {
        tell("file", `${file.name}: ${wrong.message}`, true);
      } else {
        this.replay(JSON.parse(text) as Recording, text);
      }
    } else {
      tell("file", `${file.name} is nothing that the page reads. Drop parts (.stl, .obj), scripts (.rhai) or recordings (.json).`, true);
    }
  }

  /** Studies the part in a worker of its own, which is ended then: its memory goes with it. */
  private async weigh(): Promise<void> {
    const content = this.files.get(this.name);
    if (content === undefined) {
      return;
    }
    const [scale, density] = [numberOf("part-scale"), numberOf("part-density")];
    tell("file", `Reading ${this.name} …`, false);
    let broken = "";
    const reader = new Session(startWorker, engineModule, { progress: () => undefined, silent: () => undefined, broken: (message) => (broken = message) });
    const found = await reader.ask<"part">({ ask: "part", name: this.name, content, scale, density }).catch((error: Error) => error);
    reader.end();
    withdraw("file");
    if (found instanceof Error) {
      tell("file", broken === "" ? found.message : `${this.name} cannot be read: it needs more memory than a page has.`, true);
      this.files.delete(this.name);
      return;
    }
    this.study = found;
    this.show(found);
  }

  private show({ weight, poses, radius, positions, triangles }: PartStudy): void {
    byId("part").hidden = false;
    byId("part-name").textContent = this.name;
    const [low, high] = weight.bounding_box;
    setFacts(byId("part-facts"), [
      ["volume", `${digits(weight.volume, 7)} m³`],
      ["mass", `${digits(weight.mass, 7)} kg`],
      ["centre of mass", `${weight.com.map((x) => digits(x, 5)).join(", ")} m`],
      ["inertia", weight.inertia.map((row) => row.map((x) => (Math.abs(x) < 1e-12 * Math.abs(weight.inertia[2][2]) ? "0" : digits(x, 5))).join(", ")).join("; ")],
      ["size", `${[0, 1, 2].map((axis) => digits(high[axis] - low[axis], 4)).join(" × ")} m`],
      ["surface", `${weight.faces} faces, ${weight.convex ? "convex" : "not convex"}`],
    ]);
    byId("part-notes").replaceChildren(...weight.notes.map((note) => make("li", "", note)));
    byId("poses").replaceChildren(
      ...poses.slice(0, 24).map(({ down, probability, barrier }, number) => {
        const canvas = make("canvas");
        Object.assign(canvas, { width: 2 * PICTURE, height: 2 * PICTURE });
        drawPose(canvas, positions, triangles, radius, down);
        canvas.setAttribute("role", "img");
        canvas.setAttribute("aria-label", `Pose ${number + 1}`);
        const words = barrier === null ? "the only one" : `barrier ${digits(1000 * barrier, 3)} mm`;
        return make("figure", "", "", canvas, make("figcaption", "", `${(100 * probability).toFixed(1)} %\n${words}`));
      }),
    );
  }

  /** Lets the part fall, in a script of its own. */
  private async drop(): Promise<void> {
    if (this.study === null) {
      return;
    }
    const [scale, density, { radius }] = [numberOf("part-scale"), numberOf("part-density"), this.study];
    const text = `// ${this.name} falls on a floor; change the seed for another attitude.
duration(3);
let height = param("height", ${digits(4 * radius, 3)}, #{ min: ${digits(1.2 * radius, 3)}, max: ${digits(20 * radius, 3)}, unit: "m" });
let friction = param("friction", 0.4, #{ min: 0, max: 2 });
let restitution = param("restitution", 0.3, #{ min: 0, max: 1 });
let stuff = material(#{ friction: friction, restitution: restitution });
body("floor", half_space([0, 0, 1], 0), #{ fixed: true, material: stuff });
body("part", mesh(${JSON.stringify(this.name)}, ${scale}), #{ at: [0, 0, height], rotation: rand_rotation(), density: ${density}, material: stuff });
`;
    const files: [string, Uint8Array][] = [["drop.rhai", new TextEncoder().encode(text)], [this.name, this.files.get(this.name) ?? new Uint8Array()]];
    await this.app.openBundle({ main: "drop.rhai", files }, true);
  }
}

/** A positive number of a field. */
function numberOf(id: string): number {
  const value = byId<HTMLInputElement>(id).valueAsNumber;
  return value > 0 && Number.isFinite(value) ? value : 1;
}

/** Draws a part with a direction down: its triangles from back to front, shaded by their slope. */
function drawPose(canvas: HTMLCanvasElement, positions: number[], triangles: number[], radius: number, down: [number, number, number]): void {
  const context = canvas.getContext("2d");
  if (context === null) {
    return;
  }
  const [first, second] = frame(down);
  // Turned about the vertical, so that a corner comes forward.
  const [cos, sin] = [Math.cos(0.6), Math.sin(0.6)];
  const right = first.map((value, axis) => cos * value + sin * second[axis]);
  const away = first.map((value, axis) => cos * second[axis] - sin * value);
  const size = canvas.width;
  const place = (corner: number) => {
    const at = 3 * corner;
    const along = (axis: number[]) => axis[0] * positions[at] + axis[1] * positions[at + 1] + axis[2] * positions[at + 2];
    const [x, y, z] = [along(right), along(away), -along(down)];
    // From above at a slant.
    return [0.5 * size + (0.44 * size * x) / radius, 0.5 * size - (0.44 * size * (0.9 * z + 0.42 * y)) / radius, y - 0.4 * z];
  };
  const step = Math.max(1, Math.floor(triangles.length / 3 / 20000));
  const faces: { corners: number[][]; depth: number; light: number }[] = [];
  for (let at = 0; at < triangles.length; at += 3 * step) {
    const corners = [place(triangles[at]), place(triangles[at + 1]), place(triangles[at + 2])];
    const [[ax, ay], [bx, by], [cx, cy]] = corners;
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (area < 0) {
      const tall = Math.max(...corners.map(([, y]) => y)) - Math.min(...corners.map(([, y]) => y));
      const wide = Math.max(...corners.map(([x]) => x)) - Math.min(...corners.map(([x]) => x));
      faces.push({ corners, depth: corners[0][2] + corners[1][2] + corners[2][2], light: wide / (wide + tall + 1e-9) });
    }
  }
  faces.sort((a, b) => b.depth - a.depth);
  for (const { corners, light } of faces) {
    const shade = Math.round(90 + 110 * light);
    context.fillStyle = `rgb(${shade - 40} ${shade - 10} ${shade + 20})`;
    context.strokeStyle = context.fillStyle;
    context.beginPath();
    corners.forEach(([x, y]) => context.lineTo(x, y));
    context.closePath();
    context.fill();
    context.stroke();
  }
}

/** Two unit vectors at right angles to a direction and each other. */
function frame([x, y, z]: [number, number, number]): [number[], number[]] {
  const helper = Math.abs(x) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const first = [y * helper[2] - z * helper[1], z * helper[0] - x * helper[2], x * helper[1] - y * helper[0]];
  const length = Math.hypot(...first);
  const right = first.map((value) => value / length);
  return [right, [right[1] * z - right[2] * y, right[2] * x - right[0] * z, right[0] * y - right[1] * x]];
}
