// Every built-in scene in the page, to the bit as the command tells it, whichever way one came.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PATIENT, SMALL, finished, share, show } from "./browser.mjs";
import { hashAt, impulse, run } from "./command.mjs";

const given = share();
/** One page for all scenes. */
let page = null;

/** The numbers of all bodies at some instants, in this order. */
function numbersAt(times) {
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

/** Seconds that are looked at of scenes whose whole run takes the page more than a second of computing. All of them run to their ends
 * in WebAssembly, with the command's hash, in the stage wasm-scenes. */
const LOOKED_AT = {
  bicycle: 1, bicycle_free: 1, chain_in_bowl: 1, chute: 2, coins: 1.2, creature_war: 1.5, dish: 1.5, dominos: 1.5, double_pendulum: 6, feeder: 1.5, furniture: 2, part_sorter: 2, seesaw: 2, triple_pendulum: 0.8,
};

/** The command must run once for every hash: only where that takes no time. */
const HASHED = ["bounce", "pool_break", "minimum", "box_drop", "rocking_block"];

for (const { name, duration } of JSON.parse(impulse("list", "--json"))) {
  test(`${name}: plays, and ten instants have the command's numbers and hash`, PATIENT, async () => {
    const until = LOOKED_AT[name] ?? duration;
    page ??= await given.open({ fragment: "#scene=bounce&t=0", viewport: SMALL, stays: true });
    const native = run(name, { until, every: until / 9.5, path: given.path });
    assert.equal(await show(page, { scene: name, until: LOOKED_AT[name] ?? null }, true), true);
    await page.waitForFunction(() => window.impulse.player.time > 0);
    await page.evaluate(() => window.impulse.player.play(0));
    await finished(page);
    const times = [...native.instants.keys()];
    assert.equal(times.length, 11);
    for (const way of ways(times)) {
      for (const { time, rows, hash } of await numbersAt(way)) {
        const told = native.instants.get(time);
        assert.ok(told !== undefined && told.length === rows.length, `${time}`);
        assert.ok(rows.every((number, k) => Object.is(number, told[k])), `${name} at ${time}`);
        if (time === until) {
          assert.equal(hash, native.hash);
        } else if (HASHED.includes(name) && way === times) {
          assert.equal(hash, hashAt(name, time, given.path), `hash at ${time}`);
        }
      }
    }
  });
}
