// The page as `impulse view` serves and saves it.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { PATIENT, finished, hash, share, shown, told } from "./browser.mjs";
import { hashAt, impulse, view } from "./command.mjs";


const given = share();

const ball = (height) => `duration(1);
body("floor", half_space([0, 0, 1], 0), #{ fixed: true });
body("ball", sphere(0.1), #{ at: [0, 0, ${height}], mass: 1 });\n`;

/** A plate comes down on a ball that cannot get away. */
const CRUSH = `${ball(0.1001)}body("plate", cuboid(1, 1, 0.1), #{ at: [0, 0, 0.4], script: keyframes([#{ time: 0 }, #{ time: 1, at: [0, 0, -0.4] }]) });\n`;


test("a scene on disk is shown, and again when it changes; mistakes and failures are said at their place", PATIENT, async () => {
  const file = join(given.path, "my.rhai");
  writeFileSync(file, ball(0.5));
  const server = await view(file);
  const page = await given.open({ address: server.address });
  await finished(page);
  await page.evaluate(() => window.impulse.player.play(0));
  await page.evaluate(() => window.impulse.player.reach(1));
  assert.equal(await hash(page), hashAt(file, 1, given.path));
  writeFileSync(file, ball(0.7));
  const changed = hashAt(file, 0, given.path);
  await page.waitForFunction(async (wanted) => {
    await window.impulse.player.reach(0);
    return (await window.impulse.session.ask({ ask: "hash" })) === wanted;
  }, changed, { polling: 300 });
  writeFileSync(file, ball(0.7).replace("sphere", "spere"));
  await told(page, "my.rhai:3");
  writeFileSync(file, CRUSH);
  await told(page, "The run ends at");
  await told(page, "plate");
  await page.evaluate(() => window.impulse.seek(0.05));
  await page.waitForFunction(() => window.impulse.player.time === 0.05);
  writeFileSync(file, `${ball(0.5)}loop {}`);
  await told(page, "steps");
  await page.close();
  const { code, signal } = await server.interrupt();
  assert.ok(code !== 0 || signal === "SIGINT");
});

test("a saved scene opens from disk without a network, also in a sandboxed frame", PATIENT, async () => {
  const file = join(given.path, "run.html");
  impulse("view", "pool_break", "--seed", "5", "--save", file);
  const expected = hashAt("pool_break", 1.5, given.path, "--seed", "5");
  assert.ok(gzipSync(readFileSync(file), { level: 9 }).length < 1.8e6);
  const page = await given.blank({ offline: true });
  await page.goto(`${pathToFileURL(file).href}`);
  await shown(page);
  await page.evaluate(() => window.impulse.player.play(0));
  await page.evaluate(() => window.impulse.player.reach(1.5));
  assert.equal(await page.textContent("#scene-name"), "pool_break");
  assert.equal(await hash(page), expected);
  assert.ok((await page.evaluate(() => document.querySelectorAll("#cards img").length)) >= 22);
  const frame = join(given.path, "frame.html");
  writeFileSync(frame, `<iframe sandbox="allow-scripts" src="run.html" width="900" height="600"></iframe>`);
  await page.goto(pathToFileURL(frame).href);
  const inner = page.frames().find((one) => one !== page.mainFrame());
  await shown(inner);
  await inner.evaluate(() => window.impulse.player.play(0));
  await inner.evaluate(() => window.impulse.player.reach(1.5));
  assert.equal(await hash(inner), expected);
});

test("a worker that does not answer can be stopped, and the page goes on", PATIENT, async () => {
  const file = join(given.path, "slow.rhai");
  writeFileSync(file, ball(0.5));
  const server = await view(file);
  const page = await given.open({ address: server.address });
  await finished(page);
  // Something in the worker that never ends.
  const [worker] = page.workers();
  worker.evaluate(() => { for (;;) { /* never answers */ } }).catch(() => undefined);
  await page.waitForTimeout(200);
  await page.evaluate(() => window.impulse.seek(0.5));
  await told(page, "has not answered for 2 s");
  await page.click(".message button");
  await told(page, "was stopped");
  await page.click(".message button");
  await page.waitForFunction(() => window.impulse.report?.state === "finished" && window.impulse.frame !== null);
  await page.evaluate(() => window.impulse.player.reach(1));
  assert.equal(await hash(page), hashAt(file, 1, given.path));
  await page.close();
  await server.interrupt();
});
