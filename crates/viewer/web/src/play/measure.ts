// Expressions over a run, for the numbers of lessons: arithmetic, `param(name)`, `collisions`, and of the states of a body over time, such as
// `ball.z`, `start`, `end`, `max`, `min`, `peak(ball.z, n)` (the n-th maximum after the start) and `period(ball.x)`.

import type { App } from "../app";
import { FRAME, TRACK } from "../protocol";

const COLUMNS: Record<string, number> = {
  x: TRACK.position, y: TRACK.position + 1, z: TRACK.position + 2, vx: TRACK.velocity, vy: TRACK.velocity + 1, vz: TRACK.velocity + 2,
  wx: TRACK.spin, wy: TRACK.spin + 1, wz: TRACK.spin + 2,
};

interface Series {
  times: number[];
  values: number[];
}

type Value = number | Series;

export class Measure {
  private tokens: string[] = [];

  constructor(private readonly app: App) {}

  async value(expression: string): Promise<number> {
    this.tokens = expression.match(/[A-Za-z_]\w*(?:\.\w+)?|\d+(?:\.\d+)?(?:e-?\d+)?|[-+*/^(),]/g) ?? [];
    const found = await this.sum();
    if (this.tokens.length > 0) {
      throw new Error(`unexpected ${this.tokens[0]}`);
    }
    return numeric(found);
  }

  private async sum(): Promise<Value> {
    let left = await this.product();
    while (this.tokens[0] === "+" || this.tokens[0] === "-") {
      const sign = this.tokens.shift() === "+" ? 1 : -1;
      left = numeric(left) + sign * numeric(await this.product());
    }
    return left;
  }

  private async product(): Promise<Value> {
    let left = await this.power();
    while (this.tokens[0] === "*" || this.tokens[0] === "/") {
      const times = this.tokens.shift() === "*";
      const right = numeric(await this.power());
      left = times ? numeric(left) * right : numeric(left) / right;
    }
    return left;
  }

  private async power(): Promise<Value> {
    const base = await this.atom();
    if (this.tokens[0] !== "^") {
      return base;
    }
    this.tokens.shift();
    return numeric(base) ** numeric(await this.power());
  }

  private async atom(): Promise<Value> {
    const token = this.tokens.shift() ?? "";
    if (token === "(") {
      const inner = await this.sum();
      this.expect(")");
      return inner;
    }
    if (/^\d/.test(token)) {
      return Number(token);
    }
    if (this.tokens[0] === "(") {
      return this.call(token);
    }
    return token === "collisions" ? (this.app.frame === null ? 0 : this.collisions()) : this.series(token);
  }

  private async call(name: string): Promise<Value> {
    this.expect("(");
    if (name === "param") {
      const param = this.tokens.shift() ?? "";
      this.expect(")");
      return Number(this.app.info?.params.find((one) => one.name === param)?.value ?? NaN);
    }
    const given: Value[] = [await this.sum()];
    while (this.tokens[0] === ",") {
      this.tokens.shift();
      given.push(await this.sum());
    }
    this.expect(")");
    return apply(name, given);
  }

  private async collisions(): Promise<number> {
    const wants = { window: 0, contacts: false, closest: false, boxes: false, ghosts: false };
    const { numbers } = await this.app.session.ask<"go">({ ask: "go", time: this.app.info?.end ?? 0, wait: false, wants });
    this.app.player.refresh();
    return numbers[FRAME.collisions];
  }

  private async series(token: string): Promise<Series> {
    const [name, quantity] = token.split(".");
    const body = (this.app.info?.bodies ?? []).findIndex((one) => one.name === name);
    if (body < 0 || COLUMNS[quantity] === undefined) {
      throw new Error(`${token} is not known`);
    }
    const track = await this.app.session.ask<"track">({ ask: "track", body });
    const column = (at: number) => Array.from({ length: track.length / TRACK.length }, (_, k) => track[k * TRACK.length + at]);
    return { times: column(TRACK.time), values: column(COLUMNS[quantity]) };
  }

  private expect(token: string): void {
    if (this.tokens.shift() !== token) {
      throw new Error(`${token} is missing`);
    }
  }
}

function apply(name: string, given: Value[]): number {
  const [first, second] = given;
  if (typeof first === "number") {
    const degrees = (first * Math.PI) / 180;
    const known: Record<string, number> = {
      sqrt: Math.sqrt(first), sin: Math.sin(degrees), cos: Math.cos(degrees), tan: Math.tan(degrees), hypot: Math.hypot(first, numeric(second ?? 0)),
    };
    if (known[name] === undefined) {
      throw new Error(`${name} is not known`);
    }
    return known[name];
  }
  const { times, values } = first;
  switch (name) {
    case "start":
      return values[0];
    case "end":
      return values[values.length - 1];
    case "max":
      return Math.max(...values);
    case "min":
      return Math.min(...values);
    case "peak":
      return values[peaks(values)[numeric(second) - 1]] ?? NaN;
    case "period": {
      const found = peaks(values);
      return found.length < 2 ? NaN : (times[found[found.length - 1]] - times[found[0]]) / (found.length - 1);
    }
    default:
      throw new Error(`${name} is not known`);
  }
}

/** Where values are larger than before and after. */
function peaks(values: number[]): number[] {
  return values.map((_, k) => k).filter((k) => k > 0 && k < values.length - 1 && values[k] > values[k - 1] && values[k] >= values[k + 1]);
}

function numeric(value: Value): number {
  if (typeof value !== "number") {
    throw new Error("a state over time needs start, end, max, min, peak or period");
  }
  return value;
}
