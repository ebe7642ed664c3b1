/* Clock: counts up to a goal; a press stops it and lets it go on. Put in front of the drill and of the timer. */

function el(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

const clockText = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** A clock for a goal in seconds; `running` says whether it begins at once. */
function makeClock(goal, running) {
  let began = performance.now(),
    spent = 0;
  const seconds = () => spent + (running ? (performance.now() - began) / 1000 : 0);
  const node = el("button", { type: "button", class: "clock", "aria-label": "Clock: start, stop, go on" });
  const draw = () => {
    node.textContent = `${running ? "Stop" : "Start"} · ${clockText(seconds())} of ${clockText(goal)}`;
    node.classList.toggle("over", seconds() > goal);
  };
  node.addEventListener("click", () => {
    spent = seconds();
    running = !running;
    began = performance.now();
    draw();
  });
  const timer = setInterval(draw, 500);
  draw();
  return { node, end: () => clearInterval(timer) };
}
