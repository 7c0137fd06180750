// The language of scene scripts for the editor: colours, completion and help from the script reference.

import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StreamParser } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { FunctionInfo } from "../protocol";

const KEYWORDS = new Set(["let", "const", "if", "else", "for", "in", "while", "loop", "do", "until", "break", "continue", "return", "fn", "switch"]);
const ATOMS = new Set(["true", "false", "PI", "TAU"]);

/** Colours of words, by the names of the style sheet. */
const STYLE = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--series-1)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--series-3)" },
  { tag: [tags.number, tags.atom], color: "var(--series-2)" },
  { tag: tags.standard(tags.variableName), color: "var(--micro)" },
]);

export function scenes(functions: FunctionInfo[]): Extension {
  const known = new Map(functions.map((one) => [one.name, one]));
  return [
    StreamLanguage.define(parser(known)),
    syntaxHighlighting(STYLE),
    autocompletion({ override: [(context) => complete(context, functions)], icons: false }),
    hoverTooltip((view, position) => {
      const word = view.state.wordAt(position);
      const found = word === null ? undefined : known.get(view.state.sliceDoc(word.from, word.to));
      return word === null || found === undefined ? null : { pos: word.from, end: word.to, above: true, create: () => ({ dom: help(found) }) };
    }),
  ];
}

function parser(known: Map<string, FunctionInfo>): StreamParser<{ comment: boolean }> {
  return {
    startState: () => ({ comment: false }),
    token(stream, state) {
      if (state.comment || stream.match("/*")) {
        state.comment = !stream.match(/^.*?\*\//);
        if (state.comment) {
          stream.skipToEnd();
        }
        return "comment";
      }
      if (stream.eatSpace()) {
        return null;
      }
      if (stream.match("//")) {
        stream.skipToEnd();
        return "comment";
      }
      if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^`[^`]*`?/)) {
        return "string";
      }
      if (stream.match(/^\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?/i)) {
        return "number";
      }
      const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
      if (word === null) {
        stream.next();
        return null;
      }
      return KEYWORDS.has(word[0]) ? "keyword" : ATOMS.has(word[0]) ? "atom" : known.has(word[0]) ? "variableName.standard" : "variableName";
    },
    languageData: { commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
  };
}

function complete(context: CompletionContext, functions: FunctionInfo[]): CompletionResult | null {
  const word = context.matchBefore(/[A-Za-z_]\w*/);
  if (word === null && !context.explicit) {
    return null;
  }
  const options = functions.map((one): Completion => ({ label: one.name, detail: one.usage.slice(one.name.length), info: () => help(one) }));
  const words = [...KEYWORDS].map((label): Completion => ({ label }));
  return { from: word?.from ?? context.pos, options: [...options, ...words], validFor: /^\w*$/ };
}

/** Usage, meaning and example of a function, as text. */
function help({ usage, text, example }: FunctionInfo): HTMLElement {
  const box = document.createElement("div");
  box.className = "help";
  for (const [tag, content] of [["b", usage], ["p", text], ["pre", example]]) {
    const part = document.createElement(tag);
    part.textContent = content;
    box.append(part);
  }
  return box;
}
