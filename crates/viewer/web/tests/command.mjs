// The command `impulse`, whose numbers the page must show to the bit.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const IMPULSE = process.env.IMPULSE ?? "impulse";

/** A folder for one test file. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), "impulse-viewer-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function impulse(...words) {
  return execFileSync(IMPULSE, words, { encoding: "utf8", maxBuffer: 1 << 28 });
}

/** Runs a scene: trajectory by instant, impacts, trace hash. */
export function run(scene, { until, every, path }) {
  const files = ["trajectory.csv", "impacts.csv", "summary.json"].map((name) => join(path, name));
  const words = ["--csv", files[0], "--impacts", files[1], "--summary", files[2], "--quiet"];
  impulse("run", scene, "--until", String(until), "--every", String(every), ...words);
  const [rows, impacts] = [files[0], files[1]].map((file) => readFileSync(file, "utf8").trim().split("\n").slice(1).map((line) => line.split(",")));
  const instants = new Map();
  for (const [time, , ...numbers] of rows) {
    const known = instants.get(Number(time)) ?? [];
    instants.set(Number(time), [...known, ...numbers.map(Number)]);
  }
  return { instants, impacts, hash: JSON.parse(readFileSync(files[2], "utf8")).trace_hash };
}

/** The trace hash of a run up to a time. */
export function hashAt(scene, until, path, ...words) {
  const file = join(path, "hash.json");
  impulse("run", scene, "--until", String(until), "--summary", file, "--quiet", ...words);
  return JSON.parse(readFileSync(file, "utf8")).trace_hash;
}

/** Serves with `impulse view`; the address, and a way to end it by Ctrl-C. */
export async function view(...words) {
  const child = spawn(IMPULSE, ["view", "--no-open", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    child.stdout.once("data", (text) => resolve(String(text).trim().split("\n")[0]));
    child.once("exit", (code) => reject(new Error(`impulse view ended with ${code}`)));
  });
  // A test that fails must not leave it behind.
  child.unref();
  child.stdout.unref?.();
  process.once("exit", () => child.kill());
  const interrupt = () => new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.kill("SIGINT");
  });
  return { address, interrupt };
}
