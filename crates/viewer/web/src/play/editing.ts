// The panel with the editor: loads it when it is first opened, runs what is written, marks mistakes, keeps drafts.

import type { App } from "../app";
import { loadEditor } from "../assets";
import type { Bundle } from "../bundle";
import type { Editor } from "../editor/main";
import type { OpenFailure } from "../protocol";
import { byId, clipped } from "../ui/dom";
import { tell } from "../ui/messages";

/** Drafts that are kept. */
const DRAFTS = 20;

const START = `// Ctrl-Enter runs it. Hover over a word, or press Ctrl-Space, for help.
duration(4);
let wood = material(#{ friction: 0.5, restitution: 0.4 });
body("floor", half_space([0, 0, 1], 0), #{ fixed: true, material: wood });
body("box", cuboid(0.2, 0.2, 0.2), #{ at: [0, 0, 1], rotation: rand_rotation(), density: 600, material: wood });
`;

export class Editing {
  private editor: Editor | null = null;
  private loading: Promise<Editor> | null = null;
  /** The script that the text belongs to, and whether it differs from what runs. */
  private name = "";
  private edited = false;
  private saving = 0;

  constructor(
    private readonly app: App,
    /** Part files that were dropped on the page. */
    private readonly parts: () => [string, Uint8Array][],
  ) {
    byId("run-script").addEventListener("click", () => void this.run());
    byId("new-script").addEventListener("click", () => void this.show("scene.rhai", START));
    byId("revert-script").addEventListener("click", () => void this.revert());
  }

  /** The panel was opened. */
  async open(): Promise<void> {
    const first = this.editor === null;
    const editor = await this.loaded();
    if (first || !this.edited) {
      this.take();
    }
    editor.focus();
  }

  /** Another scene is open; what is being written stays. */
  opened(): void {
    this.editor?.mark(null);
    if (this.editor !== null && !this.edited) {
      this.take();
    }
  }

  failed({ message, file, line, column }: OpenFailure): void {
    if (line !== null && (file === null || file === this.name)) {
      this.editor?.mark({ line, column: column ?? 1, message: clipped(message) });
    }
  }

  /** Runs what is written. */
  async run(): Promise<boolean> {
    const editor = await this.loaded();
    const text = editor.text();
    const { bundle, place, picture } = this.app;
    const kept = (bundle?.files ?? []).filter(([path]) => path !== bundle?.main);
    const files = new Map([...kept, ...this.parts()]);
    files.set(this.name, new TextEncoder().encode(text));
    const made: Bundle = { main: this.name, files: [...files] };
    const same = bundle?.main === this.name || `${place.scene}.rhai` === this.name;
    const camera = same ? picture.stage.view() : null;
    this.edited = false;
    const done = await this.app.openBundle(made, true, { ghost: same ? "last" : "none" }, { camera, params: same ? place.params : {}, seed: place.seed, show: [...picture.choices] });
    this.edited = !done;
    if (done) {
      editor.mark(null);
    }
    return done;
  }

  /** Puts a text into the editor. */
  async show(name: string, text: string): Promise<void> {
    const editor = await this.loaded();
    [this.name, this.edited] = [name, true];
    editor.setText(text);
    byId("script-name").textContent = name;
    editor.focus();
  }

  /** The text that runs, or a draft of it. */
  private take(): void {
    const { name, text } = this.app.script();
    const draft = drafts()[name];
    const isNewer = draft !== undefined && draft !== text;
    this.editor?.setText(isNewer ? draft : text);
    [this.name, this.edited] = [name, isNewer];
    byId("script-name").textContent = name;
    if (isNewer) {
      tell("draft", `A draft of ${name} was kept. Run it with Ctrl-Enter, or go back to the script that runs.`, false, { name: "Go back", run: () => void this.revert() });
    }
  }

  private async revert(): Promise<void> {
    const { name, text } = this.app.script();
    keepDraft(name, null);
    this.edited = false;
    const editor = await this.loaded();
    editor.setText(text);
    editor.mark(null);
    this.name = name;
    byId("script-name").textContent = name;
  }

  private loaded(): Promise<Editor> {
    this.loading ??= this.load();
    return this.loading;
  }

  private async load(): Promise<Editor> {
    const [{ create }, functions] = await Promise.all([loadEditor(), this.app.session.ask<"functions">({ ask: "functions" })]);
    this.editor = create(byId("editor"), { functions, run: () => void this.run(), changed: () => this.changed(), leave: () => byId("run-script").focus() });
    return this.editor;
  }

  private changed(): void {
    this.edited = true;
    clearTimeout(this.saving);
    this.saving = window.setTimeout(() => this.editor !== null && keepDraft(this.name, this.editor.text()), 300);
  }
}

function drafts(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem("drafts") ?? "{}") as Record<string, string>;
  } catch {
    // Not in a sandboxed frame.
    return {};
  }
}

function keepDraft(name: string, text: string | null): void {
  const { [name]: _, ...others } = drafts();
  const kept = Object.entries(others).slice(-DRAFTS);
  try {
    localStorage.setItem("drafts", JSON.stringify(Object.fromEntries(text === null ? kept : [...kept, [name, text]])));
  } catch {
    // No room, or a sandboxed frame: the draft lives as long as the page.
  }
}
