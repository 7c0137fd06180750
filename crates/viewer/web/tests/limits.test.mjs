// Times, memory, and what goes wrong.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DESK, PATIENT, SMALL, finished, share, show, within } from "./browser.mjs";


const given = share();

test("the first picture comes within 3 s", PATIENT, async () => {
  await within(3000, async () => {
    const page = await given.blank({ viewport: DESK });
    await page.goto(`${given.address}#scene=pool_break`);
    await page.waitForFunction(() => window.impulse?.picture.stage.drawn > 0, null, { polling: 20 });
    const took = await page.evaluate(() => performance.now());
    console.log(`first picture after ${Math.round(took)} ms`);
    await page.close();
    return took;
  });
});

test("a random instant of pool_break is shown within 16 ms in the median", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=pool_break&t=0", viewport: SMALL });
  await finished(page);
  await within(16, async () => {
    const times = await page.evaluate(async () => {
      const { session } = window.impulse;
      const wants = { window: 0.08, contacts: true, closest: false, boxes: false };
      const found = [];
      for (let k = 0; k < 101; k++) {
        const begun = performance.now();
        await session.ask({ ask: "go", time: ((k * 0.6180339887) % 1) * 3, wait: false, wants });
        found.push(performance.now() - begun);
      }
      return found.sort((a, b) => a - b);
    });
    console.log(`median ${times[50].toFixed(1)} ms, longest ${times[100].toFixed(1)} ms`);
    return times[50];
  });
});

test("60 s of coins stay within 200 MB", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=coins&t=0&until=60", viewport: SMALL });
  await finished(page);
  const { time, memory, events } = await page.evaluate(() => window.impulse.report);
  console.log(`${events} events, ${(memory / 1e6).toFixed(1)} MB`);
  assert.equal(time, 60);
  assert.ok(memory < 200e6);
});

test("100 changes of the scene leave memory steady", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=bounce&t=0", viewport: SMALL });
  const inspector = await page.context().newCDPSession(page);
  const measured = async () => {
    await inspector.send("HeapProfiler.collectGarbage");
    return page.evaluate(() => ({
      heap: performance.memory.usedJSHeapSize,
      module: window.impulse.report?.memory ?? 0,
      ...window.impulse.picture.stage.renderer.info.memory,
    }));
  };
  const scenes = ["bounce", "pool_break", "minimum", "box_drop", "flat_box"];
  let tenth = null;
  for (let k = 1; k <= 100; k++) {
    const scene = scenes[k % scenes.length];
    assert.equal(await show(page, { scene, seed: k % 7, until: 0.5 }), true);
    tenth = k === 10 ? await measured() : tenth;
  }
  const last = await measured();
  console.log(`after 10: ${JSON.stringify(tenth)}, after 100: ${JSON.stringify(last)}`);
  assert.ok(last.module <= 1.25 * tenth.module + 4e6 && last.heap <= 1.25 * tenth.heap + 4e6);
  assert.ok(last.geometries <= tenth.geometries + 5 && last.textures <= tenth.textures + 2);
});

test("a run without end can be looked at while it goes on", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=coin&t=0.1&until=100000", viewport: SMALL });
  await page.waitForTimeout(500);
  const [state, time] = await page.evaluate(async () => {
    window.impulse.seek(0.05);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return [window.impulse.report.state, window.impulse.player.time];
  });
  assert.deepEqual([state, time], ["underway", 0.05]);
  await show(page, { scene: "bounce", time: 0 });
  assert.equal(await page.textContent("#scene-name"), "bounce");
});

test("mistakes in an address are said, and the page lives on", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=bounce&t=0", viewport: SMALL });
  for (const [fragment, words] of [["#scene=bonce", "bounce"], ["#scene=bounce&set.heigth=2", "height"], ["#scene=bounce&until=1e12", "until"]]) {
    await page.evaluate((to) => (location.hash = to), fragment);
    await page.waitForFunction((wanted) => document.querySelector(".message.bad")?.textContent.includes(wanted), words);
    assert.equal(await page.evaluate(() => window.impulse.frame !== null), true);
  }
  await page.evaluate(() => (location.hash = "#scene=minimum&t=0.5"));
  await page.waitForFunction(() => window.impulse.player.time === 0.5);
  assert.equal(await page.locator(".message").count(), 0);
});
