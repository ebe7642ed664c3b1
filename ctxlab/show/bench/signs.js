/* Signs: what lies on top of the stage: what changed at this step, what was freed, a sign for every Edit, what is picked. */

import { afterOf, beforeOf, layerOf } from "./columns.js";
import { penOf, SIGNS } from "./dom.js";
import { threadEnd } from "./motion.js";
import { path } from "./ribbons.js";
import { gatherSigns } from "./scale.js";
import { HISTORY_FOOT, TOPS, VIEW_FOOT } from "./tops.js";
import { thousands } from "./words.js";

const signPaths = new Map();
const signPath = (name) => {
  if (!signPaths.has(name)) signPaths.set(name, new Path2D(SIGNS[name] || SIGNS.user));
  return signPaths.get(name);
};

/** One sign on a canvas. */
export function drawSign(pen, name, x, y, size, colour) {
  pen.save();
  pen.translate(x, y);
  pen.scale(size / 24, size / 24);
  pen.strokeStyle = colour;
  pen.lineWidth = 2.3;
  pen.lineJoin = "round";
  pen.stroke(signPath(name));
  pen.restore();
}

/** What changed at this step, in the one colour that nothing else has; and what was freed, as a dashed place. */
export function drawNow(draw) {
  const { bench, pen, columns, rows, theme, above, scale, phases } = draw;
  if (bench.before) return;
  pen.strokeStyle = pen.fillStyle = theme.now;
  pen.lineWidth = 2;
  for (const { x0, x1, framed } of nowRuns(draw)) {
    if (framed && x1 - x0 >= 6) pen.strokeRect(x0 + 1, TOPS.history, x1 - x0 - 2, TOPS.historyHeight);
    else pen.fillRect(x0, TOPS.history - 5, Math.max(1.5, x1 - x0 - 1), 4);
  }
  if (layerOf(columns, bench.step) === "arrive")
    for (const block of rows.now)
      if (rows.place[block] >= 0 && rows.tokens[block])
        pen.fillRect(
          rows.start[block] * scale.perToken,
          VIEW_FOOT + 2,
          Math.max(1, rows.tokens[block] * scale.perToken),
          3,
        );
  const before = beforeOf(columns, bench.step),
    after = afterOf(columns, bench.step),
    low = after * scale.perToken,
    high = Math.min(bench.width - 2, before * scale.perToken);
  if (high - low > 2 && phases.move === 1) drawFreed(draw, low, high, before - after);
}

/** Runs of blocks of the History that this step touched, those with one fate together: hidden ones get a frame, others a bar. */
function nowRuns({ columns, rows, above, bench }) {
  const out = [],
    summed = bench.fixed.verbs.indexOf("autocompact");
  let last = null;
  for (let block = columns.blocks.overhead; block < rows.stop; block++) {
    if (!rows.fresh[block] || !columns.blocks.tokens[block]) continue;
    const fate = rows.fate[block],
      framed = fate >= 0 && fate !== summed,
      narrow = above(block + 1) - above(block) < 6;
    const same =
      last && last.stop === block && last.fate === fate && (!framed || narrow || rows.target[block] === last.into);
    if (same) {
      last.x1 = above(block + 1);
      last.stop = block + 1;
      continue;
    }
    last = { x0: above(block), x1: above(block + 1), framed, fate, into: rows.target[block], stop: block + 1 };
    out.push(last);
  }
  return out.filter(({ x0, x1 }) => x1 > 0 && x0 < bench.width);
}

function drawFreed({ bench, pen, columns, scale, theme }, low, high, freed) {
  pen.strokeStyle = theme.now;
  pen.lineWidth = 1.5;
  pen.setLineDash([5, 4]);
  pen.strokeRect(low + 1.5, TOPS.view + 3, high - low - 3, TOPS.viewHeight - 6);
  pen.setLineDash([]);
  pen.font = `600 13px ${theme.font}`;
  pen.textBaseline = "middle";
  const text = bench.say("freed", thousands(freed)),
    wide = pen.measureText(text).width,
    lines = Object.values(columns.lines).map((tokens) => tokens * scale.perToken);
  const free = (x) =>
    x > low && x + wide < bench.width - 2 && !lines.some((line) => line > x - 5 && line < x + wide + 5);
  const spots =
    high - low > wide + 14
      ? [(low + high - wide) / 2, low + 9, (low + Math.min(...lines.filter((line) => line > low), high) - wide) / 2]
      : [];
  const x = [...spots, high + 8, ...lines.map((line) => line + 8)].find(
    (at) => free(at) && (at > high || at + wide < high),
  );
  if (x == null) return;
  pen.fillStyle = theme.back;
  pen.fillRect(x - 4, TOPS.view + 14, wide + 8, 22);
  pen.fillStyle = theme.now_text;
  pen.fillText(text, x, TOPS.view + TOPS.viewHeight / 2);
}

/** Every Edit leaves a sign above the View, at its true place; crowded ones become one with a count. */
export function drawSigns({ bench, stage, pen, columns, rows, scale, theme, from, phases }) {
  const end = threadEnd(from, rows, phases),
    groups = new Map();
  for (let block = columns.blocks.overhead; block < rows.stop; block++) {
    if (rows.fate[block] < 0 || rows.target[block] < 0 || !columns.blocks.tokens[block]) continue;
    const [low, high] = end(block),
      key = `${rows.fate[block]} ${rows.target[block]}`,
      known = groups.get(key);
    if (known) {
      known.high = high;
      known.now = known.now || (!bench.before && rows.fresh[block] === 1);
    } else groups.set(key, { block, verb: rows.fate[block], now: !bench.before && rows.fresh[block] === 1, low, high });
  }
  const signs = [...groups.values()].map((group) => ({ ...group, x: ((group.low + group.high) / 2) * scale.perToken }));
  const widthOf = (sign) => (sign.count > 1 ? 29 + 7 * String(sign.count).length : 18);
  stage.signs = gatherSigns(signs, widthOf).map((sign) => ({ ...sign, width: widthOf(sign) }));
  for (const sign of stage.signs) drawCard(pen, sign, bench.fixed.verbs[sign.verb], theme);
}

function drawCard(pen, { left, width, at, count, mixed, now }, verb, theme) {
  pen.fillStyle = theme.back;
  pen.strokeStyle = now ? theme.now : theme.faint;
  pen.lineWidth = now ? 1.6 : 1;
  pen.beginPath();
  pen.roundRect(left, TOPS.signs, width, 17, 3);
  pen.fill();
  pen.stroke();
  pen.beginPath();
  pen.moveTo(Math.max(left + 3, Math.min(left + width - 3, at)), TOPS.signs + 17);
  pen.lineTo(at, TOPS.view);
  pen.stroke();
  drawSign(pen, verb, left + 2.5, TOPS.signs + 2, 13, now ? theme.now_text : theme.ink);
  if (count < 2) return;
  pen.fillStyle = now ? theme.now_text : theme.ink;
  pen.font = `600 11.5px ${theme.font}`;
  pen.textBaseline = "middle";
  pen.fillText(`${mixed ? "+" : "×"}${count}`, left + 17, TOPS.signs + 9);
}

/** The block that the reader picked, in blue with its thread; the one that the bench picked has a small notch only. */
export function drawPicked({ bench, pen, rows, scale, theme, above, from, phases }) {
  const end = threadEnd(from, rows, phases);
  for (const [block, colour, wide] of [
    [bench.pinned ? bench.picked : null, theme.reader, 3],
    [bench.hover, theme.ink, 2],
  ]) {
    if (block == null || block < 0) continue;
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = wide;
    const [low, high] = end(block).map((token) => token * scale.perToken),
      inHistory = block >= bench.columns.blocks.overhead && block < rows.stop;
    if (inHistory && low === low) {
      const band = path({ x0: above(block), x1: above(block + 1), low, high }, HISTORY_FOOT + 1, TOPS.view - 1);
      pen.globalAlpha = 0.12;
      pen.fill(band);
      pen.globalAlpha = 1;
      pen.lineWidth = 1.5;
      pen.stroke(band);
      pen.lineWidth = wide;
    }
    if (inHistory)
      pen.strokeRect(
        above(block) + 1,
        TOPS.history + 1,
        Math.max(3, above(block + 1) - above(block) - 2),
        TOPS.historyHeight - 2,
      );
    if (low === low) pen.strokeRect(low + 1, TOPS.view + 1, Math.max(3, high - low - 2), TOPS.viewHeight - 2);
  }
  if (!bench.pinned && bench.picked != null && bench.picked >= bench.columns.blocks.overhead)
    drawNotch(pen, (above(bench.picked) + above(bench.picked + 1)) / 2, theme.reader);
}

function drawNotch(pen, x, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(x - 5, TOPS.history - 9);
  pen.lineTo(x + 5, TOPS.history - 9);
  pen.lineTo(x, TOPS.history - 3);
  pen.closePath();
  pen.fill();
}

/** The tape goes on beyond the edge: it fades. A View larger than the window ends in a torn edge. */
export function drawEdges({ bench, pen, columns, rows, scale, theme, above }) {
  for (const [on, x, way] of [
    [scale.scroll > 2, 0, 1],
    [above(rows.stop) > bench.width + 2, bench.width, -1],
  ]) {
    if (!on) continue;
    const fade = pen.createLinearGradient(x, 0, x + way * 26, 0);
    fade.addColorStop(0, theme.back);
    fade.addColorStop(1, `${theme.back}00`);
    pen.fillStyle = fade;
    pen.fillRect(Math.min(x, x + way * 26), TOPS.history - 3, 26, TOPS.historyHeight + 6);
  }
  if (rows.size <= columns.lines.window) return;
  const x = Math.min(rows.size * scale.perToken, bench.width - 4);
  pen.strokeStyle = theme.now;
  pen.lineWidth = 2;
  pen.beginPath();
  for (let y = TOPS.view, tooth = 1; y <= VIEW_FOOT; y += 7, tooth = -tooth) pen.lineTo(x + 3 * tooth, y);
  pen.stroke();
}

/** A swatch of a kind for the key. */
export function drawSwatch(bench, canvas, kind) {
  const pen = penOf(canvas, 16, 16);
  bench.brush.row(pen, [{ kind, x0: 0, x1: 17, label: "" }], 0, 16);
}
