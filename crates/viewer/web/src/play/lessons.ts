// Lessons: short texts beside a scene, with numbers that are computed from the run and things to try.
//
// A lesson is Markdown with a line `scene: name` first. `{{...}}` is an expression of ./measure.ts, `[words](set:name=value)` a button that sets a
// parameter, and nothing is taken as HTML.

import type { App } from "../app";
import { byId, digits, make } from "../ui/dom";
import { Measure } from "./measure";
import type { Params } from "./params";

interface Lesson {
  scene: string;
  title: string;
  text: string;
}

const FILES = import.meta.glob<string>("../../../../scenes/lessons/*.md", { query: "?raw", import: "default", eager: true });

/** All lessons in their order. */
export const LESSONS: Lesson[] = Object.keys(FILES).sort().map((path) => {
  const [head, ...rest] = FILES[path].split("\n");
  const text = rest.join("\n").trim();
  return { scene: head.replace(/^scene:\s*/, "").trim(), title: /^# (.*)$/m.exec(text)?.[1] ?? "", text: text.replace(/^# .*$/m, "").trim() };
});

export class Lessons {
  private lesson: Lesson | null = null;
  private readonly numbers: { place: HTMLElement; expression: string }[] = [];
  private measured = 0;

  constructor(
    private readonly app: App,
    private readonly params: Params,
  ) {
    byId("lesson-list").replaceChildren(
      ...LESSONS.map((lesson) => {
        const button = make("button", "lesson-button", lesson.title);
        button.addEventListener("click", () => void this.open(lesson));
        return button;
      }),
    );
    byId("close-lesson").addEventListener("click", () => this.close());
  }

  async open(lesson: Lesson): Promise<void> {
    byId<HTMLDialogElement>("gallery").close();
    this.lesson = lesson;
    byId("lesson-title").textContent = lesson.title;
    this.numbers.length = 0;
    byId("lesson-text").replaceChildren(...lesson.text.split(/\n\n+/).map((block) => this.block(block)));
    byId("lesson").hidden = false;
    await this.app.open({ ...this.app.place, scene: lesson.scene, code: null, params: {}, seed: 0, until: null, time: null, camera: null }, true);
  }

  close(): void {
    this.lesson = null;
    byId("lesson").hidden = true;
  }

  /** Another scene is open: a lesson about another one is closed. */
  opened(): void {
    if (this.lesson !== null && this.app.place.scene !== this.lesson.scene) {
      this.close();
    }
    this.numbers.forEach(({ place }) => (place.textContent = "…"));
  }

  /** The run is complete: numbers are computed. */
  async finished(): Promise<void> {
    if (this.lesson === null) {
      return;
    }
    const number = ++this.measured;
    const measure = new Measure(this.app);
    for (const { place, expression } of [...this.numbers]) {
      const value = await measure.value(expression).catch((error: Error) => error);
      if (number !== this.measured) {
        return;
      }
      place.textContent = value instanceof Error ? "?" : digits(value, 4);
      place.title = value instanceof Error ? value.message : expression;
    }
  }

  private block(text: string): HTMLElement {
    if (text.startsWith("- ")) {
      return make("ul", "", "", ...text.split(/^- /m).filter((item) => item !== "").map((item) => make("li", "", "", ...this.inline(item.trim()))));
    }
    return make("p", "", "", ...this.inline(text));
  }

  /** Words, `{{numbers}}`, buttons and *emphasis*. */
  private inline(text: string): Node[] {
    const pieces = text.replaceAll("\n", " ").split(/(\{\{.*?\}\}|\[[^\]]*\]\(set:[^)]*\)|\*[^*]+\*)/);
    return pieces.filter((piece) => piece !== "").map((piece) => {
      const button = /^\[([^\]]*)\]\(set:([^=)]*)=([^)]*)\)$/.exec(piece);
      if (button !== null) {
        const made = make("button", "try", button[1]);
        made.addEventListener("click", () => void this.params.set({ ...this.app.place.params, [button[2]]: button[3] }));
        return made;
      }
      if (piece.startsWith("{{")) {
        const place = make("output", "measured", "…");
        this.numbers.push({ place, expression: piece.slice(2, -2) });
        return place;
      }
      return piece.startsWith("*") && piece.endsWith("*") && piece.length > 2 ? make("em", "", piece.slice(1, -1)) : document.createTextNode(piece);
    });
  }
}
