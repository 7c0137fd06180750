// What went wrong or should be known, said in the page.

import { byId, make } from "./dom";

/** Shows a message under a key, in place of the last one with it; the action is offered as a button. */
export function tell(key: string, text: string, bad: boolean, action?: { name: string; run(): void }): void {
  withdraw(key);
  const box = make("div", bad ? "message bad" : "message", "", make("pre", "", text));
  box.dataset.key = key;
  box.setAttribute("role", bad ? "alert" : "status");
  const button = make("button", "", action?.name ?? "Dismiss");
  button.addEventListener("click", () => {
    withdraw(key);
    action?.run();
  });
  box.append(button);
  byId("messages").append(box);
}

export function withdraw(key: string): void {
  for (const box of [...byId("messages").children]) {
    if ((box as HTMLElement).dataset.key === key) {
      box.remove();
    }
  }
}

export function withdrawAll(): void {
  byId("messages").replaceChildren();
}
