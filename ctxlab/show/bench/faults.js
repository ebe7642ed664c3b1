/* Faults that can be put into the session, and the sub-agents beside it. */

import { el } from "./dom.js";
import { restOf } from "./columns.js";

/** A button for each fault: pressed while it is in, with the request from which on. */
export function makeFaults(bench) {
  const node = el("div", { class: "faults", role: "group", "aria-label": bench.say("faults") }),
    faults = { node, drawn: "" };
  faults.draw = () => {
    const now = bench.extra().faults || {},
      drawn = JSON.stringify(now);
    node.hidden = !bench.live && drawn === "{}";
    if (faults.drawn === drawn) return;
    faults.drawn = drawn;
    const held = node.contains(document.activeElement) && document.activeElement.dataset.fault;
    node.replaceChildren(
      el("span", { class: "muted" }, bench.say("faults")),
      ...Object.keys(bench.fixed.faults)
        .filter((name) => bench.live || name in now)
        .map((name) => button(bench, name, now)),
    );
    node.querySelector(`[data-fault="${held}"]`)?.focus();
  };
  return faults;
}

function button(bench, name, now) {
  const on = name in now,
    fault = bench.fixed.faults[name],
    words = on && now[name] ? bench.say("fault_from", { fault, request: now[name] + 1 }) : fault;
  return el(
    "button",
    {
      class: "button",
      type: "button",
      title: bench.say("faults_title"),
      "aria-pressed": String(on),
      "data-fault": name,
      disabled: !bench.live,
      onclick: () => bench.putFault(name, !on),
    },
    words,
  );
}

/** The sub-agents of a session, each with the size of its own window and the way to the call that began it. */
export function makeBranches(bench) {
  const summary = el("summary"),
    list = el("ol"),
    how = el("p", { class: "muted" }, bench.say("branch_how")),
    node = el("details", { class: "branches pad", hidden: true }, summary, list, how);
  const branches = { node, drawn: null };
  branches.draw = () => {
    const { columns, say, count } = bench;
    node.hidden = !columns.branches.length;
    how.hidden = !bench.live;
    if (branches.drawn === columns) return;
    branches.drawn = columns;
    summary.textContent = say("branches", columns.branches.length);
    list.replaceChildren(...columns.branches.map((branch) => line(bench, branch, count)));
  };
  return branches;
}

function line(bench, { title, replies, tokens, request }, count) {
  const { say, columns } = bench,
    size = say("branch_of", { replies: count("replies", replies), tokens: count("tokens", tokens) });
  const open = () => bench.go(restOf(columns, request, bench.fixed.states));
  const link = el("button", { class: "link", type: "button", onclick: open }, say("branch_open", request + 1));
  return el("li", {}, title ? el("b", {}, `${title} · `) : null, `${size} `, request >= 0 ? link : null);
}
