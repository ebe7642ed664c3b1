/* Tags: the words on the stage, as elements, so that they can be read, enlarged and selected; none covers another. */

import { el } from "./dom.js";
import { historyX, placeNames, roundTokens, rowTop } from "./scale.js";
import { boundaries } from "./stage.js";
import { TOPS } from "./tops.js";
import { round, thousands } from "./words.js";

const FOOT = TOPS.view + TOPS.viewHeight;
let measure = null;

/** About how wide a text will be. */
function widthOf(bench, text, font = "12px") {
  measure = measure || document.createElement("canvas").getContext("2d");
  measure.font = `${font} ${bench.theme.font}`;
  return measure.measureText(text).width + 2;
}

/** Put all words of the stage anew; says how many rows the names of the lines take, and where their leaders go. */
export function placeTags(bench, stage) {
  const names = lineNames(bench, stage);
  stage.tags.replaceChildren(
    ...names.map((name) => lineTag(bench, name)),
    windowTag(bench, stage),
    ...viewTag(bench, stage, names),
    ...flagTags(bench, stage),
    ...edgeTags(bench, stage),
  );
  stage.leaders = names.map((name) => ({ x: name.x, y: FOOT + 6 + rowTop(name.row) + 11 }));
}

function lineNames(bench, stage) {
  const { columns, fixed } = bench,
    words = bench.width < 700 ? fixed.lines_short : fixed.lines,
    at = new Map();
  for (const name of ["warning", "autocompact", "blocking", "effective_window"]) {
    const tokens = columns.lines[name];
    at.set(tokens, [...(at.get(tokens) || []), name]);
  }
  const names = [...at].map(([tokens, same]) => ({
    x: tokens * stage.scale.perToken,
    strong: same.includes("autocompact"),
    text: `${same.map((name) => words[name]).join(" = ")} ${thousands(tokens)}`,
  }));
  for (const name of names) name.width = widthOf(bench, name.text, name.strong ? "600 12px" : "12px");
  const placed = placeNames(names, bench.width);
  stage.rowCount = Math.max(2, ...placed.map((place) => place.row + 1));
  return names.map((name, number) => ({ ...name, ...placed[number] }));
}

function lineTag(bench, { text, strong, left, row }) {
  const tag = el(
    "span",
    {
      class: strong ? "tag strong drag" : "tag",
      style: `left:${left}px;top:${FOOT + 6 + rowTop(row)}px`,
      title: strong ? bench.say("drag_line") : null,
    },
    text,
  );
  if (strong) tag.addEventListener("pointerdown", (event) => bench.dragLine(event));
  return tag;
}

function windowTag(bench, stage) {
  const x = bench.columns.lines.window * stage.scale.perToken,
    beside = bench.width - x > 58 && bench.rows.size <= bench.columns.lines.window,
    tokens = thousands(bench.columns.lines.window);
  return beside
    ? el(
        "span",
        { class: "tag strong", style: `left:${x + 7}px;top:${TOPS.view + 11}px` },
        bench.fixed.lines.window,
        el("br"),
        tokens,
      )
    : el(
        "span",
        { class: "tag strong", style: `left:${Math.max(0, x - 74)}px;top:${TOPS.signs - 17}px` },
        `${bench.fixed.lines.window} ${tokens}`,
      );
}

/** What the View is and how much room it has; longer where there is room left of the names. */
function viewTag(bench, stage, names) {
  const { rows, columns } = bench,
    { lines } = columns,
    size = thousands(rows.size),
    title = bench.say("row_view");
  const room =
    rows.size > lines.window
      ? bench.say("over_window", thousands(rows.size - lines.window))
      : rows.size < lines.autocompact
        ? bench.say("below_line", thousands(lines.autocompact - rows.size))
        : bench.say("above_line", thousands(rows.size - lines.autocompact));
  const long = bench.say("view_says", { request: columns.request[rows.step] + 1, size, room }),
    short = bench.say("view_says_short", { size, room });
  const lefts = names.filter((name) => name.row === 0).map((name) => name.left),
    free = Math.min(bench.width, ...lefts) - 12;
  let top = FOOT + 6,
    text = [long, short, ...(rows.size > lines.window ? [] : [size])].find(
      (each) => widthOf(bench, `${title} ${each}`, "600 13px") < free,
    );
  if (!text || (text === size && free < 200)) {
    text = [long, short, size].find((each) => widthOf(bench, `${title} ${each}`, "600 13px") < bench.width) || size;
    top += rowTop(stage.rowCount++);
  }
  return [el("span", { class: "tag said", style: `left:0;top:${top}px` }, el("b", {}, title), ` ${text}`)];
}

/** The flags, newest first; a name turns to the left at the edge and gives way to a newer one. */
function flagTags(bench, stage) {
  const all = boundaries(bench),
    taken = [],
    out = [];
  const flags = all
    .map((block, number) => ({
      number: number + 1,
      x: historyX(stage.scale, bench.columns.sums[block]),
      newest: number === all.length - 1,
    }))
    .filter((flag) => flag.x >= 0 && flag.x <= bench.width);
  for (const flag of flags.slice().reverse()) {
    const texts = [
      ...(flag.newest ? [bench.say("boundary_here", flag.number)] : []),
      bench.say("boundary", flag.number),
      String(flag.number),
    ];
    for (const text of texts) {
      const wide = widthOf(bench, text, "600 12px"),
        left = [flag.x + 12, flag.x - 5 - wide].find((at) => fits(at, wide, bench.width, taken, flags, flag));
      if (left == null) continue;
      taken.push([left, left + wide]);
      out.push(
        el("span", { class: flag.newest ? "tag strong" : "tag", style: `left:${left}px;top:${TOPS.flag + 1}px` }, text),
      );
      break;
    }
  }
  return out;
}

function fits(left, wide, width, taken, flags, mine) {
  const over = (from, to) => left < to && left + wide > from;
  return (
    left >= 0 &&
    left + wide <= width &&
    !taken.some(([from, to]) => over(from - 6, to + 6)) &&
    !flags.some((flag) => flag !== mine && over(flag.x - 4, flag.x + 14))
  );
}

/** What lies further left, and what stands in front of the conversation. */
function edgeTags(bench, stage) {
  const { scale } = stage,
    hidden = scale.scroll / scale.perToken - scale.from,
    start = historyX(scale, scale.from),
    out = [];
  stage.chip = 0;
  if (hidden * scale.perToken > 40) {
    const text = bench.say("earlier", thousands(hidden));
    stage.chip = widthOf(bench, text) + 14;
    out.push(el("span", { class: "tag chip", style: `left:0;top:${TOPS.history + 14}px` }, text));
  }
  if (start > 110)
    out.push(
      el(
        "span",
        {
          class: "tag wrapped",
          style: `left:6px;top:${TOPS.history + (start > 270 ? 15 : 8)}px;width:${start - 12}px`,
        },
        bench.say("only_sent_short"),
      ),
    );
  return out;
}

/** The bar that tells how much a token is. */
export function scaleBar(bench, scale) {
  const tokens = roundTokens(scale.perToken);
  return { width: tokens * scale.perToken, text: bench.say("scale", round(tokens)) };
}
