// The time line: a slider over a drawing of how far the run has come and where the impacts are.

import { DENSITY } from "../protocol";
import { byId, css, sharp } from "./dom";

export class TimeLine {
  private readonly slider = byId<HTMLInputElement>("time");
  private readonly canvas = byId<HTMLCanvasElement>("ticks");
  private end = 1;
  private reached = 0;
  private densities: Float64Array = new Float64Array();
  private failed = false;

  constructor(seek: (time: number) => void) {
    this.slider.addEventListener("input", () => seek(this.slider.valueAsNumber * this.end));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  open(end: number): void {
    this.end = Math.max(end, Number.MIN_VALUE);
    [this.reached, this.failed, this.densities] = [0, false, new Float64Array()];
    this.show(0);
    this.draw();
  }

  /** Parts of the time line that are told apart: one for each two pixels. */
  get parts(): number {
    return Math.max(1, Math.floor(this.canvas.clientWidth / 2));
  }

  show(time: number): void {
    this.slider.value = String(Math.min(1, time / this.end));
    this.slider.setAttribute("aria-valuetext", `${time.toFixed(4)} seconds`);
  }

  update(reached: number, failed: boolean, densities: Float64Array | null): void {
    this.reached = reached;
    this.failed = failed;
    this.densities = densities ?? this.densities;
    this.draw();
  }

  draw(): void {
    const area = sharp(this.canvas);
    if (area === null) {
      return;
    }
    const { context, width, height } = area;
    const [left, span] = [6, width - 12];
    const base = height - 9;
    context.fillStyle = css("track");
    context.beginPath();
    context.roundRect(left, base, span, 4, 2);
    context.fill();
    const share = Math.min(1, this.reached / this.end);
    context.fillStyle = css("computed");
    context.beginPath();
    context.roundRect(left, base, span * share, 4, 2);
    context.fill();
    if (this.failed) {
      context.fillStyle = css("bad");
      context.fillRect(left + span * share - 1, base - 6, 3, 14);
    }
    this.drawTicks(context, left, span, base);
  }

  private drawTicks(context: CanvasRenderingContext2D, left: number, span: number, base: number): void {
    const parts = this.densities.length / DENSITY.length;
    const width = span / Math.max(parts, 1);
    const [collision, micro] = [css("collision"), css("micro")];
    let hardest = 0;
    for (let part = 0; part < parts; part++) {
      hardest = Math.max(hardest, this.densities[part * DENSITY.length + DENSITY.hardest]);
    }
    for (let part = 0; part < parts; part++) {
      const at = part * DENSITY.length;
      const x = left + part * width;
      if (this.densities[at + DENSITY.micros] > 0) {
        context.fillStyle = micro;
        context.globalAlpha = 0.35;
        context.fillRect(x, base - 3, width, 3);
      }
      if (this.densities[at + DENSITY.collisions] > 0) {
        context.fillStyle = collision;
        context.globalAlpha = 0.85;
        const height = 4 + (base - 6) * Math.sqrt(this.densities[at + DENSITY.hardest] / Math.max(hardest, Number.MIN_VALUE));
        context.fillRect(x, base - height, Math.max(1, Math.min(1.5, width)), height);
      }
      context.globalAlpha = 1;
    }
  }
}
