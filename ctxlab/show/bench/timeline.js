/* Timeline: the size at every request, before and after the layers, over a score with one lane for each layer. */

import { isAct, restOf, sizesOf, stepsOf } from "./columns.js";
import { el, penOf } from "./dom.js";
import { mix } from "./paint.js";
import {
  AXIS,
  actIn,
  drawActOfStep,
  drawScore,
  gutter,
  lanesOf,
  middleOf,
  pitch,
  drawOutcomes,
  drawRecorded,
} from "./score.js";
import { grouped, thousands } from "./words.js";

/** The chart with its scrubber: `node`, and `draw()`. */
export function makeTimeline(bench) {
  const canvas = el("canvas", { role: "img", "aria-label": bench.say("timeline") }),
    tags = el("div");
  const scrub = el("input", { class: "scrub", type: "range", min: 1, step: 1, "aria-label": bench.say("scrubber") });
  const still = el("canvas", { class: "still", "aria-hidden": "true" }),
    legend = el("p", { class: "legend" }),
    node = el("div", { class: "time" }, still, canvas, tags, scrub, legend);
  const timeline = { still, canvas, legend, tags, scrub, node, hover: null, drawn: [] };
  canvas.addEventListener("pointerdown", (event) => {
    const at = hit(bench, event, canvas);
    if (at) {
      bench.play(false);
      bench.go(at.step);
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    const at = hit(bench, event, canvas);
    timeline.hover = at && at.request;
    drawTimeline(bench, timeline);
    if (at) bench.tell(requestWords(bench, at.request));
  });
  canvas.addEventListener("pointerleave", () => {
    timeline.hover = null;
    drawTimeline(bench, timeline);
    bench.tell(null);
  });
  scrub.addEventListener("input", () => {
    bench.play(false);
    bench.go(restOf(bench.columns, Number(scrub.value) - 1, bench.fixed.states), { animate: false });
  });
  timeline.draw = () => drawTimeline(bench, timeline);
  return timeline;
}

function hit(bench, event, canvas) {
  const box = canvas.getBoundingClientRect(),
    x = event.clientX - box.left,
    y = event.clientY - box.top,
    { columns, fixed } = bench,
    count = columns.requests.first.length;
  if (x < gutter(bench) - 4) return null;
  const request = Math.max(0, Math.min(count - 1, Math.floor((x - gutter(bench)) / pitch(bench)))),
    lane = lanesOf(bench)[Math.floor((y - AXIS.lanes) / AXIS.lane) - 1];
  const reach = Math.max(1, Math.ceil(4 / pitch(bench)));
  for (let off = 0; lane && off <= reach; off++)
    for (const near of [request - off, request + off]) {
      const step = near >= 0 && near < count ? actIn(columns, near, lane, fixed.states) : -1;
      if (step >= 0) return { request: near, step };
    }
  return { request, step: restOf(columns, request, fixed.states) };
}

/** A request in one line: what came in, what was sent, what was recorded, who acted. */
function requestWords(bench, request) {
  const { columns, fixed, say } = bench,
    { before, after } = sizesOf(columns, request),
    [first, last] = stepsOf(columns, request),
    acts = [];
  for (let step = first; step <= last; step++) if (isAct(columns, step, fixed.states)) acts.push(bench.titleOf(step));
  const recorded = columns.requests.recorded[request],
    outcome = columns.requests.outcome[request];
  return [
    say(outcome === "blocked" || outcome === "refused" ? "not_sent" : "at_request", {
      request: request + 1,
      before: thousands(before),
      after: thousands(after),
    }),
    ...(recorded ? [say("recorded", thousands(recorded))] : []),
    ...(columns.requests.compacted.includes(request) ? [say("compacted")] : []),
    ...(outcome === "sent" ? [] : [fixed.outcomes[outcome].replace("; ", "")]),
    acts.join("; ") || say("no_act"),
  ].join(" · ");
}

/** What no step changes is drawn once for each run, width and theme, on a canvas of its own. */
function drawTimeline(bench, timeline) {
  const { columns, theme, width, baseline } = bench,
    lanes = lanesOf(bench),
    height = AXIS.lanes + (lanes.length + 1) * AXIS.lane + 2,
    now = [columns, theme, width, baseline];
  const top = topOf(columns),
    y = (tokens) => AXIS.top + AXIS.chart * (1 - Math.min(tokens, top) / top),
    draw = { bench, columns, theme, y, wide: pitch(bench), lanes, width, height };
  if (now.some((part, at) => part !== timeline.drawn[at])) {
    drawStill({ ...draw, pen: penOf(timeline.still, width, height) }, timeline);
    timeline.drawn = now;
  }
  drawPlace({ ...draw, pen: penOf(timeline.canvas, width, height), hover: timeline.hover });
  const request = columns.request[bench.step];
  timeline.scrub.value = request + 1;
  timeline.scrub.setAttribute(
    "aria-valuetext",
    bench.say("scrubbed", { request: request + 1, size: thousands(sizesOf(columns, request).after) }),
  );
}

/** The largest number that the chart must show. */
function topOf(columns) {
  const before = columns.requests.first.map((_, at) => sizesOf(columns, at).before);
  return (
    1.08 *
    [...before, ...columns.requests.recorded].reduce(
      (most, tokens) => Math.max(most, tokens || 0),
      columns.lines.window,
    )
  );
}

function drawStill(draw, timeline) {
  const { bench, columns, width } = draw;
  drawBars(draw, 0, columns.requests.first.length, mix(draw.theme.back, draw.theme.ink, 0.22));
  drawTakenOff(draw);
  drawRecorded(draw);
  if (bench.baseline && bench.baseline !== columns) drawCurve(draw, bench.baseline);
  drawLevels(draw);
  const pauses = drawPauses(draw);
  drawOutcomes(draw);
  drawScore(draw);
  placeLabels(draw, timeline, pauses);
  timeline.legend.textContent = legendOf(bench)
    .map((name) => bench.say(name))
    .join(" · ");
  timeline.scrub.max = columns.requests.first.length;
  timeline.scrub.style.marginLeft = `${gutter(bench) - 3}px`;
  timeline.scrub.style.width = `${width - gutter(bench) - AXIS.right + 6}px`;
}

/** Only what this chart has is explained. */
function legendOf({ columns, baseline }) {
  const { recorded, compacted, outcome, drops } = columns.requests,
    shown = {
      legend_recorded: recorded.some(Boolean),
      legend_compacted: compacted.length,
      legend_drops: drops.length,
      legend_outcome: outcome.some((each) => each !== "sent"),
      legend_old: baseline && baseline !== columns,
    };
  return ["legend_sent", "legend_taken", ...Object.keys(shown).filter((name) => shown[name])];
}

/** Where the reader is: what lies behind is darker, the request is black, the act of the step has the colour of now. */
function drawPlace(draw) {
  const { bench, pen, columns, theme, wide, height, hover } = draw,
    request = columns.request[bench.step];
  pen.globalAlpha = 0.09;
  pen.fillStyle = theme.ink;
  pen.fillRect(middleOf(bench, request) - Math.max(wide, 3) / 2, 0, Math.max(wide, 3), height);
  pen.globalAlpha = 1;
  drawBars(draw, 0, request, mix(theme.back, theme.ink, 0.42));
  drawBars(draw, request, request + 1, theme.ink);
  if (hover != null && hover !== request) drawBars(draw, hover, hover + 1, theme.muted);
  drawActOfStep(draw);
}

/** Solid: what was sent. */
function drawBars({ bench, pen, columns, y, wide }, from, to, colour) {
  const bar = Math.max(0.7, wide - (wide > 5 ? 1.5 : 0)),
    foot = AXIS.top + AXIS.chart;
  pen.fillStyle = colour;
  pen.beginPath();
  for (let at = from; at < to; at++) {
    const top = y(sizesOf(columns, at).after);
    pen.rect(middleOf(bench, at) - wide / 2, top, bar, foot - top);
  }
  pen.fill();
}

/** Dashed, above what was sent: what the layers took off. */
function drawTakenOff({ bench, pen, columns, theme, y, wide }) {
  const bar = Math.max(0.7, wide - (wide > 5 ? 1.5 : 0));
  pen.strokeStyle = pen.fillStyle = theme.faint;
  pen.lineWidth = 1;
  pen.setLineDash([2, 2]);
  for (let at = 0; at < columns.requests.first.length; at++) {
    const { before, after } = sizesOf(columns, at),
      x = middleOf(bench, at) - wide / 2;
    if (y(after) - y(before) <= 1) continue;
    if (bar > 4) pen.strokeRect(x + 0.5, y(before) + 0.5, bar - 1, y(after) - y(before));
    else pen.fillRect(x, y(before), bar, 1);
  }
  pen.setLineDash([]);
}

/** The run before the reader changed anything, dotted. */
function drawCurve({ bench, pen, theme, y }, old) {
  pen.strokeStyle = theme.reader;
  pen.lineWidth = 2;
  pen.setLineDash([1, 3]);
  pen.lineCap = "round";
  pen.beginPath();
  old.requests.first.forEach((_, at) => pen[at ? "lineTo" : "moveTo"](middleOf(bench, at), y(sizesOf(old, at).after)));
  pen.stroke();
  pen.setLineDash([]);
  pen.lineCap = "butt";
}

function drawLevels({ bench, pen, columns, theme, y, width }) {
  for (const [name, dash, wide] of [
    ["warning", [1.5, 3], 1],
    ["autocompact", [], 1.5],
    ["window", [], 2],
  ]) {
    pen.strokeStyle = theme.ink;
    pen.globalAlpha = name === "autocompact" ? 1 : 0.7;
    pen.lineWidth = wide;
    pen.setLineDash(dash);
    pen.beginPath();
    pen.moveTo(gutter(bench) - 3, y(columns.lines[name]));
    pen.lineTo(width - AXIS.right, y(columns.lines[name]));
    pen.stroke();
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/** Long pauses, named while their names have room. */
function drawPauses({ bench, pen, columns, theme, wide, width }) {
  const out = [];
  let free = -1;
  columns.requests.idle.forEach((minutes, request) => {
    if (minutes < bench.fixed.long_pause) return;
    const x = middleOf(bench, request) - wide / 2,
      late = x > width - 90;
    pen.strokeStyle = theme.muted;
    pen.lineWidth = 1;
    pen.setLineDash([3, 3]);
    pen.beginPath();
    pen.moveTo(x, 1);
    pen.lineTo(x, AXIS.top + AXIS.chart);
    pen.stroke();
    pen.setLineDash([]);
    if (x < free || (late && x - 90 < free)) return;
    free = x + 86;
    const text = minutes >= 120 ? bench.say("pause_hours", grouped(minutes / 60)) : bench.say("pause_minutes", minutes);
    out.push(
      el(
        "span",
        { class: "tag small", style: late ? `right:${width - x + 3}px;top:0` : `left:${x + 3}px;top:0` },
        text,
      ),
    );
  });
  return out;
}

/** The names of lanes and levels; two levels too near one another share a place above each other. */
function placeLabels({ bench, columns, y, lanes, width }, timeline, pauses) {
  const narrow = width < 700,
    words = narrow ? bench.fixed.short : bench.fixed.lanes,
    tags = [...pauses];
  [bench.say("asked"), ...lanes.map((lane) => words[lane])].forEach((text, at) =>
    tags.push(el("span", { class: "lane", style: `top:${AXIS.lanes + at * AXIS.lane}px` }, text)),
  );
  const foot = AXIS.top + AXIS.chart - 13, // the lowest place for a name
    window = Math.min(y(columns.lines.window) - 7, foot - 14),
    line = Math.min(Math.max(window + 14, y(columns.lines.autocompact) - 7), foot),
    axis = line > foot - 13 ? AXIS.top - 7 : foot; // low lines leave room above
  for (const [name, top] of [
    ["window", window],
    ["autocompact", line],
  ])
    tags.push(
      el(
        "span",
        { class: "lane small", style: `top:${top}px` },
        `${narrow ? "" : `${bench.fixed.lines_short[name]} `}${thousands(columns.lines[name])}`,
      ),
    );
  tags.push(el("span", { class: "lane small", style: `top:${axis}px` }, bench.say("axis")));
  timeline.tags.replaceChildren(...tags);
}
