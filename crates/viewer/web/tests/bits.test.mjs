// Every built-in scene in the page, to the bit as the command tells it, whichever way one came.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { finished, launch, open, serve } from "./browser.mjs";
import { folder, hashAt, impulse, run } from "./command.mjs";

const scenes = JSON.parse(impulse("list", "--json"));
const place = folder();
let server, browser, opened;

before(async () => {
  server = await serve();
  browser = await launch();
  opened = await open(browser, server.address, { fragment: "#scene=bounce&t=0" });
});

after(async () => {
  await browser.close();
  server.close();
  place.remove();
});

/** The numbers of all bodies at some instants, in this order. */
function numbersAt(page, times) {
  return page.evaluate(async (wanted) => {
    const wants = { window: 0, contacts: false, closest: false, boxes: false };
    const found = [];
    for (const time of wanted) {
      const { numbers } = await window.impulse.session.ask({ ask: "go", time, wait: true, wants });
      const bodies = (numbers.length - 20) / 21;
      const rows = Array.from({ length: bodies }, (_, body) => [...numbers.subarray(20 + 21 * body + 3, 20 + 21 * body + 16)]);
      found.push({ time: numbers[0], rows: rows.flat(), hash: await window.impulse.session.ask({ ask: "hash" }) });
    }
    return found;
  }, times);
}

/** Ten instants forwards, backwards, and in an order without order. */
function ways(times) {
  const mixed = times.map((_, k) => times[(7 * k + 3) % times.length]);
  return [times, [...times].reverse(), mixed];
}

const CHEAP = ["bounce", "pool_break", "minimum", "box_drop", "text", "gas", "block_drop", "rocking_block"];

for (const { name, duration } of scenes) {
  test(`${name}: plays, and ten instants have the command's numbers and hash`, { timeout: 120000 }, async () => {
    const { page, errors } = opened;
    const every = duration / 9.5;
    const native = run(name, { until: duration, every, path: place.path });
    const shown = await page.evaluate((scene) => window.impulse.open({ scene, code: null, params: {}, seed: 0, until: null, time: null, camera: null, show: null }, true), name);
    assert.equal(shown, true);
    await page.waitForFunction(() => window.impulse.player.time > 0, null, { timeout: 30000 });
    await page.evaluate(() => window.impulse.player.play(0));
    await finished(page);
    const times = [...native.instants.keys()];
    assert.equal(times.length, 11);
    for (const way of ways(times)) {
      for (const { time, rows, hash } of await numbersAt(page, way)) {
        const told = native.instants.get(time);
        assert.ok(told !== undefined && told.length === rows.length, `${time}`);
        assert.ok(rows.every((number, k) => Object.is(number, told[k])), `${name} at ${time}`);
        if (time === duration) {
          assert.equal(hash, native.hash);
        } else if (CHEAP.includes(name) && way === times) {
          assert.equal(hash, hashAt(name, time, place.path), `hash at ${time}`);
        }
      }
    }
    assert.deepEqual(errors, []);
  });
}
