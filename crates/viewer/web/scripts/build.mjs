// Builds the page: node scripts/build.mjs MODULE.wasm
// Into dist: index.html with its files, and impulse.html, the same in one file.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { withoutCustomSections } from "./strip.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
/** Beside the pictures: a hash of what they were drawn from. */
const SOURCE = "source.txt";
const [moduleFile] = process.argv.slice(2);
if (moduleFile === undefined) {
  console.error("usage: node scripts/build.mjs MODULE.wasm");
  process.exit(2);
}

/** Builds one entry into a folder under its own name, without hashes. */
async function bundle(input, outDir, name, format, preserve = false) {
  const output = { entryFileNames: `${name}.js`, assetFileNames: `${name}.[ext]`, format };
  await build({
    root, configFile: false, logLevel: "warn", base: "./", publicDir: false,
    build: { outDir, emptyOutDir: false, target: "es2022", modulePreload: false, assetsInlineLimit: 0, chunkSizeWarningLimit: 1000, rollupOptions: { input, output, ...(preserve ? { preserveEntrySignatures: preserve } : {}) } },
  });
}

/** The security policy: nothing from elsewhere, no eval; WebAssembly must be named. */
function policy(scripts, styles, workers) {
  const sources = {
    "default-src": "'none'", "script-src": `${scripts} 'wasm-unsafe-eval'`, "style-src": styles, "worker-src": workers,
    "connect-src": "'self'", "img-src": "'self' data: blob:", "media-src": "blob:", "base-uri": "'none'", "form-action": "'none'",
  };
  return Object.entries(sources).map(([name, value]) => `${name} ${value}`).join("; ");
}

/** The pictures of an earlier build, and what they were drawn from. */
function picturesIn(folder) {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".png"));
    const pictures = names.map((name) => [name.slice(0, -4), readFileSync(join(folder, name))]);
    return { pictures, source: readFileSync(join(folder, SOURCE), "utf8") };
  } catch {
    return { pictures: [], source: "" };
  }
}

/** Pictures of all scenes; the earlier ones if the engine and the way of drawing are the same, since all scenes must run for new ones. */
async function drawn(script) {
  const source = createHash("sha256").update(wasm).update(readFileSync(script)).digest("hex");
  writeFileSync(join(dist, "thumbnails", SOURCE), source);
  if (source === before.source) {
    return before.pictures;
  }
  const { thumbnails } = await import(pathToFileURL(script).href);
  return thumbnails(await WebAssembly.compile(wasm));
}

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const meta = (content) => `<meta http-equiv="Content-Security-Policy" content="${content}" />`;
const fill = (page, mark, content) => page.replace(mark, () => content);

const before = picturesIn(join(dist, "thumbnails"));
rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, "thumbnails"), { recursive: true });
await bundle(join(root, "src/worker/main.ts"), dist, "worker", "iife");
await bundle(join(root, "src/editor/main.ts"), dist, "editor", "es", "strict");
await bundle(join(root, "index.html"), dist, "page", "es");
const wasm = withoutCustomSections(readFileSync(moduleFile));
const engine = gzipSync(wasm, { level: 9 });
writeFileSync(join(dist, "engine.bin"), engine);

const scratch = join(dist, "scratch");
await build({
  root, configFile: false, logLevel: "warn", publicDir: false,
  build: { outDir: scratch, ssr: join(root, "scripts/thumbnails.ts"), target: "node20", rollupOptions: { output: { entryFileNames: "thumbnails.mjs" } } },
});
const pictures = {};
for (const [name, png] of await drawn(join(scratch, "thumbnails.mjs"))) {
  writeFileSync(join(dist, "thumbnails", `${name}.png`), png);
  pictures[name] = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
}
rmSync(scratch, { recursive: true, force: true });

const bare = readFileSync(join(dist, "index.html"), "utf8");
const script = readFileSync(join(dist, "page.js"), "utf8").replaceAll("</script", "<\\/script");
const style = readFileSync(join(dist, "page.css"), "utf8");
const editor = readFileSync(join(dist, "editor.js"), "utf8").replaceAll("</script", "<\\/script");
const worker = readFileSync(join(dist, "worker.js"), "utf8").replaceAll("</script", "<\\/script");
writeFileSync(join(dist, "index.html"), fill(bare, "<!-- policy -->", meta(policy("'self'", "'self'", "'self'"))));

let single = bare.replace(/<script type="module"[^>]*src="\.\/page\.js"[^>]*><\/script>/, "").replace(/<link rel="stylesheet"[^>]*>/, "");
single = fill(single, "<!-- policy -->", `${meta(policy(`${hashOf(script)} blob:`, hashOf(style), "blob:"))}<style>${style}</style>`);
single = fill(single, "<!-- blocks -->", [
  `<script type="text/plain" id="worker-code">${worker}</script>`,
  `<script type="text/plain" id="editor-code">${editor}</script>`,
  `<script type="text/plain" id="engine-data">${engine.toString("base64")}</script>`,
  `<script type="application/json" id="thumbnails">${JSON.stringify(pictures)}</script>`,
  `<script type="module">${script}</script>`,
].join("\n"));
writeFileSync(join(dist, "impulse.html"), single);

const compressed = (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const names = files.map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(dist.length + 1));
const total = names.filter((name) => name !== "impulse.html").map(compressed).reduce((a, b) => a + b, 0);
console.log(`page: ${(total / 1e6).toFixed(3)} MB compressed; in one file: ${(compressed("impulse.html") / 1e6).toFixed(3)} MB`);
