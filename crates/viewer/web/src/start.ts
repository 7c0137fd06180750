// What the page shows first: what `impulse view` or `--save` put into it, what the address says, or a built-in scene.

import { block } from "./assets";
import type { SceneFiles } from "./protocol";

/** The scene of the command that served or saved the page. */
export interface Given {
  scene: string;
  from_files: boolean;
  params: Record<string, string>;
  seed: number;
  until: number | null;
  files: SceneFiles;
  /** Changes with the files. */
  version: string;
}

interface GivenText extends Omit<Given, "files"> {
  /** Contents in base64 by path. */
  files: Record<string, string>;
}

interface StartBlock {
  /** Whether the page is served together with a scene that may change: `scene.json`. */
  live?: boolean;
  given?: GivenText;
}

/** How often a served scene is looked at for changes, ms. */
const EVERY = 1000;

export async function givenScene(): Promise<Given | null> {
  const start = JSON.parse(block("start") ?? "{}") as StartBlock;
  if (start.given !== undefined) {
    return decoded(start.given);
  }
  return start.live === true ? served() : null;
}

/** Calls back whenever the served scene has changed. */
export function watchGiven(first: Given, changed: (given: Given) => void): void {
  const start = JSON.parse(block("start") ?? "{}") as StartBlock;
  if (start.live !== true) {
    return;
  }
  let { version } = first;
  setInterval(async () => {
    const now = await served(version).catch(() => null);
    if (now !== null && now.version !== version) {
      version = now.version;
      changed(now);
    }
  }, EVERY);
}

/** The served scene; `null` if it still has a version, or none is served. */
async function served(version = ""): Promise<Given | null> {
  const address = new URL(`scene.json?version=${encodeURIComponent(version)}`, document.baseURI);
  const answer = await fetch(address, { cache: "no-store" });
  return answer.status === 200 ? decoded((await answer.json()) as GivenText) : null;
}

function decoded(given: GivenText): Given {
  const bytes = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return { ...given, files: Object.entries(given.files).map(([path, text]) => [path, bytes(text)]) };
}
