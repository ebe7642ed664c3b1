/* Drill: one card. The kernel says which; here are what is unfolded, and the keys. The clock is in clock.js, put in front. */

/** Parts of a card that are unfolded one after the other, each by its own button or all by the space bar. */
function makeParts(card) {
  const parts = [
    ["The point", card.must],
    ["An answer", card.answer],
    ["Push", card.push],
    ["Second push", card.second_push],
    ["Demo in notebook", card.proof],
  ].map(([name, text]) => el("details", {}, el("summary", {}, name), el("p", {}, text)));
  const next = () => {
    const closed = parts.find((part) => !part.open);
    if (closed) closed.open = true;
  };
  return { parts, next };
}

function render({ model, el: root }) {
  const frame = el("section", { class: "ctxlab-drill", tabindex: "0", "aria-label": "Interview drill" });
  const said = el("p", { class: "said", role: "alert" });
  let clock = null,
    next = () => {};

  const ask = (type, value) => model.send({ type, value });

  function groupsOf(shown) {
    const pick = el("select", { "aria-label": "Group", onchange: (event) => ask("choose", event.target.value) });
    for (const group of ["", ...shown.groups])
      pick.append(el("option", { value: group, selected: group === shown.group }, group || "All groups"));
    return pick;
  }

  function scores(shown) {
    const row = el("div", { class: "scores", role: "group", "aria-label": "Score yourself" });
    shown.scale.forEach((words, score) =>
      row.append(el("button", { type: "button", onclick: () => ask("rate", score) }, words)),
    );
    return row;
  }

  function draw() {
    const shown = model.get("_shown");
    const hadFocus = frame.contains(document.activeElement);
    clock?.end();
    said.textContent = "";
    const weak = shown.weak.length ? `${shown.weak.length} weak so far` : "no weak card so far";
    const head = el("header", {}, groupsOf(shown), el("span", {}, `${shown.left} of ${shown.total} left · ${weak}`));
    if (!shown.card) {
      clock = null;
      next = () => {};
      frame.replaceChildren(
        head,
        el("p", { class: "question", role: "status" }, "All cards are done. weak_cards() lists what to repeat."),
        said,
      );
    } else {
      const card = shown.card;
      const made = makeParts(card);
      clock = makeClock(shown.goal, true);
      next = made.next;
      head.append(clock.node);
      frame.replaceChildren(
        head,
        el("p", { class: "group" }, `${card.number} · ${card.group}`),
        el("p", { class: "question", role: "status" }, card.question),
        el("p", { class: "chinese", lang: "zh" }, card.chinese),
        el("p", { class: "hint" }, "Answer aloud, then unfold. Space unfolds the next part, 0 to 3 scores."),
        ...made.parts,
        scores(shown),
        said,
      );
    }
    frame.dataset.card = shown.card ? shown.card.number : "";
    if (hadFocus) frame.focus();
  }

  frame.addEventListener("keydown", (event) => {
    event.stopPropagation(); // keys of the page mean other things
    if (event.target !== frame || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") next();
    else if (/^[0-3]$/.test(event.key)) ask("rate", Number(event.key));
    else return;
    event.preventDefault();
  });
  model.on("change:_shown", draw);
  model.on("msg:custom", (message) => {
    if (message.type === "error") said.textContent = message.text;
  });
  draw();
  root.replaceChildren(frame);
  return () => clock?.end();
}

export default { render };
