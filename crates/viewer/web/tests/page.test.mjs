// What a person meets: pictures, controls, names, links, sizes and times.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { DESK, DIST, PATIENT, PHONE, finished, share } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Where screenshots are kept, if anybody wants to look at them. */
const SHOTS = process.env.SHOTS ?? "";
if (SHOTS !== "") {
  mkdirSync(SHOTS, { recursive: true });
}

const given = share();

const SCENES = { bowling: [2.7, 3.2], pool_break: [0.0, 0.4], dominos: [0.2, 0.6], coins: [0.2, 0.5], gas: [0.1, 0.6], stack: [0.0, 30] };

/** Colours of the drawn picture on a coarse grid. */
function colors(page) {
  return page.evaluate(() => {
    const { stage } = window.impulse.picture;
    stage.invalidate();
    stage.render();
    const small = document.createElement("canvas");
    [small.width, small.height] = [80, 50];
    const context = small.getContext("2d");
    context.drawImage(stage.picture(), 0, 0, 80, 50);
    return [...context.getImageData(0, 0, 80, 50).data];
  });
}

async function showAt(page, time) {
  await page.evaluate((at) => window.impulse.player.reach(at), time);
  return colors(page);
}

const distinct = (data) => new Set(data.map((_, k) => (k % 4 === 0 ? data.slice(k, k + 3).map((x) => x >> 3).join() : ""))).size;
const changed = (a, b) => a.filter((x, k) => Math.abs(x - b[k]) > 8).length;

for (const [scene, [first, second]] of Object.entries(SCENES)) {
  test(`${scene}: pictures are not blank, light and dark, desk and phone, and change with time`, PATIENT, async () => {
    for (const phone of [false, true]) {
      const page = await given.open({
        fragment: `#scene=${scene}&t=${first}`, viewport: phone ? PHONE : DESK, touch: phone,
      });
      const light = await showAt(page, first);
      const later = await showAt(page, second);
      await page.evaluate(() => document.getElementById("theme").click());
      const dark = await colors(page);
      for (const picture of [light, later, dark]) {
        assert.ok(distinct(picture) > 8, `${distinct(picture)} colours`);
      }
      assert.ok(scene === "stack" || changed(light, later) > 20, `${changed(light, later)} numbers differ with time`);
      assert.ok(changed(later, dark) > 4000, "dark is dark");
      if (SHOTS !== "") {
        const name = (theme) => join(SHOTS, `${scene}-${phone ? "phone" : "desk"}-${theme}.png`);
        await page.waitForTimeout(300);
        await page.screenshot({ path: name("dark") });
        await page.evaluate(() => document.getElementById("theme").click());
        await page.waitForTimeout(300);
        await page.screenshot({ path: name("light") });
      }
      await page.close();
    }
  });
}

test("axe finds nothing serious, in the page, the gallery and the keys, light and dark", PATIENT, async () => {
  for (const dark of [false, true]) {
    const page = await given.open({ fragment: "#scene=bounce&t=1", dark });
    await page.evaluate(() => window.impulse.select(1));
    await page.evaluate(() => document.getElementById("toggle-show").click());
    await page.waitForTimeout(500);
    await page.evaluate(axe);
    const findings = async () => {
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
      return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    };
    assert.deepEqual(await findings(), []);
    for (const dialog of ["gallery", "keys"]) {
      await page.evaluate((id) => document.getElementById(id).showModal(), dialog);
      assert.deepEqual(await findings(), [], dialog);
      await page.evaluate((id) => document.getElementById(id).close(), dialog);
    }
  }
});

test("every control is reached by Tab and has a name", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=bounce&t=1" });
  await page.evaluate(() => document.getElementById("toggle-show").click());
  await page.evaluate(() => window.impulse.select(1));
  await page.waitForTimeout(500);
  const wanted = await page.evaluate(() => {
    const all = [...document.querySelectorAll("main button, main select, main input, main canvas[tabindex]")];
    return all.filter((one) => one.offsetParent !== null && !one.disabled).map((one, k) => (one.dataset.tab = one.id || `nameless ${k}`));
  });
  const reached = new Map();
  await page.evaluate(() => document.body.focus());
  for (let k = 0; k < wanted.length + 10; k++) {
    await page.keyboard.press("Tab");
    const [id, name] = await page.evaluate(() => {
      const one = document.activeElement;
      const label = one.labels?.[0]?.textContent ?? "";
      return [one.dataset?.tab ?? "", (one.getAttribute("aria-label") ?? one.textContent + label + one.title).trim()];
    });
    reached.set(id, name);
  }
  for (const id of wanted) {
    assert.ok(reached.has(id), `${id} is not reached`);
    assert.notEqual(reached.get(id), "", `${id} has no name`);
  }
  assert.ok(wanted.length > 20);
});

test("the keyboard alone plays, steps, chooses a scene, a body and what is drawn", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=bounce&t=0" });
  await finished(page);
  const time = () => page.evaluate(() => window.impulse.player.time);
  /** Presses a key and waits for what it should do. */
  const press = async (key, done, argument) => {
    await page.keyboard.press(key);
    await page.waitForFunction(done ?? (() => true), argument);
  };
  await press(" ", () => window.impulse.player.time > 0.05);
  await press(" ", () => window.impulse.player.direction === 0);
  await press("n", (before) => window.impulse.player.time > before, await time());
  await press(".", (before) => window.impulse.frame.numbers[1] > before, await page.evaluate(() => window.impulse.frame.numbers[1]));
  await press(",");
  await press("p");
  await press("Home", () => window.impulse.player.time === 0);
  await press("End", () => window.impulse.player.time === 5);
  await press("r", () => window.impulse.player.time < 5);
  await press("r", () => window.impulse.player.direction === 0);
  await press("b");
  await press("b", () => document.getElementById("body").selectedOptions[0].textContent === "ball");
  await press("End", () => document.querySelectorAll("#impacts tbody tr").length > 5);
  await press("d", () => !document.getElementById("show-panel").hidden);
  await press("]", () => window.impulse.player.speed === 2);
  await press("g", () => document.getElementById("gallery").open);
  await press("Tab");
  await press("Tab");
  await press("Enter");
  await page.waitForFunction(() => document.getElementById("scene-name").textContent === "block_on_ramp");
});

test("a link shows the same instant from the same place, in a fresh profile", PATIENT, async () => {
  const first = await given.open({ fragment: "#scene=pool_break&seed=3&t=0.3" });
  await first.keyboard.press("n");
  await first.evaluate(() => window.impulse.picture.stage.orbit(0.4, 0.1, 1.3));
  await first.evaluate(() => window.impulse.seek(window.impulse.player.time));
  await first.waitForTimeout(800);
  const told = (page) => page.evaluate(async () => ({
    hash: await window.impulse.session.ask({ ask: "hash" }),
    time: window.impulse.player.time,
    view: window.impulse.picture.stage.view().map((x) => Number(x.toPrecision(5))),
    address: location.hash,
  }));
  const shown = await told(first);
  assert.match(shown.address, /scene=pool_break&seed=3&t=/);
  const second = await given.open({ fragment: shown.address });
  const again = await told(second);
  assert.deepEqual([again.hash, again.time, again.view], [shown.hash, shown.time, shown.view]);
});

test("overlays, follow, wireframe and plots show what the engine says", PATIENT, async () => {
  const show = "show=boxes,closest,centres,trails,forces,wireframe";
  const page = await given.open({ fragment: `#scene=bowling&t=3.5&${show}` });
  await finished(page);
  await page.evaluate(() => {
    window.impulse.select(1);
    document.getElementById("follow").click();
    window.impulse.seek(3.6);
  });
  await page.waitForTimeout(1200);
  const counts = await page.evaluate(() => {
    const { frame, picture } = window.impulse;
    const points = (one) => one.geometry.getAttribute("position").count;
    return {
      boxes: [frame.boxes.length / 8, points(picture.overlays.boxes) / 24],
      closest: [frame.closest.length / 10, points(picture.overlays.closest) / 2],
      centres: [11, points(picture.overlays.centres)],
      trails: [11, picture.overlays.trailCount],
      forces: [frame.contacts.length / 13, picture.arrows.drawn.filter((arrow) => arrow.kind === "force").length],
    };
  });
  for (const [name, [said, drawn]] of Object.entries(counts)) {
    assert.equal(drawn, said, name);
    assert.ok(drawn > 0, name);
  }
  for (const choice of ["rate", "height", "speed", "spin", "energy"]) {
    await page.selectOption("#plot-choice", choice);
    await page.waitForTimeout(150);
    const { times, series } = await page.evaluate(() => window.impulse.plots.series());
    assert.ok(times.length === 1001 && series.every(({ values }) => values.length === 1001 && values.every(Number.isFinite)), choice);
  }
});

test("the page is below 1.8 MB compressed", () => {
  const files = readdirSync(DIST, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const size = (entry) => gzipSync(readFileSync(join(entry.parentPath ?? entry.path, entry.name)), { level: 9 }).length;
  const several = files.filter(({ name }) => name !== "impulse.html").map(size).reduce((a, b) => a + b, 0);
  const single = size(files.find(({ name }) => name === "impulse.html"));
  console.log(`${several} bytes in several files, ${single} in one`);
  assert.ok(several < 1.8e6 && single < 1.8e6);
});

test("the policy has no unsafe-eval, and nothing is asked for elsewhere", PATIENT, async () => {
  const page = await given.blank();
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${given.address}#scene=bounce`);
  await page.waitForFunction(() => window.impulse?.frame != null);
  assert.ok(asked.length >= 5 && asked.every((url) => url.startsWith(given.address) || url.startsWith("data:")), asked.join(" "));
  const policy = await page.evaluate(() => document.querySelector("meta[http-equiv]").content);
  assert.match(policy, /default-src 'none'.*'wasm-unsafe-eval'/);
  assert.doesNotMatch(policy, /'unsafe-eval'|'unsafe-inline'|https?:/);
});
