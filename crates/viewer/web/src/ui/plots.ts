// Plots over time, tied to the time line: energy, collision rate, the states of the chosen body.

import { SAMPLE, TRACK } from "../protocol";
import { byId, css, digits, make, sharp } from "./dom";

/** Room for labels on the left, pixels. */
const GUTTER = 44;

interface Series {
  name: string;
  values: number[];
}

/** What can be plotted; those of a body need its track. */
export const PLOTS = {
  energy: { label: "energy, J", body: false },
  rate: { label: "collisions per second", body: false },
  height: { label: "position of the body, m", body: true },
  speed: { label: "velocity of the body, m/s", body: true },
  spin: { label: "spin of the body, rad/s", body: true },
} as const;

export type PlotName = keyof typeof PLOTS;

export class Plots {
  choice: PlotName = "energy";
  private readonly canvas = byId<HTMLCanvasElement>("plot");
  private readonly legend = byId("plot-legend");
  private samples: number[] = [];
  private ghosts: { samples: ArrayLike<number>; track: Float64Array }[] = [];
  private track: Float64Array = new Float64Array();
  private end = 1;
  private now = 0;

  constructor(seek: (time: number) => void) {
    const jump = (event: PointerEvent) => {
      if (event.buttons !== 0) {
        const { left, width } = this.canvas.getBoundingClientRect();
        seek(Math.max(0, Math.min(1, (event.clientX - left - GUTTER) / (width - GUTTER))) * this.end);
      }
    };
    this.canvas.addEventListener("pointerdown", jump);
    this.canvas.addEventListener("pointermove", jump);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  open(end: number): void {
    this.end = Math.max(end, Number.MIN_VALUE);
    this.samples = [];
    this.track = new Float64Array();
    this.ghosts = [];
  }

  /** Other runs that are drawn faintly. */
  setGhosts(ghosts: { samples: ArrayLike<number>; track: Float64Array }[]): void {
    this.ghosts = ghosts;
    this.draw();
  }

  get ghostCount(): number {
    return this.ghosts.length;
  }

  add(samples: Float64Array, fresh: boolean): void {
    if (fresh) {
      this.samples = [];
    }
    for (const number of samples) {
      this.samples.push(number);
    }
  }

  setTrack(track: Float64Array): void {
    this.track = track;
    this.draw();
  }

  show(now: number): void {
    this.now = now;
    this.draw();
  }

  draw(): void {
    const area = sharp(this.canvas);
    if (area === null) {
      return;
    }
    const { context, width, height } = area;
    const { times, series } = this.series();
    const others = this.ghosts.map(({ samples, track }) => this.seriesOf(samples, track));
    const range = rangeOf([...series, ...others.flatMap((other) => other.series)]);
    const x = (time: number) => GUTTER + (time / this.end) * (width - GUTTER);
    const y = (value: number) => height - 14 - ((value - range[0]) / (range[1] - range[0])) * (height - 22);
    this.axes(context, width, height, range);
    const lines = (one: { times: number[]; series: Series[] }, width: number, opacity: number) =>
      one.series.forEach(({ values }, number) => {
        Object.assign(context, { strokeStyle: css(`series-${number + 1}`), lineWidth: width, lineJoin: "round", globalAlpha: opacity });
        context.beginPath();
        values.forEach((value, k) => context.lineTo(x(one.times[k]), y(value)));
        context.stroke();
        context.globalAlpha = 1;
      });
    others.forEach((other) => lines(other, 1, others.length > 1 ? 0.3 : 0.5));
    lines({ times, series }, 1.6, 1);
    context.fillStyle = css("accent");
    context.fillRect(x(this.now) - 0.75, 0, 1.5, height - 12);
    this.tell(times, series);
  }

  /** What is plotted now, for the legend and for tests. */
  series(): { times: number[]; series: Series[] } {
    return this.seriesOf(this.samples, this.track);
  }

  private seriesOf(samples: ArrayLike<number>, track: Float64Array): { times: number[]; series: Series[] } {
    const column = (from: ArrayLike<number>, width: number, at: number) =>
      Array.from({ length: from.length / width }, (_, k) => from[k * width + at]);
    const sample = (at: number) => column(samples, SAMPLE.length, at);
    const tracked = (at: number) => column(track, TRACK.length, at);
    const xyz = (at: number) => ["x", "y", "z"].map((name, axis) => ({ name, values: tracked(at + axis) }));
    switch (this.choice) {
      case "energy": {
        const [kinetic, potential] = [sample(SAMPLE.kinetic), sample(SAMPLE.potential)];
        const total = kinetic.map((energy, k) => energy + potential[k]);
        const series = [{ name: "kinetic", values: kinetic }, { name: "potential", values: potential }, { name: "total", values: total }];
        return { times: sample(SAMPLE.time), series };
      }
      case "rate": {
        const [times, counts] = [sample(SAMPLE.time), sample(SAMPLE.collisions)];
        // Over ten samples, since few collisions fall into one.
        const rate = counts.map((count, k) => (count - counts[Math.max(0, k - 10)]) / Math.max(times[k] - times[Math.max(0, k - 10)], 1e-12));
        return { times, series: [{ name: "collisions per s", values: rate }] };
      }
      case "height":
        return { times: tracked(TRACK.time), series: xyz(TRACK.position) };
      case "speed":
        return { times: tracked(TRACK.time), series: xyz(TRACK.velocity) };
      case "spin":
        return { times: tracked(TRACK.time), series: xyz(TRACK.spin) };
    }
  }

  private axes(context: CanvasRenderingContext2D, width: number, height: number, range: [number, number]): void {
    context.strokeStyle = css("line");
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(GUTTER, height - 13.5);
    context.lineTo(width, height - 13.5);
    context.stroke();
    context.fillStyle = css("quiet");
    context.font = "10px system-ui, sans-serif";
    context.fillText(digits(range[1], 3), 0, 9);
    context.fillText(digits(range[0], 3), 0, height - 17);
    context.fillText("0", GUTTER, height - 2);
    const last = `${digits(this.end, 4)} s`;
    context.fillText(last, width - context.measureText(last).width, height - 2);
  }

  private tell(times: number[], series: Series[]): void {
    const after = times.findIndex((time) => time >= this.now);
    const at = after < 0 ? times.length - 1 : after;
    const entries = series.map(({ name, values }, number) => {
      const entry = make("span", "", "", make("i", `s${number + 1}`));
      entry.append(`${name} ${values.length > 0 ? digits(values[at]) : ""}`);
      return entry;
    });
    this.legend.replaceChildren(...(series[0].values.length > 0 ? entries : [make("span", "", "choose a body that moves")]));
  }
}

function rangeOf(series: Series[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { values } of series) {
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (!(low <= high)) {
    return [0, 1];
  }
  const margin = high > low ? 0 : Math.max(Math.abs(high), 1e-3);
  return [low - margin, high + margin];
}
