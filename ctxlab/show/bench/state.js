/* State: where the reader is, and every act of the reader. The parts draw what stands here and call these acts. */

import { cameAt, findStep, layerOf, rowsAt, sameBlock, standsFor, stepsOf } from "./columns.js";
import { makeWords, titleOf } from "./words.js";
import { became, describe, placeWords } from "./say.js";
import { nextPlayed } from "./transport.js";

const ACT_MS = 720,
  STEP_MS = 300,
  NEAR_STEPS = 6,
  PATIENCE_MS = 5_000;

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
    against: null,
    compareOld: false,
    playing: false,
    speed: 1,
    tween: null,
    runs: 0,
    fields: 0,
    parts: {},
  };
  for (const acts of [placeActs, pickActs, playActs, runActs, wishActs, wordActs]) Object.assign(bench, acts(bench));
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
      const from = bench.rows,
        { columns, step } = bench;
      if (on) bench.scrolled = bench.scroll;
      const scroll = on ? bench.parts.stage.scale.scroll : bench.scrolled; // in place: what is seen does not scroll
      Object.assign(bench, { before: on, scroll, rows: rowsAt(columns, on ? step - 1 : step) });
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
      if (bench.keysShown()) bench.showKeys();
      else if (bench.parts.inspector.node.contains(target)) rows[rows.last].focus();
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
      if (!nextPlayed(bench.columns, bench.step, bench.fixed.states, bench.speed)) bench.go(0);
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
      bench.dropWishes();
    },
  };
}

/** Another run: the reader's place, the picked block and the old curve are kept. */
function runActs(bench) {
  return {
    take(columns, { place, plain }) {
      const old = bench.columns,
        request = old && old.requests.first.length ? old.request[bench.step] : place[0],
        layer = old && old.requests.first.length ? layerOf(old, bench.step) : place[1];
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
      if (!bench.baseline || plain) bench.baseline = columns;
      bench.autoPick();
      if (old) bench.placed();
    },
  };
}

/** Wishes for other settings, one after another; of each control only the newest waits, and a profile replaces them all. */
function wishActs(bench) {
  const waiting = new Map();
  let asked = null,
    timer = 0,
    held = null;
  const send = (question) => {
    asked = question;
    timer = setTimeout(() => bench.parts.settings.silent(), PATIENCE_MS);
    bench.ask(question);
  };
  const wish = (path, question) => {
    if (!bench.live) return;
    if (asked) waiting.set(path, question);
    else send(question);
  };
  return {
    change: (path, text) => wish(path, { type: "set", path, text: String(text) }),
    putFault: (name, on) => wish(`fault ${name}`, { type: "fault", name, on, request: bench.columns.request[bench.step] }),
    compareWith: (name) => wish("against", { type: "against", name }),
    useProfile(name) {
      waiting.clear();
      wish("profile", { type: "profile", name });
    },
    asking: () => asked !== null,
    answered() {
      clearTimeout(timer);
      asked = null;
      const [next] = waiting;
      if (!next) return;
      waiting.delete(next[0]);
      send(next[1]);
    },
    /** The autocompact line follows the pointer, from where it was taken hold of. */
    dragLine(event) {
      event.preventDefault();
      held = new AbortController();
      const { signal } = held,
        { lines } = bench.columns,
        { perToken } = bench.parts.stage.scale,
        buffer = lines.effective_window - lines.autocompact;
      const move = (to) => {
        const moved = (to.clientX - event.clientX) / perToken;
        bench.change("window.buffer_tokens", Math.max(0, Math.round((buffer - moved) / 100) * 100));
      };
      addEventListener("pointermove", move, { signal });
      for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => held.abort(), { signal });
    },
    dropWishes() {
      clearTimeout(timer);
      held?.abort();
      waiting.clear();
    },
  };
}
