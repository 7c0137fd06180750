// A script with its files, packed into a text for an address: JSON, deflated, in base64 without signs that an address would change.

import type { SceneFiles } from "./protocol";

/** A script and the files that it may read. */
export interface Bundle {
  /** Which of the files is the script. */
  main: string;
  files: SceneFiles;
}

/** Longest text that goes into an address, characters: beyond, mail programs and browsers cut it off. */
export const LONGEST = 30000;

/** Most bytes that a link may unpack to. */
const MOST = 8 << 20;

const DAMAGED = "The link is damaged or cut off: it holds no scene. Ask for it again, or for the scene as a file.";

export async function pack({ main, files }: Bundle): Promise<string> {
  const named = Object.fromEntries(files.map(([path, content]) => [path, written(content)]));
  const stream = new Blob([JSON.stringify({ main, files: named })]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return base64(new Uint8Array(await new Response(stream).arrayBuffer())).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpack(text: string): Promise<Bundle> {
  try {
    const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
    const { main, files } = JSON.parse(await inflated(bytes)) as { main: unknown; files: unknown };
    if (typeof main !== "string" || typeof files !== "object" || files === null) {
      throw new Error("no scene");
    }
    const found = Object.entries(files).map(([path, content]): [string, Uint8Array] => [path, read(String(content))]);
    return { main, files: found };
  } catch {
    throw new Error(DAMAGED);
  }
}

/** Texts as they are after `t`, anything else in base64 after `b`. */
function written(content: Uint8Array): string {
  try {
    return `t${new TextDecoder("utf-8", { fatal: true }).decode(content)}`;
  } catch {
    return `b${base64(content)}`;
  }
}

function read(content: string): Uint8Array {
  return content.startsWith("b") ? fromBase64(content.slice(1)) : new TextEncoder().encode(content.slice(1));
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    pieces.push(piece.value as Uint8Array<ArrayBuffer>);
    length += piece.value.length;
    if (length > MOST) {
      throw new Error("too much");
    }
  }
  return new Blob(pieces).text();
}

export function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
