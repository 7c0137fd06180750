// What the page gives away: tables, an animation, pictures, a film, the page itself, a script, a link.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { DESK, PATIENT, SMALL, endHash, finished, runScript, share, shown, told } from "./browser.mjs";
import { hashAt, impulse } from "./command.mjs";

const given = share();

/** A page with the buttons for saving in sight. */
async function ready(fragment, viewport = DESK) {
  const page = await given.open({ fragment, viewport });
  await finished(page);
  await page.evaluate(() => window.impulse.player.play(0));
  await page.click("#toggle-play");
  await page.evaluate(() => document.querySelectorAll("#play-panel details").forEach((one) => (one.open = true)));
  return page;
}

/** The file that a button gives. */
async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  const path = join(given.path, download.suggestedFilename());
  await download.saveAs(path);
  return { path, name: download.suggestedFilename(), bytes: readFileSync(path) };
}

/** The first row that differs is enough to know. */
function same(found, wanted) {
  const first = wanted.findIndex((row, k) => row !== found[k]);
  assert.equal(found[first], wanted[first]);
  assert.equal(found.length, wanted.length);
}

test("tables are those of the command, to the last digit", PATIENT, async () => {
  const page = await ready("#scene=bowling&t=0&until=3");
  const [table, impacts] = ["command.csv", "command.impacts.csv"].map((name) => join(given.path, name));
  impulse("run", "bowling", "--until", "3", "--every", "0.006", "--csv", table, "--impacts", impacts, "--quiet");
  const rows = (text) => String(text).trim().split("\n");
  const found = await saved(page, "#save-csv");
  assert.equal(found.name, "bowling.csv");
  same(rows(found.bytes), rows(readFileSync(table)));
  const struck = await saved(page, "#save-impacts");
  same(rows(struck.bytes), rows(readFileSync(impacts)));
  assert.ok(rows(struck.bytes).length > 20);
});

/** The JSON and the data of a binary glTF file. */
function parsedGlb(bytes) {
  const [magic, version, length, jsonLength] = [0, 4, 8, 12].map((at) => bytes.readUInt32LE(at));
  assert.deepEqual([magic, version, length], [0x46546c67, 2, bytes.length]);
  const json = JSON.parse(bytes.subarray(20, 20 + jsonLength));
  const data = bytes.subarray(28 + jsonLength);
  assert.equal(bytes.readUInt32LE(20 + jsonLength), data.length);
  const floats = (number) => {
    const { bufferView, count, type } = json.accessors[number];
    const { byteOffset, byteLength } = json.bufferViews[bufferView];
    assert.equal(byteLength, 4 * count * { SCALAR: 1, VEC3: 3, VEC4: 4 }[type]);
    return Array.from({ length: byteLength / 4 }, (_, k) => data.readFloatLE(byteOffset + 4 * k));
  };
  return { json, floats };
}

test("the animation has every body with its way", PATIENT, async () => {
  const page = await ready("#scene=pool_break&t=0");
  const { bytes, name } = await saved(page, "#save-gltf");
  assert.equal(name, "pool_break.glb");
  const { json, floats } = parsedGlb(bytes);
  const bodies = await page.evaluate(() => window.impulse.info.bodies.map((body) => body.name));
  assert.deepEqual(json.nodes.slice(0, -1).map((node) => node.name), bodies);
  const [{ channels, samplers }] = json.animations;
  const times = floats(samplers[0].input);
  assert.ok(times.length === 91 && times.at(-1) === 3);
  for (const cue of [bodies.indexOf("cue"), bodies.indexOf("ball 7")]) {
    const way = (path) => floats(samplers[channels.find(({ target }) => target.node === cue && target.path === path).sampler].output);
    for (const frame of [0, 40, 90]) {
      await page.evaluate((time) => window.impulse.player.reach(time), frame / 30);
      const at = await page.evaluate((body) => [...window.impulse.frame.numbers.subarray(20 + 21 * body, 20 + 21 * body + 10)], cue);
      const [w, x, y, z] = at.slice(6, 10);
      assert.deepEqual(way("translation").slice(3 * frame, 3 * frame + 3), at.slice(0, 3).map(Math.fround));
      assert.deepEqual(way("rotation").slice(4 * frame, 4 * frame + 4), [x, y, z, w].map(Math.fround));
    }
  }
});

/** Size and number of colours of a picture, as the browser decodes it. */
function decoded(page, bytes) {
  return page.evaluate(async (text) => {
    const blob = new Blob([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], { type: "image/png" });
    const picture = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    const colors = new Set(new Uint32Array(context.getImageData(0, 0, picture.width, picture.height).data.buffer));
    return { width: picture.width, height: picture.height, colors: colors.size };
  }, bytes.toString("base64"));
}

test("a picture and a film can be saved, and are not blank", PATIENT, async () => {
  const page = await ready("#scene=pool_break&t=0.2&until=0.8", SMALL);
  const picture = await saved(page, "#save-png");
  const { width, height, colors } = await decoded(page, picture.bytes);
  assert.deepEqual([picture.name, width, height], ["pool_break.png", ...(await page.evaluate(() => [window.impulse.picture.stage.picture().width, window.impulse.picture.stage.picture().height]))]);
  assert.ok(width >= 400 && colors > 50, `${width} pixels, ${colors} colours`);
  await page.selectOption("#speed", "0.5");
  const film = await saved(page, "#save-film");
  assert.equal(film.name, "pool_break.webm");
  assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3);
  // A browser plays it, and its first and last pictures differ.
  const played = await page.evaluate(async (text) => {
    const video = document.createElement("video");
    video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], { type: "video/webm" }));
    video.muted = true;
    const ended = new Promise((resolve) => (video.onended = resolve));
    const canvas = new OffscreenCanvas(80, 60);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const taken = [];
    const take = () => {
      context.drawImage(video, 0, 0, 80, 60);
      taken.push([...context.getImageData(0, 0, 80, 60).data]);
    };
    await new Promise((resolve, reject) => {
      video.onerror = () => reject(new Error(video.error.message));
      video.requestVideoFrameCallback(resolve);
      void video.play();
    });
    take();
    await ended;
    take();
    return { width: video.videoWidth, changed: taken[0].filter((x, k) => Math.abs(x - taken[1][k]) > 8).length, colors: new Set(taken[0]).size };
  }, film.bytes.toString("base64"));
  assert.ok(played.width > 100 && played.changed > 20 && played.colors > 5, JSON.stringify(played));
});

test("the page is saved with its scene, parameters and files, and opens offline", PATIENT, async () => {
  const page = await ready("#scene=bounce&t=0&set.height=1.3&seed=4&until=2", SMALL);
  const expected = await endHash(page);
  assert.equal(expected, hashAt("bounce", 2, given.path, "--set", "height=1.3", "--seed", "4"));
  const alone = await given.blank({ offline: true, viewport: SMALL });
  const open = async ({ path }) => {
    await alone.goto(pathToFileURL(path).href);
    await shown(alone);
    return endHash(alone);
  };
  assert.equal(await open(await saved(page, "#save-page")), expected);
  const script = 'duration(1);\nbody("</script><img src=x onerror=alert(1)>", sphere(0.1), #{ at: [0, 0, 1], mass: 1 });\n';
  assert.equal(await runScript(page, script), true);
  const written = await endHash(page);
  assert.equal(await open(await saved(page, "#save-page")), written);
  const text = await saved(page, "#save-script");
  assert.deepEqual([text.name, String(text.bytes)], ["test.rhai", script]);
  // One file gives away what it shows, too.
  await alone.evaluate(() => window.impulse.open({ ...window.impulse.place, code: null, scene: "bounce", params: { height: "0.7" } }, false));
  const changed = await endHash(alone);
  await alone.click("#toggle-play");
  await alone.evaluate(() => document.querySelectorAll("#play-panel details").forEach((one) => (one.open = true)));
  const next = await saved(alone, "#save-page");
  assert.equal(await open(next), changed);
});

test("the button for a link copies one that shows the same instant in a fresh profile", PATIENT, async () => {
  const page = await ready("#scene=pool_break&seed=2&t=0.25", SMALL);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("#share-link");
  await told(page, "The link is copied");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const fresh = await given.open({ address: link, viewport: SMALL });
  const instant = (one) => one.evaluate(async () => [window.impulse.player.time, await window.impulse.session.ask({ ask: "hash" })]);
  assert.deepEqual(await instant(fresh), await instant(page));
  assert.equal((await instant(fresh))[0], 0.25);
});
