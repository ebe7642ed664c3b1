/* Fields: one control for each kind of setting, made from its metadata: number, choice, switch, names, table. */

import { el } from "./dom.js";
import { grouped } from "./words.js";

const POSITIONS = 1000,
  LOGARITHMIC_FROM = 200;

/** A control: `node`, `show(field)` for a new value, `complain(text)` for one that was refused. */
export function makeField(bench, field, name = field.label) {
  const id = `${bench.id}-field-${bench.fields++}`,
    { say } = bench;
  const control = { path: field.path, input: inputOf(bench, field, id, name) };
  const complaint = el("p", { class: "complaint", role: "alert", hidden: true });
  const changed = el("button", {
    class: "link was",
    type: "button",
    title: say("back_to_profile"),
    hidden: true,
    onclick: () => {
      bench.change(field.path, control.field.profile);
      document.getElementById(id)?.focus();
    },
  });
  const badge = el("span", { class: "badge" }),
    note = el("p", { class: "note", id: `${id}-note` }),
    twin = el("span", { class: "twin" });
  control.node = el(
    "div",
    { class: "field", "data-path": field.path },
    el(
      "div",
      { class: "head" },
      el("label", { for: id }, name),
      el("span", { class: "space" }),
      control.input.value,
      badge,
    ),
    control.input.node,
    el("div", { class: "under" }, note, twin, changed),
    complaint,
  );
  control.show = (next, force) => {
    if (control.field && next.text !== control.field.text) control.calm();
    control.field = next;
    control.input.show(next, force);
    control.node.classList.toggle("changed", next.text !== next.profile);
    Object.assign(badge, {
      textContent: next.evidence,
      title: `${bench.fixed.evidence[next.evidence]}: ${next.source}`,
    });
    badge.dataset.evidence = next.evidence;
    note.textContent = next.says;
    twin.textContent = next.twin === undefined ? "" : say("twin", withUnit(next, next.twin));
    changed.hidden = next.text === next.profile;
    changed.textContent = say("was", worded(next, next.profile));
  };
  control.calm = () => {
    complaint.hidden = true;
  };
  control.complain = (text) => {
    complaint.textContent = say("still", { complaint: text, value: worded(control.field, control.field.text) });
    complaint.hidden = false;
  };
  control.show(field);
  return control;
}

/** A value as it is read: 13,000 instead of 13000. */
export function worded(field, text) {
  return field.kind === "number" && text !== "none" ? text.replace(/^\d+/, (digits) => grouped(Number(digits))) : text;
}

const withUnit = (field, text) => `${worded(field, text)}${field.unit && text !== "none" ? ` ${field.unit}` : ""}`;

function inputOf(bench, field, id, name) {
  if (field.kind === "number") return numberInput(bench, field, id, name);
  if (field.kind === "choice") return choiceInput(bench, field, id);
  if (field.kind === "switch") return switchInput(bench, field, id);
  return textInput(bench, field, id);
}

/** A slider, and its value to type. */
function numberInput(bench, field, id, name) {
  const scale = sliderScale(field);
  const slider = el("input", {
    type: "range",
    min: scale.low,
    max: scale.high,
    step: scale.step,
    "aria-label": name,
    "aria-describedby": `${id}-note`,
  });
  const typed = el("input", {
    id,
    class: "typed",
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
  });
  const send = (text) => bench.change(field.path, text);
  let shown = null;
  slider.addEventListener("input", () => {
    const text = scale.text(Number(slider.value));
    typed.value = worded(field, text);
    speak(text);
    send(text);
  });
  slider.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
    if (!way || event.shiftKey) return;
    event.preventDefault(); // one press is one step of the setting, wherever on the slider
    const text = scale.near(Number(typed.value.replace(/,/g, "")) || 0, way);
    slider.value = scale.position(Number(text));
    typed.value = worded(field, text);
    speak(text);
    send(text);
  });
  const commit = () => typed.value !== shown && send(typed.value.trim());
  typed.addEventListener("change", commit);
  typed.addEventListener("keydown", (event) => event.key === "Enter" && commit());
  const speak = (text) => slider.setAttribute("aria-valuetext", withUnit(field, text));
  const show = (next, force) => {
    const { activeElement } = document,
      typing = activeElement === typed && shown !== null && typed.value !== shown;
    if (force || activeElement !== slider)
      slider.value = next.text === "none" ? scale.high : scale.position(Number(next.text));
    if (force || !typing) typed.value = shown = worded(next, next.text);
    slider.classList.toggle("unlimited", next.text === "none");
    speak(next.text);
  };
  const none = field.optional
    ? el("button", { class: "link", type: "button", onclick: () => send("none") }, bench.say("no_limit"))
    : null;
  return {
    node: el("div", { class: "slide" }, slider, none),
    value: el("span", { class: "value" }, typed, field.unit ? ` ${field.unit}` : ""),
    show,
  };
}

/** Wide ranges get a slider whose steps grow with the value. Pure. */
export function sliderScale({ low, high, step }) {
  const decimals = (String(step).split(".")[1] || "").length,
    snap = (value) => Math.min(high, Math.max(low, low + Math.round((value - low) / step) * step)).toFixed(decimals),
    near = (value, way) => snap(value + way * step);
  const least = Math.max(low, step);
  if (high / least < LOGARITHMIC_FROM) return { low, high, step, near, position: (value) => value, text: snap };
  const grow = Math.log(high / least);
  return {
    low: 0,
    high: POSITIONS,
    step: 1,
    near,
    position: (value) => (value <= least ? 0 : Math.round((POSITIONS * Math.log(value / least)) / grow)),
    text: (at) => (at === 0 ? snap(low) : snap(least * Math.exp((grow * at) / POSITIONS))),
  };
}

function choiceInput(bench, field, id) {
  const select = el(
    "select",
    { id, "aria-describedby": `${id}-note`, onchange: () => bench.change(field.path, select.value) },
    field.options.map((option) => el("option", { value: option }, option)),
  );
  return {
    node: null,
    value: select,
    show: (next) => {
      select.value = next.text;
    },
  };
}

function switchInput(bench, field, id) {
  const box = el("input", {
    id,
    type: "checkbox",
    "aria-describedby": `${id}-note`,
    onchange: () => bench.change(field.path, box.checked ? "on" : "off"),
  });
  return {
    node: null,
    value: box,
    show: (next) => {
      box.checked = next.text === "on";
    },
  };
}

/** Names in order, or a number for each of some names, as text. */
function textInput(bench, field, id) {
  const typed = el("input", {
    id,
    class: "typed long",
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": `${id}-note`,
  });
  typed.addEventListener("change", () => bench.change(field.path, typed.value.trim()));
  return {
    node: el("div", { class: "slide" }, typed),
    value: field.unit || "",
    show: (next) => {
      typed.value = next.text;
    },
  };
}
