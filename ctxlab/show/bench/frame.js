/* Frame: all elements of the bench, made once, and what is redrawn of them. */

import { layerOf } from "./columns.js";
import { el, sign } from "./dom.js";
import { makeCompare } from "./compare.js";
import { makeBranches, makeFaults } from "./faults.js";
import { makeInspector } from "./inspector.js";
import { makeLamps, makeSentence } from "./lamps.js";
import { makeSettings } from "./settings.js";
import { drawSwatch } from "./signs.js";
import { makeStage } from "./stage.js";
import { scaleBar } from "./tags.js";
import { makeTimeline } from "./timeline.js";
import { makeTransport } from "./transport.js";
import { capital, round, thousands } from "./words.js";

const WAIT_MS = 250;

/** All elements, made once. */
export function makeFrame(bench) {
  const { say } = bench,
    parts = bench.parts;
  parts.faults = makeFaults(bench); // stands inside the settings
  Object.assign(parts, {
    sentence: makeSentence(bench),
    stage: makeStage(bench),
    lamps: makeLamps(bench),
    transport: makeTransport(bench),
    timeline: makeTimeline(bench),
    inspector: makeInspector(bench),
    settings: makeSettings(bench),
    compare: makeCompare(bench),
    branches: makeBranches(bench),
  });
  const frame = {
    top: makeTop(bench),
    head: makeHead(bench),
    told: el("div", { class: "told pad" }),
    key: el("div", { class: "key pad", "aria-label": say("key_label"), role: "group" }),
    twin: makeTwin(bench),
    work: makeWork(bench),
    alert: el("div", { class: "alert pad", role: "alert", hidden: true }),
    empty: el("p", { class: "pad", hidden: true }, say("empty")),
    sizes: el("p", { class: "sizes pad" }),
  };
  const lower = el("div", { class: "lower" }, parts.inspector.node, parts.settings.node);
  frame.session = [
    parts.transport.node,
    parts.sentence.node,
    frame.head.node,
    parts.stage.node,
    frame.told,
    frame.key,
    parts.lamps.node,
    parts.timeline.node,
    parts.compare.node,
    parts.branches.node,
  ];
  frame.root = el(
    "section",
    {
      class: "ctxlab-bench",
      role: "region",
      "aria-label": say("region"),
      tabindex: -1,
      "data-lm-suppress-shortcuts": "true",
    },
    frame.work.node,
    frame.top.node,
    frame.alert,
    frame.empty,
    frame.session,
    lower,
    frame.sizes,
    frame.twin.node,
  );
  for (const node of [...frame.session, parts.inspector.node, frame.sizes, frame.twin.node]) node.hidden = true;
  Object.assign(bench, drawActs(bench, frame));
  return frame;
}

function makeTop(bench) {
  const name = el("b"),
    about = el("span", { class: "muted" }),
    keys = el("div", { class: "keys pad", hidden: true });
  for (const [stroke, does] of bench.fixed.keys)
    keys.append(
      el(
        "div",
        {},
        stroke.split(" ").flatMap((part, at) => [at ? " " : "", /^[a-z+]/.test(part) ? part : el("kbd", {}, part)]),
        "  ",
        does,
      ),
    );
  const button = el(
    "button",
    {
      class: "button",
      type: "button",
      title: bench.say("keys_title"),
      "aria-expanded": "false",
      onclick: () => bench.showKeys(),
    },
    bench.say("keys"),
  );
  return {
    name,
    about,
    keys,
    button,
    node: el("div", {}, el("div", { class: "top pad" }, name, about, el("span", { class: "space" }), button), keys),
  };
}

function makeHead(bench) {
  const text = el("span", { class: "muted" }),
    bar = el("i"),
    scale = el("span"),
    zoom = el("button", {
      class: "link",
      type: "button",
      title: bench.say("zoom_title"),
      onclick: () => bench.zoomOver(),
    });
  const follow = el(
    "button",
    {
      class: "link",
      type: "button",
      hidden: true,
      title: bench.say("follow_title"),
      onclick: () => bench.scrollTo(null),
    },
    bench.say("follow"),
  );
  const node = el(
    "div",
    { class: "head pad" },
    el("h3", {}, bench.say("row_history")),
    text,
    el("span", { class: "space" }),
    follow,
    el("span", { class: "scale", title: bench.say("scale_title") }, scale, bar),
    zoom,
  );
  return { text, bar, scale, zoom, follow, node };
}

/** The picture as text, made in the kernel when it is asked for. */
function makeTwin(bench) {
  const text = el("pre", { tabindex: 0, "aria-label": bench.say("as_text") }),
    node = el("details", { class: "twin" }, el("summary", {}, bench.say("as_text")), text),
    twin = { node, text, timer: 0 };
  twin.draw = () => {
    if (!node.open) return;
    clearTimeout(twin.timer);
    if (!bench.live) text.textContent = bench.say("text_asks_kernel");
    else twin.timer = setTimeout(() => bench.ask({ type: "text", run: bench.runs, step: bench.step }), WAIT_MS);
  };
  node.addEventListener("toggle", twin.draw);
  return twin;
}

function makeWork(bench) {
  const bar = el("progress", { max: 1, "aria-label": bench.say("working") }),
    words = el("span"),
    node = el("div", { class: "work", hidden: true }, words, bar);
  let timer = 0;
  const show = () => {
    node.hidden = false;
    words.textContent = bench.say(bench.columns ? "working" : "loading");
  };
  const set = (share) => {
    bar.value = Math.max(0, share);
    if (share >= 0 && (timer || !node.hidden)) return;
    clearTimeout(timer);
    timer = 0;
    if (share < 0) node.hidden = true;
    else if (bench.columns)
      timer = setTimeout(show, WAIT_MS); // a short run needs no bar
    else show();
  };
  return { node, set };
}

/** What redraws: everything, the lines around the stage, and the one line that tells what is pointed at. */
function drawActs(bench, frame) {
  const { parts } = bench;
  return {
    draw() {
      const { columns, step } = bench;
      Object.assign(frame.root.dataset, {
        step,
        request: columns.request[step] + 1,
        layer: layerOf(columns, step),
        state: bench.fixed.states[columns.steps.state[step]],
      });
      for (const part of [
        parts.stage,
        parts.sentence,
        parts.lamps,
        parts.transport,
        parts.timeline,
        parts.inspector,
        parts.settings,
        parts.faults,
        parts.compare,
        parts.branches,
        frame.twin,
      ])
        part.draw();
      parts.stage.rows.reword();
      bench.drawHead();
      bench.tell(null);
    },
    drawHead() {
      drawHead(bench, frame);
      parts.transport.draw();
      parts.sentence.draw();
    },
    tell(text) {
      if (text) frame.told.textContent = text;
      else tellBlock(bench, frame.told);
    },
    keysShown: () => !frame.top.keys.hidden,
    showKeys() {
      frame.top.keys.hidden = !frame.top.keys.hidden;
      frame.top.button.setAttribute("aria-expanded", String(!frame.top.keys.hidden));
    },
    placed: () => {},
  };
}

function drawHead(bench, frame) {
  const { columns, rows, say, count } = bench,
    { scale } = bench.parts.stage,
    seen = thousands(columns.sums[rows.stop] - scale.from),
    bar = scaleBar(bench, scale);
  frame.head.text.textContent = say(bench.width < 700 ? "history_says_short" : "history_says", seen);
  frame.head.zoom.textContent = say(bench.zoom === "window" ? "whole_session" : "window_size");
  frame.head.follow.hidden = bench.scroll == null;
  frame.head.scale.textContent = `${bar.text} `;
  frame.head.bar.style.width = `${bar.width}px`;
  frame.top.name.textContent = columns.name;
  frame.top.about.textContent = say("subtitle", {
    requests: count("requests", columns.requests.first.length),
    profile: say("profile_of", bench.profile),
    window: round(columns.lines.window),
  });
  const leans = columns.requests.leans.slice(0, columns.request[bench.step] + 1).reduce((sum, many) => sum + many, 0),
    leaning = leans ? ` ${capital(say("leaning", leans))}.` : "";
  const restsOn = columns.mixed_from < 0 ? "counted" : bench.step >= columns.mixed_from ? "mixed" : "recorded";
  const sizes = say("sizes", { rests_on: bench.fixed.rests_on[restsOn], counter: columns.counter, summariser: columns.summariser });
  frame.sizes.textContent = `${sizes} ${capital(columns.note)}.${leaning}`;
}

function tellBlock(bench, told) {
  const block = bench.hover != null && bench.hover >= 0 ? bench.hover : bench.picked;
  if (block == null) {
    told.textContent = bench.say("point_at");
    return;
  }
  const [title, meta] = bench.describe(block);
  told.replaceChildren(el("b", {}, title), ` ${meta}`);
}

/** The kinds that this session has, and the verbs of the layers that look at it. */
export function drawKey(bench, frame) {
  const { columns, fixed } = bench,
    kinds = [...new Set([...columns.blocks.kind, ...columns.changes.kind])]
      .filter((kind) => kind >= 0)
      .sort((a, b) => a - b);
  const swatch = (kind) => {
    const canvas = el("canvas", { "aria-hidden": "true" });
    drawSwatch(bench, canvas, kind);
    return el("span", {}, canvas, fixed.looks[kind][5]);
  };
  frame.key.replaceChildren(
    ...kinds.map(swatch),
    ...fixed.verbs
      .filter((verb) => columns.steps.layers.includes(verb))
      .map((verb) => el("span", {}, sign(verb, 16), fixed.verb_words[verb])),
  );
}
