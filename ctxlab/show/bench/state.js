/* State: where the reader is, and every act of the reader. The parts draw what stands here and call these acts. */

import { cameAt, findStep, layerOf, rowsAt, sameBlock, sizesOf, standsFor, stepsOf } from "./columns.js";
import { makeWords, titleOf } from "./words.js";
import { became, describe, placeWords } from "./say.js";
import { nextPlayed } from "./transport.js";

const ACT_MS = 720,
  STEP_MS = 300,
  NEAR_STEPS = 6,
  PATIENCE_MS = 20_000;

/** A bench without its parts; `parts` are put in by `bench.js`, `ask` sends a question to the kernel. */
export function makeBench(fixed, ask) {
  const bench = {
    fixed,
    ...makeWords(fixed),
    ask,
    columns: null,
    rows: null,
    step: 0,
    width: 0,
    zoom: "window",
    scroll: null,
    picked: null,
    pinned: false,
    hover: null,
    before: false,
    playing: false,
    speed: 1,
    tween: null,
    runs: 0,
    fields: 0,
    parts: {},
  };
  for (const acts of [placeActs, pickActs, playActs, runActs, wordActs]) Object.assign(bench, acts(bench));
  return bench;
}

function wordActs(bench) {
  return {
    layerName: (name) => bench.fixed.layers[name.split(" ")[0]] || name,
    titleOf: (step) => titleOf(bench.columns, step, bench.fixed),
    describe: (block) => describe(bench, block),
    became: (block) => became(bench, block),
    placeWords: () => placeWords(bench),
    standsFor: (block) => standsFor(bench.rows, block),
  };
}

/** Going to a step; what the reader has scrolled to is left, what is picked stays. */
function placeActs(bench) {
  return {
    go(step, { animate = true } = {}) {
      const from = bench.rows,
        far = Math.abs(step - bench.step) > NEAR_STEPS;
      Object.assign(bench, { step, scroll: null, hover: null, before: false, rows: rowsAt(bench.columns, step) });
      bench.autoPick();
      bench.move(animate && !far ? from : null);
      bench.placed();
    },
    goTo(request, layer) {
      bench.go(findStep(bench.columns, request, layer));
    },
    goLayer(name) {
      bench.play(false);
      bench.go(bench.stepOf(name));
      bench.parts.settings.openAt(name);
    },
    stepOf: (name) => findStep(bench.columns, bench.columns.request[bench.step], name),
    scrollTo(scroll) {
      bench.scroll = scroll;
      bench.parts.stage.draw();
      bench.drawHead();
    },
    zoomOver() {
      bench.zoom = bench.zoom === "window" ? "all" : "window";
      bench.scroll = null;
      bench.draw();
    },
    bringIntoSight(block) {
      const { columns, width } = bench,
        { scale } = bench.parts.stage,
        middle = ((columns.sums[block] + columns.sums[block + 1]) / 2) * scale.perToken;
      if (block >= bench.rows.stop) return;
      if (middle < scale.scroll + 20 || middle > scale.scroll + width - 40)
        bench.scrollTo(Math.max(0, middle - width / 2));
    },
    hold(on) {
      if (bench.before === on || (on && !bench.step)) return;
      const from = bench.rows;
      Object.assign(bench, { before: on, rows: rowsAt(bench.columns, on ? bench.step - 1 : bench.step) });
      bench.move(from);
    },
  };
}

/** Picking a block: by the reader it stays picked, by the bench it follows the step. */
function pickActs(bench) {
  const changed = () => {
    bench.parts.inspector.reset();
    bench.parts.stage.draw();
    bench.parts.stage.rows.reword();
    bench.parts.inspector.draw();
    bench.tell(null);
  };
  return {
    pick(block) {
      Object.assign(bench, { picked: block, pinned: true });
      changed();
    },
    pin() {
      bench.pinned = true;
    },
    follow() {
      bench.pinned = false;
      bench.picked = null;
      bench.autoPick();
      changed();
    },
    pointAt(block) {
      if (bench.hover === block) return;
      bench.hover = block;
      bench.parts.stage.draw();
      bench.tell(null);
    },
    inspect: () => bench.parts.inspector.node.focus(),
    escape(target) {
      const { rows } = bench.parts.stage;
      if (bench.parts.inspector.node.contains(target)) rows[rows.last].focus();
      else if (bench.pinned) bench.follow();
    },
    autoPick() {
      if (bench.pinned && bench.picked < bench.columns.count) return;
      const next = biggestTouched(bench);
      if (next !== bench.picked) bench.parts.inspector?.reset();
      bench.picked = next;
    },
  };
}

/** The heaviest block that this step touched, results first; where it touched none, the heaviest that came in with its request. */
function biggestTouched({ columns, rows, step, fixed }) {
  const [first] = stepsOf(columns, columns.request[step]),
    [from, to] = cameAt(columns, first),
    came = [];
  for (let block = from; block < to; block++) came.push(block);
  const touched = [...rows.now].filter((block) => block < rows.stop && rows.verb[block] >= 0),
    weight = (block) =>
      columns.blocks.tokens[block] + (fixed.looks[columns.blocks.kind[block]][0].startsWith("result:") ? 1e9 : 0);
  return (touched.length ? touched : came).reduce(
    (best, block) => (best == null || weight(block) > weight(best) ? block : best),
    null,
  );
}

/** Motion between two steps, and playing. */
function playActs(bench) {
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  let frame = 0,
    timer = 0;
  return {
    move(from) {
      cancelAnimationFrame(frame);
      bench.tween = null;
      if (!from || from === bench.rows || still.matches || document.hidden) return bench.draw();
      const began = performance.now(),
        lasts = bench.columns.changed.has(bench.step) || bench.before ? ACT_MS : STEP_MS;
      bench.tween = { from, time: 0 };
      bench.draw();
      const turn = (now) => {
        bench.tween.time = Math.min(1, Math.max(0, now - began) / lasts);
        if (bench.tween.time >= 1) bench.tween = null;
        else frame = requestAnimationFrame(turn);
        bench.parts.stage.draw();
      };
      frame = requestAnimationFrame(turn);
    },
    play(on) {
      clearTimeout(timer);
      if (bench.playing !== on) {
        bench.playing = on;
        bench.drawHead();
      }
      if (!on) return;
      const tick = () => {
        const next = nextPlayed(bench.columns, bench.step, bench.fixed.states, bench.speed);
        if (!next) return bench.play(false);
        bench.go(next.to);
        timer = setTimeout(tick, next.wait);
      };
      timer = setTimeout(tick, 150);
    },
    stop() {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    },
  };
}

/** Another run: the reader's place, the picked block and the old curve are kept. */
function runActs(bench) {
  let asked = null,
    waiting = null,
    since = 0;
  const send = (question) => {
    asked = question;
    since = performance.now();
    bench.ask(question);
  };
  return {
    take(columns, { place, plain }) {
      const old = bench.columns,
        request = old ? columns.request && old.request[bench.step] : place[0],
        layer = old ? layerOf(old, bench.step) : place[1];
      const last = columns.requests.first.length - 1;
      if (last < 0) return Object.assign(bench, { columns, runs: bench.runs + 1 });
      const picked = old ? sameBlock(old, bench.picked, columns) : -1,
        step = findStep(columns, Math.max(0, Math.min(last, request ?? last)), layer);
      Object.assign(bench, {
        columns,
        step,
        rows: rowsAt(columns, step),
        picked: picked >= 0 ? picked : null,
        pinned: bench.pinned && picked >= 0,
        hover: null,
        before: false,
        runs: bench.runs + 1,
      });
      if (!bench.baseline || plain)
        bench.baseline = { run: columns, sizes: columns.requests.first.map((_, at) => sizesOf(columns, at).after) };
      bench.autoPick();
    },
    /** Ask for another value; while a run is under way only the newest wish is kept. */
    change(path, text) {
      const question = { type: "set", path, text: String(text) };
      if (asked && performance.now() - since < PATIENCE_MS) waiting = question;
      else send(question);
    },
    asking: () => asked !== null,
    answered() {
      asked = null;
      if (waiting) {
        const next = waiting;
        waiting = null;
        send(next);
      }
    },
    dragLine(event) {
      event.preventDefault();
      const left = bench.parts.stage.node.getBoundingClientRect().left,
        { lines } = bench.columns,
        { perToken } = bench.parts.stage.scale;
      const move = (to) =>
        bench.change(
          "window.buffer_tokens",
          Math.max(0, Math.round((lines.effective_window - (to.clientX - left) / perToken) / 100) * 100),
        );
      const end = () => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", end);
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", end);
    },
  };
}
