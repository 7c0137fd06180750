// Small helpers for elements. Texts are set as text, never as HTML.

/** The element with an id, which index.html has. */
export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`the page has no element ${id}`);
  }
  return found as T;
}

/** Longest text of an element, characters: names from scripts and files may have any length, and a line of a million stops the page. */
const LONGEST = 4000;

/** A text that can be shown. */
export function clipped(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} … (${text.length - LONGEST} more characters)`;
}

/** A new element with classes, text and children. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, classes = "", text = "", ...children: Node[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (classes !== "") {
    made.className = classes;
  }
  if (text !== "") {
    made.textContent = clipped(text);
  }
  made.append(...children);
  return made;
}

/** Drawings of buttons: paths within a square of 24; those after `!` are filled. */
const ICONS = {
  play: "!M8 5.5v13l10.5-6.5z",
  pause: "!M7.5 5.5h3v13h-3z!M13.5 5.5h3v13h-3z",
  reverse: "!M16 5.5v13L5.5 12z",
  start: "M6 5.5v13!M18.5 6v12L9 12z",
  impactBack: "M5.5 5.5v13!M12.5 6.5v11L7 12z!M20 6.5v11L14.5 12z",
  impactOn: "M18.5 5.5v13!M11.5 6.5v11L17 12z!M4 6.5v11L9.500 12z",
  eventBack: "!M14 6.500v11L7.500 12z",
  eventOn: "!M10 6.500v11l6.500-5.500z",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  eye: "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600z",
  side: "M4 5h16v14H4zM14.500 5v14",
  theme: "M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z",
  help: "M9 9.200a3 3 0 1 1 4.300 2.700c-.9.500-1.300 1.100-1.300 2.100M12 17.600v.1",
  sliders: "M4 7h9M17 7h3M4 12h3M11 12h9M4 17h11M19 17h1M15 5v4M9 10v4M17 15v4",
  code: "M9 7l-5 5 5 5M15 7l5 5-5 5",
  share: "M14 5h5v5M19 5l-8 8M10 6H5v13h13v-5",
  hardest: "M12 3v4M12 17v4M3 12h4M17 12h4M5.600 5.600l2.800 2.800M15.600 15.600l2.800 2.800M5.600 18.400l2.800-2.800M15.600 8.400l2.800-2.800!M12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
  close: "M6 6l12 12M18 6L6 18",
} as const;

export type IconName = keyof typeof ICONS;

/** Puts a drawing into a button. */
export function setIcon(button: HTMLElement, name: IconName): void {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const [outline, ...solid] = ICONS[name].split("!");
  for (const [path, filled] of [[outline, false], ...solid.map((one) => [one, true])] as [string, boolean][]) {
    if (path !== "") {
      const drawn = document.createElementNS(space, "path");
      drawn.setAttribute("d", path);
      if (filled) {
        drawn.setAttribute("class", "solid");
      }
      svg.append(drawn);
    }
  }
  button.replaceChildren(svg);
}

/** Replaces the pairs of a description list. */
export function setFacts(list: HTMLElement, facts: [string, string][]): void {
  const same = list.childElementCount === 2 * facts.length;
  facts.forEach(([name, value], number) => {
    if (same) {
      list.children[2 * number].textContent = name;
      list.children[2 * number + 1].textContent = value;
    }
  });
  if (!same) {
    list.replaceChildren(...facts.flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)]));
  }
}

/** A canvas with as many pixels as the screen gives it, and its size in CSS pixels. */
export function sharp(canvas: HTMLCanvasElement): { context: CanvasRenderingContext2D; width: number; height: number } | null {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext("2d");
  if (context === null || width === 0 || height === 0) {
    return null;
  }
  const ratio = window.devicePixelRatio;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    [canvas.width, canvas.height] = [w, h];
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

/** A colour of the style sheet. */
export function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** A number with so many digits, without an exponent where that is short. */
export function digits(value: number, count = 4): string {
  if (!Number.isFinite(value)) {
    return "–";
  }
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) {
    return value.toExponential(count - 2).replace("e+", "e");
  }
  return String(Number(value.toPrecision(count)));
}
