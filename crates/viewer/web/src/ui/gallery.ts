// The gallery of built-in scenes.

import { thumbnail } from "../assets";
import type { SceneEntry } from "../protocol";
import { byId, make, setIcon } from "./dom";

export class Gallery {
  private readonly dialog = byId<HTMLDialogElement>("gallery");
  private entries: SceneEntry[] = [];

  constructor(private readonly choose: (name: string) => void) {
    const close = byId("close-gallery");
    setIcon(close, "close");
    close.addEventListener("click", () => this.dialog.close());
    byId("open-gallery").addEventListener("click", () => this.open());
  }

  fill(entries: SceneEntry[]): void {
    this.entries = entries;
    byId("cards").replaceChildren(...entries.map((entry) => this.card(entry)));
  }

  about(name: string): string {
    return this.entries.find((entry) => entry.name === name)?.description ?? "";
  }

  /** The script of a built-in scene. */
  script(name: string): string {
    return this.entries.find((entry) => entry.name === name)?.text ?? "";
  }

  mark(name: string): void {
    for (const card of byId("cards").children) {
      card.setAttribute("aria-current", String((card as HTMLElement).dataset.scene === name));
    }
  }

  open(): void {
    this.dialog.showModal();
  }

  private card({ name, description, section }: SceneEntry): HTMLElement {
    const picture = make("img");
    Object.assign(picture, { src: thumbnail(name), alt: "", loading: "lazy", width: 320, height: 200 });
    const about = section === "" ? description : `${description} (thesis ${section})`;
    const card = make("button", "scene-card", "", picture, make("span", "name", name), make("span", "about", about));
    card.dataset.scene = name;
    card.addEventListener("click", () => {
      this.dialog.close();
      this.choose(name);
    });
    return card;
  }
}
