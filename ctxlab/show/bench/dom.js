/* Page: elements, signs, and the colours of the page around the bench. Session text enters only as text. */

/** An element: attributes, `on...` listeners, children (text or elements; null is left out). */
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child != null));
  return node;
}

/** One sign for each verb, the same in ribbon, mark, lamp, timeline and key; drawn in a square of 24. */
export const SIGNS = {
  arrive: "M12 3v12M7 10l5 5 5-5M4 20h16",
  budget: "M3 4h13l5 5v11H3zM16 4v5h5M7 13h10M7 16.5h6",
  snip: "M3 6h6l-2 4 3 2-3 2 2 4H3zM21 6h-6l2 4-3 2 3 2-2 4h6z",
  microcompact: "M3 5h4M10 5h4M17 5h4M3 19h4M10 19h4M17 19h4M3 5v3M3 11v3M3 17v2M21 5v3M21 11v3M21 17v2",
  collapse: "M3 6l6-2v14l-6 2zM9 4l6 2v14l-6-2M15 6l6-2v14l-6 2",
  session_memory: "M5 3h14v18H5zM8 8h8M8 12h8M8 16h5",
  autocompact: "M18 6V4H6l7 8-7 8h12v-2",
  recovery: "M4 12a8 8 0 1 1 3 6M4 20v-5h5",
  user: "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21a8 8 0 0 1 16 0",
};

/** A sign as an element that readers of the screen pass over. */
export function sign(name, size = 18) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"),
    line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [key, value] of Object.entries({
    viewBox: "0 0 24 24",
    width: size,
    height: size,
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 2,
    "stroke-linejoin": "round",
    "aria-hidden": "true",
  }))
    svg.setAttribute(key, value);
  line.setAttribute("d", SIGNS[name] || SIGNS.user);
  svg.append(line);
  return svg;
}

/** True where the page behind an element is dark, whatever the host calls its theme. */
export function isDark(node) {
  for (let at = node.parentElement; at; at = at.parentElement) {
    const found = getComputedStyle(at).backgroundColor.match(/[\d.]+/g);
    if (!found || (found.length > 3 && Number(found[3]) < 0.5)) continue;
    return Number(found[0]) * 0.299 + Number(found[1]) * 0.587 + Number(found[2]) * 0.114 < 128;
  }
  return false;
}

/** The colours that the style sheet gives the bench in this theme. */
export function themeOf(root) {
  const style = getComputedStyle(root),
    names = ["ink", "muted", "faint", "line", "soft", "back", "now", "now-text", "reader"];
  const theme = Object.fromEntries(
    names.map((name) => [name.replace("-", "_"), style.getPropertyValue(`--${name}`).trim()]),
  );
  return { ...theme, dark: root.dataset.theme === "dark", font: style.fontFamily };
}

/** Tell when the page changes its theme; `check()` looks at once. */
export function watchTheme(root, changed) {
  const look = () => (isDark(root) ? "dark" : "light"),
    check = () => {
      root.dataset.theme = look();
    };
  const watcher = new MutationObserver(() =>
    requestAnimationFrame(() => {
      if (root.isConnected && root.dataset.theme !== look()) {
        check();
        changed();
      }
    }),
  );
  for (const node of [document.documentElement, document.body])
    watcher.observe(node, {
      attributes: true,
      attributeFilter: ["class", "style", "data-jp-theme-light", "data-theme", "data-jp-theme-name"],
    });
  return { check, stop: () => watcher.disconnect() };
}

/** A canvas as sharp as the screen; gives its pen, cleared. */
export function penOf(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}
