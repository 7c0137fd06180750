// Parameters of the scene as sliders and fields. A change restarts at once, with the last run as a ghost.

import type { App } from "../app";
import type { ParamInfo } from "../protocol";
import { byId, digits, make } from "../ui/dom";

/** A parameter that rests for so long, ms, begins a new comparison. */
const REST = 1500;

export class Params {
  private wished: Record<string, string> | null = null;
  private busy = false;
  private changed = 0;
  private names = "";

  constructor(private readonly app: App) {
    byId("reset-params").addEventListener("click", () => void this.set({}));
    byId("clear-ghost").addEventListener("click", () => void this.clearGhosts());
    byId<HTMLInputElement>("seed").addEventListener("change", () => void this.set({ ...this.app.place.params }));
  }

  /** Another scene, or the same with other values. */
  opened(): void {
    const params = this.app.info?.params ?? [];
    const names = params.map(({ name, kind }) => `${name} ${kind}`).join();
    byId<HTMLInputElement>("seed").value = String(this.app.place.seed);
    if (names !== this.names) {
      this.names = names;
      byId("param-list").replaceChildren(...(params.length === 0 ? [make("p", "quiet", "This scene has none. In the script: param(\"height\", 1.0)")] : params.map((one) => this.row(one))));
    }
    // A slider that is being moved keeps its place.
    params.forEach((one) => this.show(one));
  }

  /** Sets parameters by name; others have their defaults. */
  async set(params: Record<string, string>): Promise<void> {
    this.wished = params;
    if (this.busy) {
      return;
    }
    this.busy = true;
    while (this.wished !== null) {
      const next: Record<string, string> = this.wished;
      this.wished = null;
      const now = performance.now();
      const ghost = now - this.changed > REST || this.app.picture.ghosts.count === 0 ? "last" : "keep";
      this.changed = now;
      const seed = Math.max(0, Math.floor(byId<HTMLInputElement>("seed").valueAsNumber || 0));
      await this.app.open({ ...this.app.here(), params: next, seed, time: 0 }, true, { ghost });
    }
    this.busy = false;
  }

  private async clearGhosts(): Promise<void> {
    await this.app.session.ask<"ghostClear">({ ask: "ghostClear" });
    this.app.picture.ghosts.clear();
    this.app.plots.setGhosts([]);
    byId("outcomes").replaceChildren();
    this.app.player.refresh();
  }

  private row(param: ParamInfo): HTMLElement {
    const label = make("label", "", param.name);
    label.htmlFor = `param-${param.name}`;
    const unit = make("span", "unit", param.unit ?? "");
    const field = make("input");
    Object.assign(field, { id: `param-${param.name}`, type: param.kind === "flag" ? "checkbox" : param.kind === "text" ? "text" : "number", step: "any" });
    field.addEventListener("change", () => this.change(param, param.kind === "flag" ? String(field.checked) : field.value));
    const row = make("div", "param", "", make("div", "row head", "", label, make("span", "row", "", field, unit)));
    if (param.kind === "integer" || param.kind === "number") {
      row.append(this.slider(param));
    }
    if (param.about !== null) {
      row.append(make("p", "quiet", param.about));
    }
    return row;
  }

  private slider(param: ParamInfo): HTMLElement {
    const slider = make("input");
    const [min, max] = rangeOf(param);
    const step = param.kind === "integer" ? 1 : 10 ** Math.floor(Math.log10((max - min) / 200));
    Object.assign(slider, { type: "range", id: `slide-${param.name}`, min: String(min), max: String(max), step: String(step) });
    slider.setAttribute("aria-label", `${param.name}, ${digits(min)} to ${digits(max)} ${param.unit ?? ""}`);
    slider.addEventListener("input", () => this.change(param, slider.value));
    return slider;
  }

  private change(param: ParamInfo, value: string): void {
    const params = { ...(this.wished ?? this.app.place.params), [param.name]: value };
    if (value === "" || value === param.default || Number(value) === Number(param.default)) {
      delete params[param.name];
    }
    void this.set(params);
  }

  private show({ name, kind, value }: ParamInfo): void {
    const field = document.getElementById(`param-${name}`) as HTMLInputElement | null;
    const slider = document.getElementById(`slide-${name}`) as HTMLInputElement | null;
    if (field !== null && kind === "flag") {
      field.checked = value === "true";
    } else if (field !== null && (document.activeElement !== field || this.wished === null)) {
      field.value = value;
    }
    if (slider !== null && document.activeElement !== slider) {
      slider.value = value;
    }
  }
}

/** The range of a slider: what the script says, or a generous one around the default. */
function rangeOf({ default: given, min, max, kind }: ParamInfo): [number, number] {
  const value = Number(given);
  const reach = value === 0 ? 10 : 2.5 * Math.abs(value);
  const low = min ?? (value < 0 ? -reach : value === 0 ? -reach : kind === "integer" ? Math.min(1, value) : 0);
  const high = max ?? Math.max(low + 1e-9, value <= 0 ? reach : reach);
  return [low, kind === "integer" ? Math.ceil(high) : high];
}
