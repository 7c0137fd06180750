// The playground: parameters, the editor, links, hands and recordings, parts, many runs, lessons.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { PATIENT, PHONE, endHash, finished, share, told } from "./browser.mjs";
import { hashAt, impulse } from "./command.mjs";


const given = share();


test("a parameter that is moved and undone gives the hash of before; the last run is a ghost, also in the plots", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=bounce&t=0" });
  const before = await endHash(page);
  await page.click("#toggle-play");
  assert.equal(await page.inputValue("#param-height"), "1.0");
  await page.fill("#param-height", "1.7");
  await page.press("#param-height", "Enter");
  await page.waitForFunction(() => window.impulse.place.params.height === "1.7");
  await finished(page);
  await page.waitForFunction(() => window.impulse.plots.ghostCount === 1);
  assert.equal(await page.evaluate(() => window.impulse.picture.ghosts.count), 1);
  const moved = await endHash(page);
  assert.notEqual(moved, before);
  assert.equal(moved, hashAt("bounce", 5, given.path, "--set", "height=1.7"));
  await page.click("#reset-params");
  await page.waitForFunction(() => window.impulse.place.params.height === undefined);
  assert.equal(await endHash(page), before);
  await page.focus("#slide-restitution");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => Number(window.impulse.place.params.restitution) < 0.8);
});

test("a mistake is marked at its line, the last good run stays, and a link holds the whole scene", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=bounce&t=0" });
  const before = await endHash(page);
  await page.click("#toggle-editor");
  await page.waitForFunction(() => document.getElementById("editor").shadowRoot?.querySelector(".cm-content") != null);
  const content = page.locator("#editor .cm-content");
  await content.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type('\nbody("second", spere(0.1), #{ at: [1, 0, 1], mass: 1 });');
  await page.keyboard.press("Control+Enter");
  await told(page, "spere");
  await page.waitForFunction(() => document.getElementById("editor").shadowRoot.querySelector(".cm-lint-marker-error") != null);
  assert.equal(await endHash(page), before);
  await page.evaluate(() => window.playground.editing.show("mine.rhai", `${window.impulse.script().text}\nbody("second", sphere(0.1), #{ at: [1, 0, 1], mass: 1 });`));
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(() => window.impulse.info.bodies.length === 3);
  const written = await endHash(page);
  await page.waitForFunction(() => location.hash.includes("code="));
  const link = await page.evaluate(() => location.hash);
  const fresh = await given.open({ fragment: link });
  assert.equal(await endHash(fresh), written);
  const file = join(given.path, "mine.rhai");
  writeFileSync(file, await page.evaluate(() => window.impulse.script().text));
  assert.equal(written, hashAt(file, 5, given.path));
  const cut = await given.open({ fragment: "#scene=bounce&t=0" });
  for (const forged of [link.replace(/code=([^&]{40})[^&]*/, "code=$1"), link.replace(/code=[^&]*/, "code=%3Cimg%20src=x%20onerror=alert(1)%3E")]) {
    await cut.evaluate((to) => (location.hash = to), forged);
    await told(cut, "damaged or cut off");
  }
  assert.equal(await cut.locator("#messages img").count(), 0);
});

/** Where the middle of a body is on the screen. */
function placeOf(page, body) {
  return page.evaluate((number) => {
    const { picture, frame } = window.impulse;
    const { left, top, width, height } = picture.stage.picture().getBoundingClientRect();
    picture.stage.camera.updateMatrixWorld();
    const place = picture.stage.controls.target.clone().fromArray(frame.numbers, 20 + 21 * number + 3).project(picture.stage.camera);
    return [left + (0.5 + 0.5 * place.x) * width, top + (0.5 - 0.5 * place.y) * height];
  }, body);
}

/** Drags a body by the mouse. */
async function drag(page, body, [dx, dy]) {
  const at = await placeOf(page, body);
  await page.mouse.move(...at);
  await page.mouse.down();
  await page.waitForFunction(() => window.impulse.frame.held.length === 6);
  await page.mouse.move(at[0] + 0.5 * dx, at[1] + 0.5 * dy, { steps: 3 });
  await page.waitForTimeout(150);
  await page.mouse.move(at[0] + dx, at[1] + dy, { steps: 3 });
  await page.waitForTimeout(150);
  await page.mouse.up();
  await page.waitForFunction(() => window.impulse.frame.held.length === 0);
  await page.evaluate(() => window.impulse.player.play(0));
}

test("three grabs, a push and a removed body: the recording replays to the same hash in the page, natively, and after scrubbing", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=stack&t=0&until=12&set.n=5" });
  await page.click("#toggle-play");
  await page.check("#tool-grab");
  for (const [body, way] of [[5, [90, -60]], [4, [-60, -30]], [3, [40, -80]]]) {
    await drag(page, body, way);
  }
  await page.evaluate(() => window.impulse.select(2));
  await page.fill("#impulse-x", "0.7");
  await page.click("#push-body");
  await page.waitForFunction(() => window.impulse.player.direction === 1);
  await page.waitForTimeout(100);
  await page.evaluate(() => { window.impulse.player.play(0); window.impulse.select(1); });
  await page.click("#remove-body");
  await page.waitForFunction(() => window.impulse.player.direction === 1);
  const ended = await endHash(page);
  const recording = JSON.parse(await page.evaluate(() => window.impulse.session.ask({ ask: "recording" })));
  const kinds = recording.acts.map(({ act }) => act);
  assert.deepEqual(["grab", "release", "push", "remove"].map((kind) => kinds.filter((one) => one === kind).length), [3, 3, 1, 1]);
  assert.equal(recording.hash, ended);
  console.log(`${recording.acts.length} acts, ${JSON.stringify(recording).length} bytes`);
  for (const time of [2.9, 0.1, 1.3, 0.4, 2.2, 0]) {
    await page.evaluate((to) => window.impulse.player.reach(to), time);
  }
  assert.equal(await endHash(page), ended);
  const file = join(given.path, "stack.recording.json");
  writeFileSync(file, JSON.stringify(recording));
  assert.match(impulse("run", "--acts", file), /the hash is that of the recording/);
  await page.setInputFiles("#open-files", file);
  await told(page, "is that of the recording");
  assert.equal(await endHash(page), ended);
  writeFileSync(file, JSON.stringify({ ...recording, version: "0.0.9", hash: "0123456789abcdef" }));
  await page.setInputFiles("#open-files", file);
  await told(page, "made by version 0.0.9");
  writeFileSync(file, JSON.stringify(recording).slice(0, 200));
  await page.setInputFiles("#open-files", file);
  await told(page, "this is no recording");
});

test("a dropped part has the mass of `impulse mass` to the bit, and the poses of `impulse poses`", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=bounce&t=0" });
  await page.click("#toggle-play");
  const part = new URL("../../../../parts/", import.meta.url).pathname;
  const [file, json] = [join(part, "bracket.obj"), join(given.path, "poses.json")];
  await page.setInputFiles("#open-files", file);
  await page.waitForFunction(() => window.playground.parts.study !== null);
  const study = await page.evaluate(() => window.playground.parts.study);
  const mass = JSON.parse(impulse("mass", file, "--json"));
  for (const name of ["volume", "mass", "com", "inertia", "principal_moments", "bounding_box", "notes"]) {
    assert.deepEqual(study.weight[name], mass[name], name);
  }
  impulse("poses", file, "--method", "quasi-static", "--json", json, "--quiet");
  const { poses } = JSON.parse(readFileSync(json, "utf8"));
  assert.equal(study.poses.length, poses.length);
  poses.forEach(({ probability, down, barrier }, k) => {
    assert.ok(Math.abs(probability - study.poses[k].probability) < 1e-12);
    assert.ok(down.every((x, axis) => Math.abs(x - study.poses[k].down[axis]) < 1e-12));
    assert.ok(barrier === undefined || Math.abs((barrier ?? 0) - (study.poses[k].barrier ?? 0)) < 1e-12);
  });
  await page.click("#drop-part");
  await page.waitForFunction(() => window.impulse.info.bodies.some(({ name }) => name === "part"));
  const holes = join(given.path, "open.stl");
  writeFileSync(holes, "solid open\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n");
  await page.setInputFiles("#open-files", holes);
  await told(page, "open.stl");
});

test("many seeds are drawn and counted; a lesson computes its numbers", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=box_drop&t=0" });
  await page.evaluate(() => window.playground.many.run(20));
  await page.waitForFunction(() => document.querySelectorAll("#outcomes li").length > 1);
  assert.equal(await page.evaluate(() => window.impulse.picture.ghosts.count), 20);
  const counts = await page.locator("#outcomes li").allTextContents();
  assert.equal(counts.map((text) => Number(/, (\d+) of 20/.exec(text)[1])).reduce((a, b) => a + b), 20);
  await page.click("#open-gallery");
  assert.equal(await page.locator(".lesson-button").count(), 5);
  for (let k = 0; k < 5; k++) {
    await page.evaluate((number) => document.querySelectorAll(".lesson-button")[number].click(), k);
    await page.waitForFunction(() => [...document.querySelectorAll(".measured")].length > 0 && [...document.querySelectorAll(".measured")].every((one) => !["…", "?"].includes(one.textContent)));
    const numbers = await page.locator(".measured").allTextContents();
    assert.ok(numbers.every((number) => Number.isFinite(Number(number))), numbers.join());
    if (k === 0) {
      const [height, , square, , first] = numbers.map(Number);
      assert.ok(Math.abs(first - 0.05 - square * height) < 0.06 * height, numbers.join());
    }
  }
});

test("open panels have names and contrast: no serious finding of axe-core", PATIENT, async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  for (const dark of [false, true]) {
    const page = await given.open({ fragment: "#scene=bounce&t=0.5", dark });
    await page.click("#toggle-play");
    await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
    await page.click("#toggle-editor");
    await page.waitForFunction(() => document.getElementById("editor").shadowRoot?.querySelector(".cm-content") != null);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run());
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`), []);
  }
});

/** Moves a finger over an element, from one place to another, both as shares of its width and height. */
async function swipe(page, selector, from, to) {
  const { x, y, width, height } = await page.locator(selector).boundingBox();
  const finger = await page.context().newCDPSession(page);
  const at = ([along, down]) => [{ x: x + along * width, y: y + down * height }];
  await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(from) });
  for (let k = 1; k <= 8; k++) {
    await finger.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(from.map((share, axis) => share + ((to[axis] - share) * k) / 8)) });
  }
  await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

test("on a phone sliders and scrubbing work by touch, and a body is grabbed by it", PATIENT, async () => {
  const page = await given.open({ fragment: "#scene=bounce&t=0", viewport: PHONE, touch: true });
  await finished(page);
  await swipe(page, "#time", [0.1, 0.5], [0.7, 0.5]);
  await page.waitForFunction(() => Math.abs(window.impulse.player.time - 3.5) < 0.3);
  await swipe(page, "#time", [0.7, 0.5], [0.3, 0.5]);
  await page.waitForFunction(() => Math.abs(window.impulse.player.time - 1.5) < 0.3);
  await page.tap("#toggle-play");
  await swipe(page, "#slide-restitution", [0.8, 0.5], [0.25, 0.5]);
  await page.waitForFunction(() => Math.abs(Number(window.impulse.place.params.restitution) - 0.25) < 0.1);
  await page.tap("#tool-grab");
  await page.tap("#toggle-play");
  await page.evaluate(() => window.impulse.seek(0));
  await page.waitForFunction(() => window.impulse.player.time === 0 && window.impulse.report.state === "finished");
  const { width, height } = await page.locator("#picture").boundingBox();
  const [x, y] = await placeOf(page, 1);
  const eye = await page.evaluate(() => window.impulse.picture.stage.view());
  await swipe(page, "#picture", [x / width, y / height], [x / width - 0.2, y / height]);
  const recording = JSON.parse(await page.evaluate(() => window.impulse.session.ask({ ask: "recording" })));
  const kinds = recording.acts.map(({ act }) => act);
  assert.deepEqual([kinds[0], kinds.at(-1)], ["grab", "release"]);
  assert.deepEqual(await page.evaluate(() => window.impulse.picture.stage.view()), eye);
});
