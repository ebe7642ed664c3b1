/* Transport: step by request, by layer, by act; play; hold to see the step before; and all keys. */

import { actFrom, isAct, reasonOf, restOf, stepCount, stepsOf } from "./columns.js";
import { el } from "./dom.js";

const ON_ACT_MS = 1100,
  ON_LETTER_MS = 9,
  ON_REQUEST_MS = 170,
  QUIET_MOST_MS = 9000,
  LEAST_MS = 16;

/** The row of buttons: `node`, `draw()`. */
export function makeTransport(bench) {
  const { say } = bench,
    button = (text, title, act, style = "button") =>
      el("button", { class: style, type: "button", title, "aria-label": title, onclick: act }, text);
  const pair = (name, back, on, act) =>
    el(
      "span",
      { class: "group", role: "group", "aria-label": say(name) },
      button("‹", say(back), () => act(-1)),
      el("span", { class: "between" }, say(name)),
      button("›", say(on), () => act(1)),
    );
  const play = el("button", {
    class: "button play",
    type: "button",
    title: say("play_title"),
    onclick: () => bench.play(!bench.playing),
  });
  const speed = el(
    "select",
    {
      "aria-label": say("speed"),
      onchange: () => {
        bench.speed = Number(speed.value);
      },
    },
    [0.5, 1, 2, 4].map((times) => el("option", { value: times, selected: times === 1 }, `${times} ×`)),
  );
  const hold = el(
    "button",
    { class: "button", type: "button", title: say("hold_title"), "aria-pressed": "false" },
    say("hold"),
  );
  holds(bench, hold);
  const place = el("span", { class: "place" });
  const node = el(
    "div",
    { class: "transport pad", role: "group", "aria-label": say("transport") },
    play,
    speed,
    pair("act", "previous_act", "next_act", (way) => stepAct(bench, way)),
    pair("layer", "previous_layer", "next_layer", (way) => stepLayer(bench, way)),
    pair("request", "previous_request", "next_request", (way) => stepRequest(bench, way)),
    hold,
    el("span", { class: "space" }),
    place,
  );
  const draw = () => {
    play.textContent = say(
      bench.playing ? "pause" : bench.step === stepCount(bench.columns) - 1 ? "play_again" : "play",
    );
    hold.setAttribute("aria-pressed", String(bench.before));
    place.textContent = bench.placeWords();
  };
  return { node, draw };
}

export function stepLayer(bench, way) {
  const to = bench.step + way;
  if (to >= 0 && to < stepCount(bench.columns)) {
    bench.play(false);
    bench.go(to);
  }
}

export function stepRequest(bench, way) {
  const to = bench.columns.request[bench.step] + way;
  if (to >= 0 && to < bench.columns.requests.first.length) {
    bench.play(false);
    bench.go(restOf(bench.columns, to, bench.fixed.states));
  }
}

export function stepAct(bench, way) {
  const to = actFrom(bench.columns, bench.step, way, bench.fixed.states);
  if (to >= 0) {
    bench.play(false);
    bench.go(to);
  }
}

function holds(bench, button) {
  const hold = (on) => bench.hold(on);
  button.addEventListener("pointerdown", () => hold(true));
  for (const end of ["pointerup", "pointerleave", "blur"]) button.addEventListener(end, () => hold(false));
  button.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      hold(true);
      event.preventDefault();
    }
  });
  button.addEventListener("keyup", () => hold(false));
}

/** Where playing goes next, and how long it stays there: quiet requests pass quickly, an act is dwelt upon. Pure. */
export function nextPlayed(columns, step, states, speed) {
  const last = stepCount(columns) - 1;
  if (step >= last) return null;
  let to = step + 1;
  while (to < last && !isAct(columns, to, states) && stepsOf(columns, columns.request[to])[0] !== to) to++;
  const quiet = Math.min(ON_REQUEST_MS, QUIET_MOST_MS / columns.requests.first.length),
    dwell = ON_ACT_MS + ON_LETTER_MS * reasonOf(columns, to).length, // long enough to read why
    wait = (isAct(columns, to, states) ? dwell : quiet) / speed;
  for (let skip = Math.floor(LEAST_MS / wait); skip > 0 && to < last && !isAct(columns, to + 1, states);) {
    to++;
    if (stepsOf(columns, columns.request[to])[0] === to) skip--;
  }
  return { to, wait: Math.max(LEAST_MS, wait) };
}

/** Keys, while the focus is inside the bench; none of them reaches the notebook. */
export function listenToKeys(bench, root) {
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (bench.rows && keyDown(bench, event)) event.preventDefault();
    event.stopPropagation();
  });
  root.addEventListener("keyup", (event) => {
    if (event.key.toLowerCase() === "b") bench.hold(false);
  });
  root.addEventListener("focusout", (event) => {
    if (!root.contains(event.relatedTarget)) bench.hold(false);
  });
}

function keyDown(bench, event) {
  const { target, key, shiftKey } = event,
    typing = target.matches("input[type=text], textarea, select"),
    slides = target.matches("input[type=range]");
  if (typing) return false;
  if ((key === "ArrowLeft" || key === "ArrowRight") && !slides) {
    (shiftKey ? stepRequest : stepLayer)(bench, key === "ArrowRight" ? 1 : -1);
    return true;
  }
  if (key === " ") {
    if (target.matches("button, summary, input")) return false;
    bench.play(!bench.playing);
    return true;
  }
  const act = {
    n: () => stepAct(bench, 1),
    p: () => stepAct(bench, -1),
    z: () => bench.zoomOver(),
    f: () => bench.scrollTo(null),
    b: () => bench.hold(true),
    "?": () => bench.showKeys(),
    escape: () => bench.escape(target),
  }[key.toLowerCase()];
  if (act) act();
  return Boolean(act);
}
