// The playground: everything that changes a scene, connected with the page.

import type { App } from "../app";
import { byId } from "../ui/dom";
import { Editing } from "./editing";
import { Hands } from "./hands";
import { Lessons } from "./lessons";
import { Many } from "./many";
import { Params } from "./params";
import { Parts } from "./parts";
import { Save } from "./save";

export class Playground {
  readonly params: Params;
  readonly hands: Hands;
  readonly editing: Editing;
  readonly parts: Parts;
  readonly many: Many;
  readonly save: Save;
  readonly lessons: Lessons;

  constructor(app: App) {
    this.params = new Params(app);
    this.hands = new Hands(app);
    this.many = new Many(app);
    this.save = new Save(app);
    this.lessons = new Lessons(app, this.params);
    this.editing = new Editing(app, () => [...this.parts.files]);
    this.parts = new Parts(app, (name, text) => void this.openScript(name, text), (recording) => void this.save.replay(recording));
    app.onOpened = () => [this.params, this.hands, this.editing, this.many, this.lessons].forEach((one) => one.opened());
    app.onFailed = (failure) => this.editing.failed(failure);
    app.onTick = (now) => this.hands.tick(now);
    app.onProgress = (report) => {
      this.many.progress(report);
      if (report.state === "finished" || report.state === "failed") {
        void this.save.progress();
        void this.lessons.finished();
      }
    };
  }

  /** Shows a script in the editor and runs it. */
  private async openScript(name: string, text: string): Promise<void> {
    if (byId("editor-panel").hidden) {
      byId("toggle-editor").click();
    }
    await this.editing.show(name, text);
    await this.editing.run();
  }
}
