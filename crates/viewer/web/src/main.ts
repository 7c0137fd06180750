// Connects the controls of the page with the app.

import { App } from "./app";
import { Playground } from "./play/playground";
import { SPEEDS } from "./player";
import { byId, make, setIcon, type IconName } from "./ui/dom";
import { hearKeys, type Key } from "./ui/keys";
import { tell } from "./ui/messages";
import { PLOTS, type PlotName } from "./ui/plots";
import { CHOICES, type Choice } from "./view/picture";

const app = new App();
const { player, picture } = app;
const playground = new Playground(app);

const BUTTONS: [string, IconName, () => void][] = [
  ["to-start", "start", () => app.seek(0)],
  ["impact-back", "impactBack", () => stepImpact(false)],
  ["event-back", "eventBack", () => void player.stepEvents(-1)],
  ["reverse", "reverse", () => player.play(player.direction < 0 ? 0 : -1)],
  ["play", "play", () => player.play(player.direction !== 0 ? 0 : 1)],
  ["event-on", "eventOn", () => void player.stepEvents(1)],
  ["impact-on", "impactOn", () => stepImpact(true)],
  ["hardest-impact", "hardest", () => void app.goToHardest()],
  ["share", "share", () => byId("share-link").click()],
  ["fit", "fit", () => void app.fit()],
  ["toggle-show", "eye", () => toggle("toggle-show", "show-panel")],
  ["toggle-side", "side", () => toggle("toggle-side", "side")],
  ["toggle-play", "sliders", () => toggle("toggle-play", "play-panel")],
  ["toggle-editor", "code", () => toggleEditor()],
  ["close-lesson", "close", () => undefined],
  ["close-part", "close", () => undefined],
  ["theme", "theme", () => setTheme(!isDark())],
];

for (const [id, icon, run] of BUTTONS) {
  setIcon(byId(id), icon);
  byId(id).addEventListener("click", run);
}
setIcon(byId("help"), "help");

app.onPlaying = (direction) => {
  setIcon(byId("play"), direction !== 0 ? "pause" : "play");
  byId("play").setAttribute("aria-label", direction !== 0 ? "Pause" : "Play");
  byId("reverse").setAttribute("aria-pressed", String(direction < 0));
};

function stepImpact(forward: boolean): void {
  void player.stepImpact(forward, picture.choices.has("micros")).then((found) => {
    if (!found) {
      tell("step", forward ? "No impact comes after this one." : "No impact came before this one.", false);
    }
  });
}

function toggle(button: string, panel: string): void {
  const hide = !byId(panel).hidden;
  byId(panel).hidden = hide;
  byId(button).setAttribute("aria-expanded", String(!hide));
  setMargins();
}

function toggleEditor(): void {
  toggle("toggle-editor", "editor-panel");
  if (!byId("editor-panel").hidden) {
    void playground.editing.open();
  }
}

/** Tells the picture what the panels cover. */
function setMargins(): void {
  const [side, panels, bottom, wide] = [byId("side"), byId("left"), byId("bottom"), window.innerWidth > 720];
  const shown = [...panels.children].some((panel) => !(panel as HTMLElement).hidden);
  const sheet = wide ? 0 : Math.max(side.hidden ? 0 : side.offsetHeight, shown ? panels.offsetHeight : 0);
  const left = wide && shown ? panels.offsetWidth + 12 : 0;
  const right = wide && !side.hidden ? side.offsetWidth + 12 : 0;
  picture.stage.setMargins({ top: 64, right, bottom: bottom.offsetHeight + 12 + sheet, left });
}

/** Light or dark is remembered where the page may. */
function isDark(): boolean {
  return document.documentElement.dataset.theme === "dark";
}

function setTheme(dark: boolean): void {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  picture.setTheme(dark);
  app.plots.draw();
  player.refresh();
  try {
    localStorage.setItem("theme", dark ? "dark" : "light");
  } catch {
    // Not in a sandboxed frame.
  }
}

function firstTheme(): boolean {
  try {
    const kept = localStorage.getItem("theme");
    if (kept !== null) {
      return kept === "dark";
    }
  } catch {
    // Not in a sandboxed frame.
  }
  return window.matchMedia("(prefers-color-scheme: dark)").matches;
}

function fillSpeeds(): void {
  const speed = byId<HTMLSelectElement>("speed");
  for (const value of SPEEDS) {
    const option = make("option", "", value >= 1 ? `${value} ×` : `1/${Math.round(1 / value)} ×`);
    option.value = String(value);
    speed.append(option);
  }
  speed.value = "1";
  speed.addEventListener("change", () => (player.speed = Number(speed.value)));
}

function changeSpeed(by: number): void {
  const speed = byId<HTMLSelectElement>("speed");
  speed.selectedIndex = Math.max(0, Math.min(SPEEDS.length - 1, speed.selectedIndex + by));
  player.speed = Number(speed.value);
}

function fillChoices(): void {
  for (const name of Object.keys(CHOICES) as Choice[]) {
    const { label, swatch, on } = CHOICES[name];
    const box = make("input");
    Object.assign(box, { type: "checkbox", id: `draw-${name}`, checked: on });
    box.addEventListener("change", () => void app.draw(name, box.checked));
    const words = make("span", "", label);
    const mark = make("span", `swatch ${swatch}`);
    byId("choices").append(make("label", "check", "", box, mark, words));
  }
}

function fillPlots(): void {
  const choice = byId<HTMLSelectElement>("plot-choice");
  for (const name of Object.keys(PLOTS) as PlotName[]) {
    const option = make("option", "", PLOTS[name].label);
    option.value = name;
    choice.append(option);
  }
  choice.addEventListener("change", () => {
    app.plots.choice = choice.value as PlotName;
    void app.plotTrack();
  });
}

function hearPicture(): void {
  const canvas = byId<HTMLCanvasElement>("picture");
  let [x, y] = [0, 0];
  canvas.addEventListener("pointerdown", (event) => ([x, y] = [event.clientX, event.clientY]));
  canvas.addEventListener("click", (event) => {
    // Not at the end of a turn of the camera.
    if (Math.hypot(event.clientX - x, event.clientY - y) < 5) {
      app.select(picture.pick(event));
    }
  });
  const follow = byId<HTMLInputElement>("follow");
  follow.addEventListener("change", () => (picture.follow = follow.checked));
}

const turn = (around: number, up: number, nearer = 1) => () => picture.stage.orbit(around, up, nearer);
const nextBody = (by: number) => () => {
  const count = app.info?.bodies.length ?? 0;
  app.select(((picture.selected + 1 + by + count + 1) % (count + 1)) - 1);
};
const KEYS: Key[] = [
  { keys: [" "], about: "play or pause", run: () => byId("play").click() },
  { keys: ["r"], about: "play backwards", run: () => byId("reverse").click() },
  { keys: ["Home"], about: "to the beginning", run: () => app.seek(0) },
  { keys: ["End"], about: "to the end", run: () => app.seek(app.info?.end ?? 0) },
  { keys: ["."], about: "next event", run: () => byId("event-on").click() },
  { keys: [","], about: "last event", run: () => byId("event-back").click() },
  { keys: ["n"], about: "next impact", run: () => byId("impact-on").click() },
  { keys: ["p"], about: "last impact", run: () => byId("impact-back").click() },
  { keys: ["h"], about: "hardest impact", run: () => byId("hardest-impact").click() },
  { keys: ["]"], about: "faster", run: () => changeSpeed(1) },
  { keys: ["["], about: "slower", run: () => changeSpeed(-1) },
  { keys: ["b"], about: "next body", run: nextBody(1) },
  { keys: ["B"], about: "last body", run: nextBody(-1) },
  { keys: ["ArrowLeft"], about: "turn the camera left", run: turn(-0.1, 0) },
  { keys: ["ArrowRight"], about: "turn the camera right", run: turn(0.1, 0) },
  { keys: ["ArrowUp"], about: "turn the camera up", run: turn(0, 0.08) },
  { keys: ["ArrowDown"], about: "turn the camera down", run: turn(0, -0.08) },
  { keys: ["+", "="], about: "nearer", run: turn(0, 0, 1.15) },
  { keys: ["-"], about: "farther", run: turn(0, 0, 1 / 1.15) },
  { keys: ["f"], about: "show everything", run: () => void app.fit() },
  { keys: ["d"], about: "what is drawn", run: () => byId("toggle-show").click() },
  { keys: ["i"], about: "bodies and plots", run: () => byId("toggle-side").click() },
  { keys: ["c"], about: "change and try", run: () => byId("toggle-play").click() },
  { keys: ["e"], about: "script", run: () => byId("toggle-editor").click() },
  { keys: ["s"], about: "copy a link to what is shown", run: () => byId("share").click() },
  { keys: ["l"], about: "light or dark", run: () => byId("theme").click() },
  { keys: ["g"], about: "scenes", run: () => app.gallery.open() },
  { keys: ["?"], about: "this list", run: () => byId("help").click() },
];

fillSpeeds();
fillChoices();
fillPlots();
hearPicture();
hearKeys(KEYS);
setTheme(firstTheme());
if (window.innerWidth <= 720) {
  toggle("toggle-side", "side");
}
setMargins();
const margins = new ResizeObserver(setMargins);
[byId("app"), byId("left")].forEach((one) => margins.observe(one));
// For those who want to read numbers off the page, tests among them.
Object.assign(window, { impulse: app, playground });
app.begin().catch((error: Error) => tell("begin", error.message, true));
