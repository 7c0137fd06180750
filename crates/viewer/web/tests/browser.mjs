// A real browser for the tests, and a server for the built page.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";
import assert from "node:assert/strict";
import { after, afterEach, before } from "node:test";
import { chromium } from "playwright-core";
import { folder } from "./command.mjs";

export const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".png": "image/png" };

/** Times are for an idle machine; one that does other things may take so many times as long. */
const PATIENCE = Number(process.env.PATIENCE ?? 3);
/** A shared machine may stand still for half a minute at any instant. What waits only ends what hangs, so it waits for long. */
const LONG = 300000;
export const PATIENT = { timeout: 2 * LONG };

export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
/** For tests that look at numbers: pixels cost most where there is no graphics card. */
export const SMALL = { width: 480, height: 320 };

/** What the tests of a file share: a browser, the page on loopback, a folder. Pages are closed after each test (those that are to
 * stay after the last one), and none may have said an error in its console. */
export function share() {
  const place = folder();
  const given = { path: place.path, address: "", browser: null };
  const opened = [];
  let server;
  before(async () => {
    server = await serve();
    given.address = server.address;
    given.browser = await launch();
  });
  afterEach(async () => {
    const errors = opened.flatMap((one) => one.errors.splice(0));
    for (const one of opened.filter(({ stays }) => !stays)) {
      opened.splice(opened.indexOf(one), 1);
      await one.context.close();
    }
    assert.deepEqual(errors, []);
  });
  after(async () => {
    await given.browser.close();
    server.close();
    place.remove();
  });
  /** An empty page in a profile of its own. */
  given.blank = async ({ viewport = DESK, dark = false, touch = false, offline = false, stays = false } = {}) => {
    const context = await given.browser.newContext({ viewport, colorScheme: dark ? "dark" : "light", hasTouch: touch, isMobile: touch, offline, acceptDownloads: true });
    context.setDefaultTimeout(LONG);
    const page = await context.newPage();
    const errors = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    opened.push({ context, errors, stays });
    return page;
  };
  /** A page with a scene, paused at a time. */
  given.open = async ({ address = given.address, fragment = "", ...more } = {}) => {
    const page = await given.blank(more);
    await page.goto(`${address}${fragment}`);
    await shown(page);
    return page;
  };
  return given;
}

/** Serves the built page on loopback. */
async function serve() {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://x").pathname).replace(/^\/$/, "/index.html");
    try {
      const content = await readFile(join(DIST, path));
      response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** Chromium without a screen, with WebGL in software. */
function launch() {
  const args = [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
  ];
  return chromium.launch({ executablePath: pathOf(process.env.CHROMIUM ?? "chromium"), headless: true, args });
}

function pathOf(program) {
  return program.includes("/") ? program : execFileSync("which", [program], { encoding: "utf8" }).trim();
}

/** Waits for the first picture. */
export function shown(page) {
  return page.waitForFunction(() => window.impulse?.frame != null);
}

/** Waits until the run has come to its end, or failed. */
export function finished(page) {
  return page.waitForFunction(() => window.impulse.report != null && window.impulse.report.state !== "underway", null, { polling: 50 });
}

/** Waits until the page says something. */
export function told(page, words) {
  return page.waitForFunction((wanted) => document.getElementById("messages").textContent.includes(wanted), words);
}

/** Does something until it takes less than so many milliseconds, five times at most: a machine that stands still now and then says
 * nothing about the page, and a slow page is slow each time. */
export async function within(limit, attempt) {
  const times = [];
  do {
    times.push(await attempt());
  } while (times.at(-1) >= limit * PATIENCE && times.length < 5);
  assert.ok(times.at(-1) < limit * PATIENCE, `${times.map(Math.round).join(", ")} ms, each more than ${limit * PATIENCE}`);
}

/** Opens a scene as the gallery does; whether it can be opened. */
export function show(page, place, play = false) {
  const empty = { code: null, params: {}, seed: 0, until: null, time: null, camera: null, show: null };
  return page.evaluate(([to, playing]) => window.impulse.open(to, playing), [{ ...empty, ...place }, play]);
}

/** Runs a script as if it had been written in the editor. */
export function runScript(page, text) {
  return page.evaluate((script) => window.impulse.openBundle({ main: "test.rhai", files: [["test.rhai", new TextEncoder().encode(script)]] }, true), text);
}

/** The trace hash of the instant that is shown. */
export function hash(page) {
  return page.evaluate(() => window.impulse.session.ask({ ask: "hash" }));
}

/** The hash at the end of the run. */
export async function endHash(page) {
  await finished(page);
  await page.evaluate(() => window.impulse.player.play(0));
  await page.evaluate(() => window.impulse.player.reach(window.impulse.info.end));
  return hash(page);
}
