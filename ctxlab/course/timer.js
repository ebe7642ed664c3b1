/* Timer: the clock alone, for a task with a limit. */

function render({ model, el: root }) {
  const clock = makeClock(model.get("_goal"), false);
  root.replaceChildren(el("section", { class: "ctxlab-drill", "aria-label": "Timer" }, clock.node));
  return () => clock.end();
}

export default { render };
