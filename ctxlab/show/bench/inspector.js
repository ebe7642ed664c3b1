/* Inspector: one block. What it was, what the model gets of it now, who did that and why, and the way back. */

import { arrivalOf, layerOf, reasonOf } from "./columns.js";
import { el, sign } from "./dom.js";
import { livesOf } from "./say.js";
import { grouped } from "./words.js";

/** The inspector: `node`, `draw()`, `hear(answer)`. Texts are asked for when a block rests here, never before. */
export function makeInspector(bench) {
  const node = el("section", { class: "inspector", "aria-label": bench.say("inspector"), tabindex: -1 });
  const inspector = { node, page: 0, answer: null, asked: "", timer: 0, back: null };
  inspector.draw = () => drawInspector(bench, inspector);
  inspector.hear = (answer) => {
    if (answer.asked.key === inspector.asked) {
      inspector.answer = answer;
      if (answer.back) inspector.back = answer;
      drawInspector(bench, inspector);
    }
  };
  inspector.reset = () => {
    inspector.page = 0;
    inspector.back = null;
  };
  return inspector;
}

/** Ask for the texts of the block that is shown, once for each block, step and page; not while the reader rushes by. */
function askFor(bench, inspector, block) {
  const back = inspector.back === "asked",
    key = `${bench.runs} ${block} ${bench.step} ${inspector.page} ${back}`;
  if (key === inspector.asked) return;
  inspector.asked = key;
  inspector.answer = null;
  clearTimeout(inspector.timer);
  const question = { type: "block", run: bench.runs, key, block, step: bench.step, page: inspector.page, back };
  if (bench.reads) inspector.timer = setTimeout(() => bench.ask(question), back ? 0 : 120);
}

function drawInspector(bench, inspector) {
  const { say, picked, columns } = bench,
    { node } = inspector,
    focus = heldFocus(node);
  const head = el(
    "h4",
    {},
    say("inspector"),
    el("span", { class: "space" }),
    bench.pinned
      ? el(
          "button",
          {
            class: "link",
            type: "button",
            title: say("follow_step_title"),
            "data-held": "follow",
            onclick: () => bench.follow(),
          },
          say("follow_step"),
        )
      : null,
  );
  if (picked == null || picked >= columns.count) {
    node.replaceChildren(head, el("p", { class: "meta" }, say("nothing_picked")));
    return focus();
  }
  if (!inspector.back?.back) askFor(bench, inspector, picked);
  const [title, meta] = bench.describe(picked);
  node.replaceChildren(
    head,
    el("h5", {}, title),
    el("p", { class: "meta" }, meta.replace(/^· /, "")),
    bench.page && !bench.reads ? el("p", { class: "meta" }, say("asks_kernel")) : panes(bench, inspector, picked),
    life(bench, picked),
    where(bench, inspector, picked) || "",
  );
  focus();
}

/** Nodes are made anew: what had the focus gets it back, or the whole inspector does. */
function heldFocus(node) {
  const { activeElement } = document;
  if (!node.contains(activeElement) || activeElement === node) return () => {};
  const { held } = activeElement.dataset;
  return () => (node.querySelector(`[data-held="${held}"]:not(:disabled)`) || node).focus({ preventScroll: true });
}

/** Two panes: as it was, and what the model gets now. */
function panes(bench, inspector, block) {
  const { say, rows } = bench,
    { answer } = inspector,
    code = /^(result|call|preview|restored)/.test(bench.fixed.looks[bench.columns.blocks.kind[block]][0]),
    whole = rows.place[block] >= 0 && rows.verb[block] < 0;
  const original = answer
    ? answer.original || emptyWords(bench, block)
    : bench.reads
      ? say("reading")
      : say("asks_kernel");
  const seen =
    whole && answer ? say("same_whole") : answer ? (answer.seen ?? say("nothing")) : bench.reads ? say("reading") : "";
  return el(
    "div",
    { class: "pair" },
    pane(say("in_history"), original, pages(bench, inspector), { code }),
    pane(
      say("seen_now"),
      seen,
      el("footer", {}, [bench.became(block), beginning(bench, answer, whole)].filter(Boolean).join(" · ")),
      {
        code: code && rows.place[block] >= 0 && bench.fixed.verbs[rows.verb[block]] !== "microcompact",
        gone: !whole,
      },
    ),
  );
}

/** How long a text is, and of a capped one how much of it is here. */
function lengthOf({ say, count }, { characters, page_characters }) {
  const words = count("characters", characters);
  return characters > page_characters ? say("beginning", { shown: grouped(page_characters), characters: words }) : words;
}

/** Of a long text that stands for a block only the beginning is shown. */
function beginning(bench, answer, whole) {
  if (whole || !answer || !answer.seen || answer.seen_characters <= answer.page_characters) return "";
  const characters = bench.count("characters", answer.seen_characters);
  return bench.say("beginning", { shown: grouped(answer.page_characters), characters });
}

function pane(title, text, foot, { code, gone }) {
  return el(
    "div",
    { class: gone ? "pane gone" : "pane" },
    el("header", {}, el("b", {}, title)),
    el("pre", { class: code ? "code" : null, tabindex: 0, "data-held": title, "aria-label": title }, text),
    foot,
  );
}

/** Why a block has no text: a picture, what only usage knows of, or overhead. */
function emptyWords(bench, block) {
  const kind = bench.fixed.looks[bench.columns.blocks.kind[block]][0];
  if (kind === "image") return bench.say("picture_only");
  if (kind === "unrecorded") return bench.say("no_text", grouped(bench.columns.blocks.tokens[block]));
  return block < bench.columns.blocks.overhead ? bench.say("overhead_text") : bench.say("nothing");
}

function pages(bench, inspector) {
  const { say, count } = bench,
    { answer, page } = inspector,
    many = answer ? answer.pages : 1;
  if (many < 2) return el("footer", {}, answer && answer.characters ? lengthOf(bench, answer) : "");
  const turn = (way, label, words) =>
    el(
      "button",
      {
        class: "button",
        type: "button",
        "aria-label": say(words),
        "data-held": words,
        disabled: page + way < 0 || page + way >= many,
        onclick: () => {
          inspector.page = page + way;
          inspector.back = null;
          bench.pin();
          inspector.draw();
        },
      },
      label,
    );
  return el(
    "footer",
    {},
    turn(-1, "‹", "page_before"),
    say("page", { page: page + 1, pages: grouped(many) }),
    turn(1, "›", "page_after"),
  );
}

/** The life of a block, Edit by Edit, up to the step that is shown. */
function life(bench, block) {
  const { say, columns, fixed, rows } = bench,
    came = arrivalOf(columns, block),
    made = columns.putIn.has(block),
    entries = [];
  const entry = (name, step, words) =>
    el(
      "li",
      {},
      sign(name, 15),
      el("span", { class: "when" }, `${say("request")} ${columns.request[step] + 1}`),
      el("span", {}, words),
    );
  if (block >= columns.blocks.overhead && !made && came <= rows.step)
    entries.push(entry("arrive", came, say("came_in")));
  for (const { step, verb, put, inside } of livesOf(bench, block)) {
    const layer = bench.layerName(layerOf(columns, step)),
      verbed = verb >= 0 && fixed.verb_words[fixed.verbs[verb]];
    let words = say("whole_again");
    if (put) words = say(made ? "put_in_by" : "opened_again", { layer });
    else if (inside) words = say("inside", { verb: verbed, layer });
    else if (verbed) words = `${say("by", { verb: verbed, layer })}: ${reasonOf(columns, step)}`;
    entries.push(entry(verbed && !put ? fixed.verbs[verb] : layerOf(columns, step).split(" ")[0], step, words));
  }
  return el("ol", { class: "life" }, entries);
}

/** Where the original is, and the way to read it back. */
function where(bench, inspector, block) {
  const { say, count } = bench,
    { answer, back } = inspector;
  if (back?.back)
    return el(
      "div",
      {
        class: "where",
        tabindex: -1,
        "data-held": "back",
        role: "status",
        "data-back": back.back.same ? "same" : "differs",
      },
      say(back.back.same ? "read_same" : "read_differs", {
        address: back.addresses.at(-1),
        characters: count("characters", back.characters),
        bytes: grouped(back.back.bytes),
      }),
    );
  if (!answer || !answer.addresses.length) return null;
  const touched = livesOf(bench, block).length > 0 || arrivalOf(bench.columns, block) > bench.rows.step;
  const button = el(
    "button",
    {
      class: "button",
      type: "button",
      "data-held": "back",
      onclick: () => {
        bench.pin();
        inspector.page = 0;
        inspector.back = "asked";
        inspector.draw();
        bench.bringIntoSight(block);
      },
    },
    say("read_back"),
  );
  return el(
    "div",
    { class: "where" },
    touched ? "" : `${say("untouched")} `,
    say("original_at", answer.addresses.join(", ")),
    " ",
    bench.live ? button : null,
  );
}
