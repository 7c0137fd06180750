// The editor of scripts, a file of its own that is loaded when it is first opened. It lives in a shadow root, where its styles are
// taken as objects, so that the page's security policy needs no exception.

import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import type { FunctionInfo } from "../protocol";
import { scenes } from "./language";

export interface EditorOptions {
  functions: FunctionInfo[];
  run(): void;
  changed(): void;
  /** The keyboard goes on behind the editor. */
  leave(): void;
}

export interface Editor {
  text(): string;
  setText(text: string): void;
  /** Marks an error at a line and column, from 1; none clears it. */
  mark(error: { line: number; column: number; message: string } | null): void;
  focus(): void;
}

const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "transparent", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--quiet)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 9%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)",
  },
  ".cm-tooltip": { backgroundColor: "var(--background)", border: "1px solid var(--line)", borderRadius: "8px", color: "var(--text)", maxWidth: "32rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--hover)", color: "var(--text)" },
  ".cm-completionDetail": { color: "var(--quiet)", fontStyle: "normal" },
  ".help": { padding: "8px 10px", maxHeight: "18rem", overflow: "auto" },
  ".help p": { margin: "6px 0", whiteSpace: "pre-wrap" },
  ".help pre": { margin: "0", whiteSpace: "pre-wrap", fontSize: "12px", color: "var(--quiet)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
});

/** Typing over a selection is done here: the browser's own way writes styles into elements, which the page's policy forbids. */
function typedOver(event: InputEvent, view: EditorView): boolean {
  const [{ from, to, empty }, text] = [view.state.selection.main, event.data];
  if (event.inputType !== "insertText" || text === null || empty || view.composing) {
    return false;
  }
  event.preventDefault();
  const typed = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
  // Brackets and quotes go around what is selected.
  if (!view.state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, text, typed))) {
    view.dispatch(typed());
  }
  return true;
}

export function create(host: HTMLElement, { functions, run, changed, leave }: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const place = document.createElement("div");
  place.style.height = "100%";
  root.replaceChildren(place);
  const start = (doc: string) =>
    EditorState.create({
      doc,
      extensions: [
        lineNumbers(), lintGutter(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), closeBrackets(), indentUnit.of("    "),
        keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }, ...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
        // After all others: Escape first closes what is open. Tab is taken, so it is the way out.
        Prec.lowest(keymap.of([{ key: "Escape", run: () => (leave(), true) }])),
        scenes(functions), THEME, EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "Script of the scene. Escape leaves it." }),
        EditorView.domEventHandlers({ beforeinput: typedOver }),
        EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    });
  const view = new EditorView({ state: start(""), parent: place, root });
  return {
    text: () => view.state.doc.toString(),
    setText: (text) => view.setState(start(text)),
    mark: (error) => {
      const { doc } = view.state;
      const line = error === null ? null : doc.line(Math.max(1, Math.min(doc.lines, error.line)));
      const from = line === null ? 0 : Math.min(line.to, line.from + Math.max(0, (error?.column ?? 1) - 1));
      const found = error === null || line === null ? [] : [{ from, to: Math.max(from, Math.min(line.to, from + 1)), severity: "error" as const, message: error.message }];
      view.dispatch(setDiagnostics(view.state, found));
      if (line !== null) {
        view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "center" }) });
      }
    },
    focus: () => view.focus(),
  };
}
