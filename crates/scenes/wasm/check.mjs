// Compares the trace hashes of the built-in scenes in WebAssembly with a table of native ones:
//   cargo build --release --target wasm32-unknown-unknown -p impulse-scenes-wasm
//   node crates/scenes/wasm/check.mjs target/wasm32-unknown-unknown/release/impulse_scenes_wasm.wasm tests/data/trace_hashes_scenes.txt
import { readFileSync } from "node:fs";

const [moduleFile, tableFile] = process.argv.slice(2);
if (tableFile === undefined) {
    console.error("usage: node check.mjs MODULE.wasm TABLE.txt");
    process.exit(2);
}

const { instance } = await WebAssembly.instantiate(readFileSync(moduleFile), {});
const wasm = instance.exports;

/** The text that the last call left. */
function text() {
    return new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, wasm.text_address(), wasm.text_length()));
}

/** A scene's trace hash, or the reason why it fails. A panic traps after leaving its message. */
function traceHash(number, seconds) {
    try {
        wasm.trace_hash(number, seconds);
    } catch (error) {
        return `${error}: ${text()}`;
    }
    return text();
}

const lines = readFileSync(tableFile, "utf8").split("\n").filter((line) => line !== "" && !line.startsWith("#"));
const table = new Map(lines.map((line) => line.split(" ")).map(([name, seconds, hash]) => [name, { seconds, hash }]));
const complaints = [];
for (let number = 0; number < wasm.scene_count(); number++) {
    wasm.scene_name(number);
    const name = text();
    const known = table.get(name);
    table.delete(name);
    if (known === undefined) {
        complaints.push(`${name}: not in the table`);
        continue;
    }
    const hash = traceHash(number, Number(known.seconds));
    if (hash !== known.hash) {
        complaints.push(`${name}: ${hash}, not ${known.hash}`);
    }
}
for (const name of table.keys()) {
    complaints.push(`${name}: in the table, but there is no such scene`);
}
if (complaints.length > 0) {
    console.error(`trace hashes in WebAssembly differ from ${tableFile}:\n  ${complaints.join("\n  ")}`);
    process.exit(1);
}
console.log(`${wasm.scene_count()} scenes have the same trace hash in WebAssembly`);
