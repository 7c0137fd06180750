// The chosen body in words and numbers, with its impacts, and the counters of the run.

import { BODY, FLAG, FRAME, NOTE, type BodyInfo, type FrameData, type ProgressReport } from "../protocol";
import { byId, digits, make, setFacts } from "./dom";

/** Kinds of events, by their numbers in a frame. */
const EVENTS = ["check", "impact", "hop", "carried", "new box", "joint stop"];

export class Inspector {
  private readonly select = byId<HTMLSelectElement>("body");
  private readonly table = byId<HTMLTableElement>("impacts");
  private bodies: BodyInfo[] = [];
  private rows = "";

  constructor(
    choose: (body: number) => void,
    private readonly jump: (event: number) => void,
  ) {
    this.select.addEventListener("change", () => choose(Number(this.select.value)));
  }

  open(bodies: BodyInfo[]): void {
    this.bodies = bodies;
    const options = bodies.map((body, number) => option(String(number), body.name));
    this.select.replaceChildren(option("-1", "none; click one, or choose here"), ...options);
    this.rows = "";
    this.showImpacts(new Float64Array());
  }

  /** Shows a body of a frame; none for -1. */
  show(body: number, frame: FrameData): void {
    this.select.value = String(body);
    const info = this.bodies[body];
    setFacts(byId("facts"), info === undefined ? [] : facts(info, frame.numbers, body));
  }

  /** Shows impacts in short, the latest first. */
  showImpacts(notes: Float64Array): void {
    this.table.hidden = notes.length === 0;
    // Only what has changed: a table that is built anew loses the focus.
    const rows = notes.join();
    if (rows === this.rows) {
      return;
    }
    this.rows = rows;
    const made: HTMLElement[] = [];
    for (let at = 0; at < notes.length; at += NOTE.length) {
      made.push(this.row(notes.subarray(at, at + NOTE.length)));
    }
    this.table.tBodies[0].replaceChildren(...made);
  }

  /** The hardest collision of the run, as a button that goes there. */
  showHardest(note: Float64Array): void {
    const button = byId<HTMLButtonElement>("hardest");
    button.hidden = note.length === 0;
    const names = [note[NOTE.first], note[NOTE.second]].map((body) => this.bodies[body]?.name ?? "").join(" and ");
    button.textContent = `Hardest impact: ${names}, ${digits(note[NOTE.impulse], 3)} N s at ${digits(note[NOTE.time], 4)} s`;
    button.onclick = () => this.jump(note[NOTE.event]);
  }

  showRun(frame: FrameData, report: ProgressReport | null): void {
    const { numbers } = frame;
    const next = numbers[FRAME.nextKind] < 0 ? "none" : `${EVENTS[numbers[FRAME.nextKind]]} at ${digits(numbers[FRAME.nextTime], 6)} s`;
    const last = numbers[FRAME.lastKind] < 0 ? "–" : EVENTS[numbers[FRAME.lastKind]];
    const bodies = (first: number) => {
      const names = [numbers[first], numbers[first + 1]].map((body) => this.bodies[body]?.name).filter((name) => name !== undefined);
      return names.length > 0 ? ` (${names.join(", ")})` : "";
    };
    setFacts(byId("counters"), [
      ["events", String(numbers[FRAME.events])],
      ["collisions", String(numbers[FRAME.collisions])],
      ["microcollisions", String(numbers[FRAME.micros])],
      ["last event", last + bodies(FRAME.lastFirst)],
      ["next event", next + bodies(FRAME.nextFirst)],
      ["energy", `${digits(numbers[FRAME.kinetic] + numbers[FRAME.potential], 6)} J`],
      ["events per second", report === null ? "–" : digits(report.eventsPerSecond, 3)],
      ["times real time", report === null ? "–" : digits(report.timesRealTime, 3)],
    ]);
  }

  private row(note: Float64Array): HTMLElement {
    const button = make("button", "", `${note[NOTE.time].toFixed(5)} s`);
    button.setAttribute("aria-label", `Go to the impact at ${note[NOTE.time].toFixed(5)} s`);
    button.addEventListener("click", () => this.jump(note[NOTE.event]));
    const others = [note[NOTE.first], note[NOTE.second]].filter((body) => String(body) !== this.select.value);
    const cells = [make("td", "", "", button), make("td", "", this.bodies[others[0]]?.name ?? "")];
    cells.push(make("td", "", digits(note[NOTE.impulse], 3)), make("td", "", digits(note[NOTE.lost], 2)));
    return make("tr", note[NOTE.micro] !== 0 ? "micro" : "", "", ...cells);
  }
}

function option(value: string, text: string): HTMLOptionElement {
  const made = make("option", "", text);
  made.value = value;
  return made;
}

function facts(info: BodyInfo, numbers: Float64Array, body: number): [string, string][] {
  const at = FRAME.length + body * BODY.length;
  const vector = (place: number) => [0, 1, 2].map((axis) => numbers[at + place + axis]);
  const told = (values: number[]) => values.map((x) => digits(x, 4)).join(", ");
  const flags = numbers[at + BODY.flags];
  const lasting = (flags & FLAG.lasting) !== 0;
  const state = flags & FLAG.frozen ? "at rest" : lasting ? "in lasting contact" : flags & FLAG.settled ? "settled" : "in flight";
  const velocity = lasting ? vector(BODY.mean) : vector(BODY.velocity);
  const list: [string, string][] = [["kind", info.kind], ["friction, restitution", `${digits(info.friction)}, ${digits(info.restitution)}`]];
  if (info.kind === "fixed") {
    return list;
  }
  list.push(["position, m", told(vector(BODY.centre))], [lasting ? "mean velocity, m/s" : "velocity, m/s", told(velocity)]);
  list.push(["speed, m/s", digits(Math.hypot(...velocity))], ["spin, rad/s", told(vector(BODY.spin))]);
  if (info.mass !== null) {
    list.splice(1, 0, ["mass", `${digits(info.mass)} kg`], ["state", state]);
    list.push(["kinetic energy", `${digits(numbers[at + BODY.kinetic])} J`]);
  }
  return list;
}
