// The keys: one list from which they are heard and explained.

import { byId, make, setIcon } from "./dom";

export interface Key {
  keys: string[];
  about: string;
  run(): void;
}

export function hearKeys(keys: Key[]): void {
  const dialog = byId<HTMLDialogElement>("keys");
  const close = byId("close-keys");
  setIcon(close, "close");
  close.addEventListener("click", () => dialog.close());
  byId("help").addEventListener("click", () => dialog.showModal());
  byId("key-list").replaceChildren(...keys.flatMap(explained));
  document.addEventListener("keydown", (event) => {
    if (isTaken(event)) {
      return;
    }
    const found = keys.find((key) => key.keys.includes(event.key));
    if (found !== undefined) {
      event.preventDefault();
      found.run();
    }
  });
}

/** Whether a key belongs to the control that has the focus, to a dialog, or to the browser. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null) {
    return true;
  }
  // The editor is in a tree of its own: what is inside of it is the first of the path.
  const target = event.composedPath()[0] as HTMLElement;
  if (target.isContentEditable) {
    return true;
  }
  const pressed = target.closest("button, select, summary, [type=radio]") !== null && [" ", "Enter"].includes(event.key);
  const moved = target.closest("select, input") !== null && event.key.startsWith("Arrow");
  return pressed || moved || target.closest("select, textarea, input:not([type=range], [type=checkbox])") !== null;
}

function explained({ keys, about }: Key): HTMLElement[] {
  const names = keys.map((key) => make("kbd", "", key === " " ? "Space" : key));
  const list = make("dd");
  names.forEach((name, number) => list.append(...(number > 0 ? [" ", name] : [name])));
  return [make("dt", "", about), list];
}
