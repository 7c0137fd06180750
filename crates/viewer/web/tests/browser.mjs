// A real browser for the tests, and a server for the built page.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";

export const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".png": "image/png" };

/** Serves the built page on loopback. */
export async function serve() {
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
export function launch() {
  const args = [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
  ];
  return chromium.launch({ executablePath: pathOf(process.env.CHROMIUM ?? "chromium"), headless: true, args });
}

function pathOf(program) {
  return program.includes("/") ? program : execFileSync("which", [program], { encoding: "utf8" }).trim();
}

export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** A page with a scene, paused at a time; errors of the console are kept in `errors`. */
export async function open(browser, address, { fragment = "", viewport = DESK, dark = false, touch = false } = {}) {
  const context = await browser.newContext({ viewport, colorScheme: dark ? "dark" : "light", hasTouch: touch, isMobile: touch });
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(`${address}${fragment}`);
  await page.waitForFunction(() => window.impulse?.frame != null, null, { timeout: 30000 });
  return { page, context, errors };
}

/** Waits until the run has come to its end, or failed. */
export function finished(page) {
  return page.waitForFunction(() => window.impulse.report != null && window.impulse.report.state !== "underway", null, { timeout: 120000 });
}
