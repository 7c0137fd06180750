// Stepping through events and impacts in both directions, and the arrows that are drawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PATIENT, SMALL, finished, share, told } from "./browser.mjs";
import { run } from "./command.mjs";


const given = share();

test("stepping back over 1,000 events visits the same impacts", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=coins&t=0", viewport: SMALL });
  await finished(page);
  const visited = await page.evaluate(async () => {
    const wants = { window: 0.001, contacts: false, closest: false, boxes: false };
    const { session } = window.impulse;
    const told = ({ numbers, impacts }) => {
      const event = numbers[1];
      const rows = [];
      for (let at = 0; at < impacts.length; at += 22) {
        if (impacts[at] === event) {
          rows.push(impacts.subarray(at, at + 22).join());
        }
      }
      return { event, time: numbers[0], state: numbers.subarray(20).join(), rows };
    };
    await session.ask({ ask: "event", event: 3000, wants });
    const on = [];
    for (let k = 0; k < 1000; k++) {
      on.push(told(await session.ask({ ask: "events", by: 1, wants })));
    }
    const back = [on.at(-1)];
    for (let k = 1; k < 1000; k++) {
      back.push(told(await session.ask({ ask: "events", by: -1, wants })));
    }
    const same = on.every((step, k) => JSON.stringify(step) === JSON.stringify(back[999 - k]));
    return { same, first: on[0].event, last: on.at(-1).event, impacts: on.reduce((sum, step) => sum + step.rows.length, 0) };
  });
  assert.deepEqual([visited.first, visited.last], [3001, 4000]);
  assert.ok(visited.impacts > 500, `${visited.impacts} impacts`);
  assert.ok(visited.same, "the way back shows what the way on showed");
});

test("impact by impact goes through the command's collisions, on and back", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=pool_break&t=0", viewport: SMALL });
  await finished(page);
  const native = run("pool_break", { until: 3, every: 1, path: given.path });
  const collisions = [...new Set(native.impacts.filter((row) => row[20] === "false").map((row) => Number(row[0])))];
  const times = await page.evaluate(async () => {
    const wants = { window: 0, contacts: false, closest: false, boxes: false };
    const walk = async (forward) => {
      const found = [];
      for (;;) {
        const frame = await window.impulse.session.ask({ ask: "impact", forward, micros: false, wants });
        if (frame === null) {
          return found;
        }
        found.push(frame.numbers[0]);
      }
    };
    return { on: await walk(true), back: await walk(false) };
  });
  assert.deepEqual([...new Set(times.on)], collisions);
  assert.deepEqual(times.back, times.on.slice(0, -1).reverse());
});

test("the arrows that are drawn are the impacts of the command's table", PATIENT, async () => {
  const show = "show=collisions,micros";
  const page = await given.open({ fragment: `#scene=bowling&t=2.7&${show}`, viewport: SMALL });
  await finished(page);
  const native = run("bowling", { until: 6, every: 1, path: given.path });
  for (const time of [2.75, 2.62, 4.1, 3.0]) {
    const drawn = await page.evaluate(async (at) => {
      window.impulse.seek(at);
      await new Promise((resolve) => setTimeout(resolve, 400));
      const { picture, window: length } = window.impulse;
      return { length, arrows: picture.arrows.drawn, count: picture.arrows.mesh.count };
    }, time);
    const rows = native.impacts.filter((row) => Number(row[0]) > time - drawn.length && Number(row[0]) <= time);
    assert.equal(drawn.arrows.length, rows.length, `at ${time}`);
    assert.equal(drawn.count, rows.length);
    assert.ok(rows.length > 3);
    rows.forEach((row, k) => {
      const { kind, point, vector } = drawn.arrows[k];
      const numbers = row.slice(3, 12).map(Number);
      const sign = row[1] === "lane" ? -1 : 1;
      assert.equal(kind, row[20] === "true" ? "micro" : "collision");
      assert.deepEqual(point, numbers.slice(0, 3));
      assert.deepEqual(vector.map(Math.abs), numbers.slice(6, 9).map(Math.abs));
      assert.ok(vector.every((x, axis) => x === sign * numbers[6 + axis]));
    });
  }
});

test("the hardest impact of the command's table is one press away, and said", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=pool_break&t=0", viewport: SMALL });
  await finished(page);
  const native = run("pool_break", { until: 3, every: 1, path: given.path });
  const size = (row) => Math.hypot(...row.slice(9, 12).map(Number));
  const hardest = native.impacts.filter((row) => row[20] === "false").reduce((best, row) => (size(row) > size(best) ? row : best));
  await page.keyboard.press("h");
  await told(page, `${hardest[1]} and ${hardest[2]}, ${size(hardest).toPrecision(3)} N s`);
  await page.waitForFunction((time) => window.impulse.player.time === time, Number(hardest[0]));
});
