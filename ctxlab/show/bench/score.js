/* Score: under the chart, on the same axis, one lane for each layer: a bad setting shows without a word. */

import { isAct, layerOf, sizesOf, stepsOf } from "./columns.js";
import { drawSign } from "./signs.js";

/** Where the chart and the lanes are, in pixels. */
export const AXIS = { top: 15, chart: 76, lane: 15, lanes: 97, right: 4 };

export const gutter = (bench) => (bench.width < 700 ? 62 : 96);
export const pitch = (bench) => (bench.width - gutter(bench) - AXIS.right) / bench.columns.requests.first.length;
export const middleOf = (bench, request) => gutter(bench) + (request + 0.5) * pitch(bench);

/** The layers of this replay, one lane each, under the lane of the user. */
export const lanesOf = (bench) => bench.columns.steps.layers.filter((layer) => layer in bench.fixed.does);

/** The step in which a layer acted in a request, or -1. */
export function actIn(columns, request, layer, states) {
  const [first, last] = stepsOf(columns, request);
  for (let step = first; step <= last; step++)
    if (layerOf(columns, step) === layer && isAct(columns, step, states)) return step;
  return -1;
}

/** The score: a mark in the lane of each layer that acted, a cross where it failed. */
export function drawScore({ bench, pen, columns, theme, wide, lanes, width }) {
  const { fixed } = bench,
    row = (number) => AXIS.lanes + number * AXIS.lane + AXIS.lane / 2;
  pen.strokeStyle = theme.soft;
  pen.lineWidth = 1;
  for (let lane = 0; lane <= lanes.length; lane++) {
    pen.beginPath();
    pen.moveTo(gutter(bench), row(lane));
    pen.lineTo(width - AXIS.right, row(lane));
    pen.stroke();
  }
  pen.fillStyle = theme.reader;
  columns.requests.asked.forEach(
    (asked, request) =>
      asked &&
      pen.fillRect(middleOf(bench, request) - Math.min(2.5, wide / 2), row(0) - 4, Math.min(5, Math.max(1, wide)), 8),
  );
  for (let step = 0; step < columns.steps.state.length; step++)
    if (isAct(columns, step, fixed.states)) drawAct({ bench, pen, columns, theme, wide, lanes }, step);
}

/** The act of this step, in the colour of now. */
export function drawActOfStep({ bench, pen, columns, theme, wide, lanes }) {
  if (isAct(columns, bench.step, bench.fixed.states))
    drawAct({ bench, pen, columns, theme: { ...theme, ink: theme.now, back: "#ffffff" }, wide, lanes }, bench.step);
}

function drawAct({ bench, pen, columns, theme, wide, lanes }, step) {
  const layer = layerOf(columns, step),
    lane = lanes.indexOf(layer);
  if (lane < 0) return;
  const state = bench.fixed.states[columns.steps.state[step]],
    x = middleOf(bench, columns.request[step]),
    y = AXIS.lanes + (lane + 1) * AXIS.lane + AXIS.lane / 2;
  drawMark({ pen, theme, wide }, state, layer, x, y);
}

function drawMark({ pen, theme, wide }, state, layer, x, y) {
  const reach = wide < 7 ? 2 : 4;
  pen.fillStyle = pen.strokeStyle = theme.ink;
  pen.lineWidth = 1.8;
  if (state !== "acted") {
    pen.beginPath();
    if (state === "no_gain") {
      pen.moveTo(x - reach, y);
      pen.lineTo(x + reach, y);
    } else {
      pen.moveTo(x - reach, y - reach);
      pen.lineTo(x + reach, y + reach);
      pen.moveTo(x + reach, y - reach);
      pen.lineTo(x - reach, y + reach);
    }
    return pen.stroke();
  }
  if (wide < 7) return pen.fillRect(x - 1, y - 5, 2, 10);
  pen.beginPath();
  pen.roundRect(x - 6.5, y - 6.5, 13, 13, 2.5);
  pen.fill();
  drawSign(pen, layer, x - 5, y - 5, 10, theme.back);
}

/** A cross over a request that was not sent as it was; a flag where the recording compacted and a what-if does not. */
export function drawOutcomes({ bench, pen, columns, theme, y, wide }) {
  pen.strokeStyle = pen.fillStyle = theme.ink;
  pen.lineWidth = 1.5;
  columns.requests.outcome.forEach((outcome, at) => {
    if (outcome === "sent") return;
    const x = middleOf(bench, at) - 0.5,
      top = Math.max(AXIS.top + 2, y(sizesOf(columns, at).after) - 6);
    pen.beginPath();
    for (const way of [-3, 3]) {
      pen.moveTo(x - way, top - 3);
      pen.lineTo(x + way, top + 3);
    }
    pen.stroke();
  });
  const flag = (at, tip, foot) => {
    const x = middleOf(bench, at) - wide / 2;
    pen.beginPath();
    pen.moveTo(x, AXIS.top + AXIS.chart + tip);
    pen.lineTo(x - 4, AXIS.top + AXIS.chart + foot);
    pen.lineTo(x + 4, AXIS.top + AXIS.chart + foot);
    pen.closePath();
    pen.stroke();
  };
  columns.requests.compacted.forEach((at) => flag(at, 5, 12));
  columns.requests.drops.forEach((at) => flag(at, 12, 5));
}

/** What the recording itself says, as dots; where requests are crowded, as many as there is room for. */
export function drawRecorded({ bench, pen, columns, theme, y, wide }) {
  const every = Math.max(1, Math.ceil(5 / wide));
  pen.fillStyle = theme.back;
  pen.strokeStyle = theme.ink;
  pen.lineWidth = 1;
  columns.requests.recorded.forEach((tokens, at) => {
    if (!tokens || at % every) return;
    pen.beginPath();
    pen.arc(middleOf(bench, at) - 0.5, y(tokens), wide > 6 ? 2 : 1.4, 0, 7);
    pen.fill();
    pen.stroke();
  });
}
