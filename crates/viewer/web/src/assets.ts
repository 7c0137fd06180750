// Where the page gets its parts from: files beside it, or blocks inside it where it is one file. Nothing comes from elsewhere.

/** The text of a block that the build, or `impulse view --save`, put into the page. */
export function block(id: string): string | null {
  const text = document.getElementById(id)?.textContent ?? "";
  return text.trim() === "" ? null : text.trim();
}

/** The page in one file: this one as it was loaded, or the one beside it. */
export async function singlePage(): Promise<string> {
  if (ownText === null && block("worker-code") !== null) {
    throw new Error("This browser cannot save the page from the page itself; send the file that you opened, with the script.");
  }
  return ownText ?? (await fetch(new URL("impulse.html", document.baseURI))).text();
}

/** Taken before anything in the page is changed. Browsers before 2024 cannot give it. */
const ownText = block("worker-code") === null || !("getHTML" in document.documentElement)
  ? null
  : `<!doctype html>\n<html lang="en">${document.documentElement.getHTML()}</html>\n`;

/** The engine, inflated and compiled once. */
export function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= compressed().then(inflated).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

let compiled: Promise<WebAssembly.Module> | null = null;

/** A new worker. */
export function startWorker(): Worker {
  const code = block("worker-code");
  if (code === null) {
    return new Worker(new URL("worker.js", document.baseURI), { name: "impulse" });
  }
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(address, { name: "impulse" });
  URL.revokeObjectURL(address);
  return worker;
}

/** The editor, a module of its own that is loaded once. */
export function loadEditor(): Promise<typeof import("./editor/main")> {
  editor ??= importEditor();
  return editor;
}

let editor: Promise<typeof import("./editor/main")> | null = null;

function importEditor(): Promise<typeof import("./editor/main")> {
  const code = block("editor-code");
  const address = code === null ? new URL("editor.js", document.baseURI).href : URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  return import(/* @vite-ignore */ address) as Promise<typeof import("./editor/main")>;
}

/** The picture of a built-in scene, as an address. */
export function thumbnail(scene: string): string {
  thumbnails ??= JSON.parse(block("thumbnails") ?? "{}") as Record<string, string>;
  return thumbnails[scene] ?? `thumbnails/${scene}.png`;
}

let thumbnails: Record<string, string> | null = null;

async function compressed(): Promise<Uint8Array<ArrayBuffer>> {
  const inside = block("engine-data");
  if (inside !== null) {
    return Uint8Array.from(atob(inside), (char) => char.charCodeAt(0));
  }
  const answer = await fetch(new URL("engine.bin", document.baseURI));
  if (!answer.ok) {
    throw new Error(`engine.bin cannot be loaded (${answer.status}); build the page anew with \`cargo xtask web\``);
  }
  return new Uint8Array(await answer.arrayBuffer());
}

function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
