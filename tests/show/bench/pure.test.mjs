/* The pure parts of the bench: rows, scale, signs, names, sliders, playing, motion. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { actFrom, arrivalOf, findStep, lifeOf, prepare, reasonOf, restOf, rowsAt, sameBlock, sizesOf, standsFor, unpack } from "../../../ctxlab/show/bench/columns.js";
import { sliderScale } from "../../../ctxlab/show/bench/fields.js";
import { phasesOf, spotOf, threadEnd, viewItems } from "../../../ctxlab/show/bench/motion.js";
import { gather, gatherSigns, historyHit, placeNames, roundTokens, scaleOf, viewHit } from "../../../ctxlab/show/bench/scale.js";
import { nextPlayed } from "../../../ctxlab/show/bench/transport.js";
import { capital, filled, grouped, oneLine, thousands } from "../../../ctxlab/show/bench/words.js";

const STATES = ["off", "idle", "acted", "no_gain", "failed"];
const fixed = { verbs: ["budget", "snip", "microcompact", "collapse", "autocompact"], looks: [] };

const rises = (numbers) => numbers.map((number, at) => number - (at ? numbers[at - 1] : 0));

/* Block 0 is overhead; 1 user, 2 call, 3 result; then the result is blanked; then 1 to 3 become a summary, 4, with 5 in front of it. */
const plain = () => ({
  blocks: { kind: [0, 1, 2, 3, 5, 4], tokens: [100, 10, 20, 300, 40, 0], label: ["", "", "", "", "", ""], overhead: 1, put_in: [4, 5] },
  steps: { layers: ["arrive", "microcompact", "autocompact"], layer: [0, 1, 2, 0, 1, 2], state: [1, 1, 1, 1, 2, 2], reason: [0, 0, 0, 0, 0, 0], reasons: ["\u0001 tokens < 9"], after: rises([110, 110, 110, 430, 138, 140]), stop: rises([2, 2, 2, 4, 4, 6]), cost: {} },
  changes: {
    step: rises([4, 5, 5, 5, 5, 5]),
    block: rises([3, 5, 4, 1, 2, 3]),
    kind: [9, 4, 5, -1, -1, -1],
    tokens: [8, 0, 40, 0, 0, 0],
    verb: [2, -1, -1, 4, 4, 4],
    into: rises([3, 5, 4, 4, 4, 4]),
    before: [-2, 1, 2, -2, -2, -2],
  },
  requests: { first: rises([0, 3]), idle: [0, 70], asked: [1, 0], outcome: ["sent", "sent"], recorded: [null, 400] },
  lines: { warning: 300, autocompact: 400, blocking: 450, effective_window: 460, window: 500 },
  mixed_from: 4,
});

test("the rows of each step", () => {
  const columns = prepare(plain());
  assert.deepEqual([...rowsAt(columns, 0).order], [0, 1]);
  assert.deepEqual([...rowsAt(columns, 3).order], [0, 1, 2, 3]);
  const blanked = rowsAt(columns, 4);
  assert.equal(blanked.tokens[3], 8);
  assert.equal(blanked.size, 138);
  const summed = rowsAt(columns, 5);
  assert.deepEqual([...summed.order], [0, 5, 4]);
  assert.equal(standsFor(summed, 3), 4);
  assert.deepEqual([...summed.now].sort(), [1, 2, 3, 4, 5]);
});

test("what one block stands for shares its place", () => {
  const rows = rowsAt(prepare(plain()), 5);
  assert.equal(rows.low[1], 100);
  assert.equal(rows.high[3], 140);
  assert.ok(Math.abs(rows.high[1] - rows.low[2]) < 1e-9);
});

test("a block that was blanked and then summarised is summarised", () => {
  const columns = prepare(plain());
  assert.equal(rowsAt(columns, 4).fate[3], 2);
  assert.equal(rowsAt(columns, 5).fate[3], 4);
  assert.deepEqual(lifeOf(columns, 3, 5).map((each) => each.step), [4, 5]);
});

test("a reason gets the size of its step back", () => {
  const columns = prepare(plain());
  assert.equal(reasonOf(columns, 4), "430 tokens < 9");
  assert.equal(reasonOf(columns, 0), "100 tokens < 9");
});

test("columns travel as gzip of JSON", async () => {
  const columns = await unpack(gzipSync(Buffer.from(JSON.stringify(plain()))));
  assert.equal(columns.count, 6);
});

test("requests, arrivals, acts and sizes are found", () => {
  const columns = prepare(plain());
  assert.equal(arrivalOf(columns, 1), 0);
  assert.equal(arrivalOf(columns, 3), 3);
  assert.equal(findStep(columns, 1, "microcompact"), 4);
  assert.equal(findStep(columns, 1, "nothing"), 5);
  assert.equal(actFrom(columns, 0, 1, STATES), 4);
  assert.equal(actFrom(columns, 4, -1, STATES), -1);
  assert.equal(restOf(columns, 0, STATES), 2);
  assert.deepEqual(sizesOf(columns, 1), { before: 430, after: 140 });
});

test("a picked block is found again in another run, and one that only an Edit made is not", () => {
  const one = prepare(plain()), other = prepare({ ...plain(), blocks: { ...plain().blocks, put_in: [1, 5] } });
  assert.equal(sameBlock(one, 1, other), 2);
  assert.equal(sameBlock(one, 4, other), -1);
});

test("hits are exact below one pixel", () => {
  const columns = prepare(plain()), rows = rowsAt(columns, 3), scale = scaleOf(columns, rows, { width: 166, zoom: "window", scroll: 0, fixed });
  assert.ok(scale.perToken < 1);
  for (const block of [1, 2, 3]) assert.equal(historyHit(columns, rows, scale, (columns.sums[block] + 0.5) * scale.perToken), block);
  assert.equal(historyHit(columns, rows, scale, 1), -1);
  assert.equal(viewHit(rows, scale, 105 * scale.perToken), 1);
  assert.equal(viewHit(rows, scale, 9_999), -1);
});

test("gathering drops nothing and leaves no gap", () => {
  const items = Array.from({ length: 1_000 }, (_, at) => ({ x0: at * 0.25, x1: (at + 1) * 0.25 }));
  let reached = 0, seen = 0;
  gather(items, 3, () => assert.fail("none is wide"), (narrow, x0, x1) => { assert.equal(x0, reached); reached = x1; seen += narrow.length; });
  assert.equal(seen, 1_000);
  assert.equal(reached, 250);
});

test("signs never cover one another, and none is lost", () => {
  const signs = Array.from({ length: 60 }, (_, at) => ({ x: at * at * 0.3, verb: at % 5, now: at % 7 === 0 })), width = (sign) => (sign.count > 1 ? 43 : 18);
  const shown = gatherSigns(signs, width);
  assert.equal(shown.reduce((sum, sign) => sum + sign.count, 0), 60);
  shown.slice(1).forEach((sign, at) => assert.ok(sign.left >= shown[at].left + width(shown[at])));
});

test("names of lines never overlap and no leader runs through one, wherever the lines are", () => {
  for (let turn = 0; turn < 400; turn++) {
    const width = 420 + (turn % 5) * 150, names = Array.from({ length: 4 }, (_, at) => ({ x: ((turn * 37 + at * (turn % 11) * 23) % 100) * 0.0085 * width, width: 70 + 12 * at })).sort((a, b) => a.x - b.x);
    if (new Set(names.map((name) => Math.round(name.x / 8))).size < 4) continue;
    const placed = placeNames(names, width);
    placed.forEach((one, at) => placed.slice(at + 1).forEach((two, off) => {
      const other = names[at + 1 + off];
      assert.ok(one.row !== two.row || one.left + names[at].width <= two.left || two.left + other.width <= one.left, `turn ${turn}`);
    }));
  }
});

test("sliders reach both ends, and every position is a value that the engine takes", () => {
  for (const field of [{ low: 1_000, high: 10_000_000, step: 1_000 }, { low: 0, high: 200_000, step: 100 }, { low: 0.05, high: 1, step: 0.01 }, { low: 1, high: 100, step: 1 }, { low: 100, high: 1_000_000, step: 100 }]) {
    const scale = sliderScale(field);
    assert.equal(Number(scale.text(scale.low)), field.low);
    assert.equal(Number(scale.text(scale.high)), field.high);
    let before = -Infinity;
    for (let at = scale.low; at <= scale.high; at += Math.max(scale.step, (scale.high - scale.low) / 200)) {
      const value = Number(scale.text(at));
      assert.ok(value >= field.low && value <= field.high && value >= before);
      before = value;
    }
    for (const value of [field.low, field.high]) assert.equal(Number(scale.text(scale.position(value))), value);
  }
});

test("playing dwells on acts, passes quiet requests, and ends", () => {
  const columns = prepare(plain());
  const first = nextPlayed(columns, 0, STATES, 1), second = nextPlayed(columns, first.to, STATES, 1);
  assert.equal(first.to, 3);
  assert.equal(second.to, 4);
  assert.ok(second.wait > 4 * first.wait);
  assert.equal(nextPlayed(columns, 5, STATES, 1), null);
});

test("motion begins and ends at the two steps", () => {
  const columns = prepare(plain()), from = rowsAt(columns, 4), to = rowsAt(columns, 5);
  const start = viewItems(from, to, phasesOf(0)), end = viewItems(from, to, phasesOf(1)).filter((item) => item.alpha > 0.3);
  assert.deepEqual(start.find((item) => item.block === 3 && item.kind === 9).x0, spotOf(from, 3)[0]);
  assert.deepEqual(end.map((item) => [item.block, item.x0, item.x1]), viewItems(null, to, phasesOf(1)).map((item) => [item.block, item.x0, item.x1]));
  assert.deepEqual(threadEnd(from, to, phasesOf(1))(3), spotOf(to, 3));
});

test("numbers and sentences", () => {
  assert.deepEqual([0, 999, 1_000, 12_420, 999_999, 1_160_000].map(thousands), ["0", "999", "1.0K", "12.4K", "1,000.0K", "1.16M"]);
  assert.equal(grouped(1_234_567), "1,234,567");
  assert.equal(filled("{} of {}", [1, 2]), "1 of 2");
  assert.equal(filled("{a} and {b}", { a: "{b}", b: "x" }), "{b} and x");
  assert.equal(oneLine("abcdef", 4), "abc…");
  assert.equal(capital(""), "");
});

test("the scale bar is a round number that can be seen", () => {
  for (const perToken of [0.0005, 0.004, 0.045, 0.4]) {
    const tokens = roundTokens(perToken);
    assert.ok(tokens * perToken >= 34 && tokens * perToken < 95);
    assert.match(String(tokens), /^[125]0+$/);
  }
});
