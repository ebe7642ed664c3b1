/* Settings: the profile, a switch for each layer, the chosen controls, and all others in a folded panel. */

import { actsOf, restOf, sizesOf } from "./columns.js";
import { el } from "./dom.js";
import { makeField } from "./fields.js";
import { grouped } from "./words.js";

/** The panel: `node`, `show(payload)` for new values, `complain(path, text)`. Nodes stay, so a slider keeps hold and focus. */
export function makeSettings(bench) {
  const { say } = bench,
    panel = { controls: new Map(), layer: null };
  panel.profile = el("select", {
    "aria-label": say("profile"),
    onchange: () => bench.useProfile(panel.profile.value),
  });
  panel.state = el("span", { class: "muted" });
  panel.reset = el(
    "button",
    {
      class: "link",
      type: "button",
      hidden: true,
      onclick: () => {
        bench.useProfile(panel.payload.profile);
        panel.profile.focus();
      },
    },
    say("reset"),
  );
  panel.switches = el("div", { class: "switches", role: "group", "aria-label": say("layers_on") });
  panel.derived = el("p", { class: "derived" });
  panel.complaint = el("p", { class: "complaint", role: "alert", hidden: true });
  panel.hint = el("p", { class: "muted", role: "status" }, say("move_a_slider"));
  panel.chosen = el("div", { class: "chosen" });
  panel.all = el("details", { class: "all" });
  panel.node = el(
    "section",
    { class: "settings", "aria-label": say("settings") },
    el(
      "div",
      { class: "title" },
      el("h4", {}, say("settings")),
      panel.profile,
      panel.state,
      el("span", { class: "space" }),
      panel.reset,
    ),
    panel.switches,
    bench.parts.faults.node,
    panel.complaint,
    panel.chosen,
    panel.derived,
    panel.hint,
    panel.all,
  );
  panel.show = (payload) => show(bench, panel, payload);
  panel.complain = (path, text) => complain(bench, panel, path, text);
  panel.done = (path, payload) => {
    show(bench, panel, payload);
    for (const control of panel.controls.get(path) || []) control.calm();
    panel.complaint.hidden = true;
  };
  panel.failed = (text) => {
    show(bench, panel, panel.payload, true); // the controls go back to what is so
    complain(bench, panel, "", text);
  };
  panel.silent = () => complain(bench, panel, "", say("kernel_silent"));
  panel.draw = () => drawHint(bench, panel);
  panel.openAt = (layer) => openAt(panel, layer);
  return panel;
}

/** What is left out on the way: an empty unit, a bound of 0, a value as the profile has it. */
function complete(field) {
  [field.group] = field.path.split(".");
  field.unit ??= "";
  field.low ??= 0;
  field.profile ??= field.text;
}

/** New values; `force` also for what the reader is at. */
function show(bench, panel, payload, force = false) {
  for (const field of payload.fields) complete(field);
  panel.payload = payload;
  if (!panel.controls.size) build(bench, panel, payload);
  for (const field of payload.fields) for (const control of panel.controls.get(field.path)) control.show(field, force);
  if (!bench.live) for (const input of panel.node.querySelectorAll("input, select")) input.disabled = true;
  const changed = payload.fields.filter((field) => field.text !== field.profile),
    groups = new Set(changed.map((field) => field.group));
  panel.profile.value = payload.profile;
  panel.state.textContent = changed.length ? bench.say("changed", changed.length) : bench.say("as_profile");
  panel.reset.hidden = !changed.length;
  for (const [group, tab] of panel.tabs) tab.node.classList.toggle("changed", groups.has(group));
  if (!bench.columns) return;
  const lines = Object.entries(bench.columns.lines).map(([name, tokens]) => [name, grouped(tokens)]);
  panel.derived.textContent = bench.say("derived", Object.fromEntries(lines));
}

/** What a change came to: acts of each layer before and after, and the way to the first difference. */
function drawHint(bench, panel) {
  const { say, columns, baseline } = bench;
  if (!bench.live) return panel.hint.replaceChildren(say("values_asks_kernel"));
  if (!baseline || baseline === columns) return panel.hint.replaceChildren(say("move_a_slider"));
  if (panel.told === columns) return;
  panel.told = columns;
  const layers = [...new Set([...baseline.steps.layers, ...columns.steps.layers])].filter(
      (layer) => layer in bench.fixed.does,
    ),
    acts = (run, layer) => actsOf(run, layer, bench.fixed.states);
  const differ = layers.filter((layer) => acts(baseline, layer) !== acts(columns, layer)),
    changes = differ.map((layer) =>
      say("acts_changed", {
        layer: bench.layerName(layer),
        before: acts(baseline, layer),
        after: acts(columns, layer),
      }),
    );
  const first = columns.requests.first.findIndex((_, at) => sizesOf(columns, at).after !== sizesOf(baseline, at).after),
    requests = bench.count("requests", columns.requests.first.length);
  const link = el(
    "button",
    { class: "link", type: "button", onclick: () => bench.go(restOf(columns, first, bench.fixed.states)) },
    say("first_change", first + 1),
  );
  panel.hint.replaceChildren(
    say("ran_again", { requests, changes: changes.join(", ") || say("same_acts") }),
    " ",
    first < 0 ? "" : link,
  );
}

function build(bench, panel, payload) {
  panel.profile.append(...payload.profiles.map((name) => el("option", { value: name }, name)));
  const add = (field, name) => {
    const control = makeField(bench, field, name);
    panel.controls.set(field.path, [...(panel.controls.get(field.path) || []), control]);
    return control.node;
  };
  const byPath = new Map(payload.fields.map((field) => [field.path, field]));
  for (const field of payload.fields)
    if (field.path.endsWith(".enabled")) panel.switches.append(layerSwitch(bench, panel, field));
  panel.chosen.append(
    ...bench.controls
      .map((path) => byPath.get(path))
      .map((field) => add(field, `${bench.fixed.groups[field.group]} · ${field.label}`)),
  );
  panel.all.append(el("summary", {}, bench.say("all_settings", payload.fields.length)));
  panel.tabs = new Map();
  const groups = [...new Set(payload.fields.map((field) => field.group))],
    bar = el("div", { class: "tabs", role: "tablist" }),
    pages = el("div");
  for (const group of groups) {
    const page = el(
      "div",
      {
        role: "tabpanel",
        "data-group": group,
        hidden: true,
        tabindex: 0,
        "aria-label": bench.fixed.groups[group],
      },
      payload.fields.filter((field) => field.group === group).map((field) => add(field)),
    );
    const node = el(
      "button",
      { type: "button", role: "tab", "data-group": group, onclick: () => choose(panel, group) },
      bench.fixed.groups[group],
    );
    panel.tabs.set(group, { node, page });
    bar.append(node);
    pages.append(page);
  }
  bar.addEventListener("keydown", (event) => walkTabs(panel, groups, event));
  panel.all.append(bar, pages);
  choose(panel, groups[0]);
}

/** On or off, for one layer. */
function layerSwitch(bench, panel, field) {
  const box = el("input", {
    type: "checkbox",
    "data-path": field.path,
    onchange: () => bench.change(field.path, box.checked ? "on" : "off"),
  });
  const node = el("label", {}, box, bench.fixed.groups[field.group]);
  panel.controls.set(field.path, [
    {
      field,
      show(next) {
        this.field = next;
        box.checked = next.text === "on";
        node.classList.toggle("changed", next.text !== next.profile);
      },
      complain: (text) => complain(bench, panel, "", text),
      calm: () => {},
    },
  ]);
  return node;
}

function choose(panel, group) {
  for (const [name, { node, page }] of panel.tabs) {
    node.setAttribute("aria-selected", String(name === group));
    node.tabIndex = name === group ? 0 : -1;
    page.hidden = name !== group;
  }
}

function walkTabs(panel, groups, event) {
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!way || event.shiftKey) return;
  const at = groups.findIndex((group) => panel.tabs.get(group).node === event.target),
    next = groups[(at + way + groups.length) % groups.length];
  choose(panel, next);
  panel.tabs.get(next).node.focus();
  event.preventDefault();
  event.stopPropagation();
}

/** The lamp that was clicked brings its settings forward; whether the panel is open is the reader's choice. */
function openAt(panel, layer) {
  if (panel.tabs && panel.tabs.has(layer)) choose(panel, layer);
}

/** A refused value is answered beside its control, which goes back to the value that is so. */
function complain(bench, panel, path, text) {
  const controls = panel.controls.get(path) || [];
  if (!controls.length) {
    panel.complaint.textContent = text;
    panel.complaint.hidden = false;
  }
  for (const control of controls) {
    control.show(control.field, true);
    control.complain(text);
  }
}
