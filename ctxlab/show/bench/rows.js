/* Rows: pointer and keyboard on the stage. Each row is one listbox with one option that is re-worded, however many blocks. */

import { el } from "./dom.js";
import { historyHit, viewHit } from "./scale.js";
import { TOPS } from "./tops.js";

const place = (top, height) => `top:${top}px;height:${height}px`;

/** The three places of the stage that listen: the overview, the History, the View. */
export function makeRows(bench, stage) {
  const overview = el("div", {
    class: "row overview",
    title: bench.say("overview"),
    style: place(TOPS.overview - 2, TOPS.overviewHeight + 4),
  });
  const history = listbox(bench, "history", place(TOPS.history - 2, TOPS.historyHeight + 4));
  const view = listbox(bench, "view", place(TOPS.signs - 2, TOPS.view - TOPS.signs + TOPS.viewHeight + 4));
  const rows = { nodes: [overview, history, view], history, view, last: "history" };
  for (const name of ["history", "view"]) listen(bench, stage, rows, name);
  scrolls(bench, stage, overview, history);
  rows.reword = () => {
    for (const name of ["history", "view"]) reword(bench, rows, name);
  };
  return rows;
}

function listbox(bench, name, style) {
  const option = el("span", { role: "option", id: `${bench.id}-${name}`, class: "hidden", "aria-selected": "true" });
  return el(
    "div",
    {
      class: "row",
      role: "listbox",
      tabindex: 0,
      "data-row": name,
      "aria-label": bench.say(`${name}_row`),
      "aria-activedescendant": option.id,
      style,
    },
    option,
  );
}

function reword(bench, rows, name) {
  const option = rows[name].firstChild,
    { picked, columns } = bench;
  if (picked == null) {
    option.textContent = bench.say("nothing_picked");
    return;
  }
  option.textContent = bench.describe(picked).join(" ");
  const many = name === "history" ? bench.rows.stop - columns.blocks.overhead : bench.rows.order.length;
  const at = name === "history" ? picked - columns.blocks.overhead : bench.rows.place[picked];
  option.setAttribute("aria-setsize", many);
  option.setAttribute("aria-posinset", Math.max(0, at) + 1);
}

function hitOf(bench, stage, name, event) {
  const box = stage.node.getBoundingClientRect(),
    x = event.clientX - box.left,
    y = event.clientY - box.top;
  if (name === "history") return historyHit(bench.columns, bench.rows, stage.scale, x);
  const sign = y < TOPS.view && stage.signs.find((each) => x >= each.left && x <= each.left + each.width);
  return sign ? sign.block : viewHit(bench.rows, stage.scale, x);
}

function listen(bench, stage, rows, name) {
  const node = rows[name];
  let drag = null;
  node.addEventListener("pointerdown", (event) => {
    drag = { x: event.clientX, scroll: stage.scale.scroll, moved: false };
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener("pointermove", (event) => {
    if (!drag) return bench.pointAt(hitOf(bench, stage, name, event));
    drag.moved = drag.moved || Math.abs(drag.x - event.clientX) > 3;
    if (drag.moved && name === "history") bench.scrollTo(drag.scroll + drag.x - event.clientX);
  });
  node.addEventListener("pointerup", (event) => {
    const moved = drag && drag.moved;
    drag = null;
    if (!moved) {
      const block = hitOf(bench, stage, name, event);
      if (block >= 0) bench.pick(block);
    }
  });
  node.addEventListener("pointerleave", () => bench.pointAt(null));
  node.addEventListener("focus", () => {
    rows.last = name;
    if (bench.picked == null) bench.pick(name === "view" ? bench.rows.order[0] : bench.rows.stop - 1);
  });
  node.addEventListener("keydown", (event) => {
    if (!event.shiftKey && walk(bench, stage, rows, name, event.key)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
}

/** Keys of a row: along it, across to what stands for the block, into the inspector. */
function walk(bench, stage, rows, name, key) {
  const { picked, rows: shown, columns } = bench,
    { overhead } = columns.blocks;
  if (key === "Enter") {
    bench.inspect();
    return true;
  }
  if (key === "ArrowUp" || key === "ArrowDown") {
    const other = key === "ArrowDown" ? "view" : "history";
    if (other !== name) across(bench, rows, other);
    return true;
  }
  const list =
    name === "history"
      ? { at: picked - overhead, last: shown.stop - overhead - 1, block: (at) => at + overhead }
      : { at: shown.place[bench.standsFor(picked)] ?? 0, last: shown.order.length - 1, block: (at) => shown.order[at] };
  const to = { ArrowLeft: list.at - 1, ArrowRight: list.at + 1, Home: 0, End: list.last }[key];
  if (to === undefined) return false;
  bench.pick(list.block(Math.max(0, Math.min(list.last, to))));
  if (name === "history") bench.bringIntoSight(bench.picked);
  return true;
}

/** Along the thread: down from an original to what stands for it, and up again to where the reader came from. */
function across(bench, rows, name) {
  const { picked, rows: shown } = bench,
    into = bench.standsFor(picked);
  if (name === "view" && into >= 0) {
    rows.above = picked;
    bench.pick(into);
  }
  if (name === "history") {
    const back = rows.above != null && bench.standsFor(rows.above) === picked,
      from = back ? rows.above : shown.target.findLastIndex((target, block) => target === picked && block !== picked);
    if (from >= 0) bench.pick(from);
  }
  rows[name].focus();
  if (name === "history") bench.bringIntoSight(bench.picked);
}

/** The History scrolls by drag, by a sideways wheel and by the overview; an upright wheel stays the page's. */
function scrolls(bench, stage, overview, history) {
  history.addEventListener(
    "wheel",
    (event) => {
      if (Math.abs(event.deltaX) <= Math.abs(event.deltaY) && !event.shiftKey) return;
      event.preventDefault();
      bench.scrollTo(stage.scale.scroll + (event.deltaX || event.deltaY));
    },
    { passive: false },
  );
  let held = false;
  const jump = (event) => {
    const { columns, width } = bench,
      all = Math.max(columns.sums[columns.scrolled], width / stage.scale.perToken),
      x = event.clientX - stage.node.getBoundingClientRect().left;
    bench.scrollTo((x / width) * all * stage.scale.perToken - width / 2);
  };
  overview.addEventListener("pointerdown", (event) => {
    held = true;
    overview.setPointerCapture(event.pointerId);
    jump(event);
  });
  overview.addEventListener("pointermove", (event) => held && jump(event));
  overview.addEventListener("pointerup", () => {
    held = false;
  });
}
