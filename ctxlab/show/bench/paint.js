/* Paint: blocks on a canvas, each kind in its colour, its pattern and its letter. */

import { gather } from "./scale.js";

const NARROWEST = 3;

/** The brush of one theme: `brush.row(pen, items, top, height)`; an item is `{kind, x0, x1, faded, alpha, label}`. */
export function makeBrush(fixed, theme) {
  const kinds = fixed.looks.map(([key, letter, fill, pattern, ink]) => ({
    key,
    letter,
    pattern,
    ...(theme.dark && fixed.night[fill] ? { fill: fixed.night[fill][0], ink: fixed.night[fill][1] } : { fill, ink }),
  }));
  for (const kind of kinds) kind.edge = mix(theme.back, kind.fill, 0.62);
  const brush = { kinds, theme, patterns: new Map() };
  brush.row = (pen, items, top, height, { words = true, clear = 0, lines = [] } = {}) =>
    gather(
      items,
      NARROWEST,
      (item) => block(brush, pen, item, top, height, words ? { clear, lines } : null),
      (narrow, x0, x1) => stack(brush, pen, narrow, x0, x1, top, height),
    );
  return brush;
}

/** Narrow neighbours share a column, each kind with its share of the height. */
function stack(brush, pen, items, x0, x1, top, height) {
  const shares = new Map();
  let all = 0,
    alpha = 0;
  for (const item of items) {
    const id = item.kind * 2 + (item.faded ? 1 : 0),
      wide = item.x1 - item.x0;
    shares.set(id, (shares.get(id) || 0) + wide);
    all += wide;
    alpha = Math.max(alpha, item.alpha ?? 1);
  }
  pen.globalAlpha = alpha;
  let y = top;
  for (const [id, wide] of shares) {
    pen.fillStyle = fillOf(brush, pen, id >> 1, id % 2 === 1);
    pen.fillRect(x0, y, Math.max(0.6, x1 - x0), (height * wide) / all);
    y += (height * wide) / all;
  }
  pen.globalAlpha = 1;
}

/** One block: colour, pattern, edge, and its letter or label. */
function block(brush, pen, item, top, height, words) {
  const kind = brush.kinds[item.kind],
    x = item.x0,
    wide = item.x1 - item.x0 - (item.x1 - item.x0 >= 4 ? 1 : 0);
  pen.globalAlpha = item.alpha ?? 1;
  pen.fillStyle = fillOf(brush, pen, item.kind, item.faded);
  pen.fillRect(x, top, wide, height);
  if (item.faded || kind.pattern === "frame" || kind.pattern === "dashed")
    edge(brush, pen, kind, item, x, top, wide, height);
  if (words && wide >= 11) write(brush, pen, kind, item, x, wide, top, height, words);
  pen.globalAlpha = 1;
}

function edge(brush, pen, kind, item, x, top, wide, height) {
  const framed = !item.faded;
  pen.strokeStyle = framed ? brush.theme.muted : kind.edge;
  pen.lineWidth = 1;
  pen.setLineDash(framed && kind.pattern === "dashed" ? [3, 2] : []);
  if (wide > 2) pen.strokeRect(x + 0.5, top + 0.5, wide - 1, height - 1);
  pen.setLineDash([]);
}

/** Words on a block: its label where there is room, else its letter; never over a line. */
function write(brush, pen, kind, item, x, wide, top, height, { clear, lines }) {
  const from = Math.max(x, clear),
    [left, room] = widest(from, x + wide - from, lines);
  if (room < 11) return;
  const middle = top + height / 2 + 0.5,
    ink = item.faded ? brush.theme.ink : kind.ink;
  pen.textBaseline = "middle";
  pen.font = `12px ${brush.theme.font}`;
  const label = room > 52 && item.label ? fitted(pen, item.label, room - 9) : "";
  if (label) return patched(brush, pen, kind, item, label, left + 5, middle, ink);
  pen.font = `bold 11.5px ${brush.theme.font}`;
  patched(brush, pen, kind, item, kind.letter, left + (room - pen.measureText(kind.letter).width) / 2, middle, ink);
}

/** Words on a patterned block get a plain patch behind them. */
function patched(brush, pen, kind, item, text, x, y, ink) {
  if (kind.pattern && kind.pattern !== "frame" && kind.pattern !== "dashed") {
    pen.fillStyle = item.faded ? brush.theme.back : kind.fill;
    pen.fillRect(x - 2, y - 8, pen.measureText(text).width + 4, 16);
  }
  pen.fillStyle = ink;
  pen.fillText(text, x, y);
}

/** The widest piece of a span that no line runs through. */
function widest(x, wide, lines) {
  let best = [x, 0],
    from = x;
  for (const stop of [...lines.filter((line) => line > x && line < x + wide), x + wide]) {
    const room = (stop === x + wide ? stop : stop - 4) - from;
    if (room > best[1]) best = [from, room];
    from = stop + 4;
  }
  return best;
}

/** A label cut to a width; nothing where too little of it would be left. */
function fitted(pen, label, room) {
  if (pen.measureText(label).width <= room) return label;
  let low = 0,
    high = label.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(`${label.slice(0, middle)}…`).width <= room) low = middle;
    else high = middle - 1;
  }
  return low >= 6 ? `${label.slice(0, low)}…` : "";
}

/** Colour and pattern of a kind; a faded one is kept in the History and not seen whole. */
export function fillOf(brush, pen, number, faded) {
  const id = number * 2 + (faded ? 1 : 0),
    known = brush.patterns.get(id);
  if (known) return known;
  const kind = brush.kinds[number],
    { back } = brush.theme,
    fill = faded ? mix(back, kind.fill, 0.2) : kind.fill;
  const made = STROKES[kind.pattern]
    ? pattern(
        pen,
        kind.pattern,
        fill,
        faded ? mix(back, kind.fill, 0.5) : mix(kind.fill, kind.ink === brush.theme.back ? back : kind.ink, 0.35),
      )
    : fill;
  brush.patterns.set(id, made);
  return made;
}

const STROKES = {
  dots: [
    5,
    (pen) => {
      pen.beginPath();
      pen.arc(1.5, 1.5, 0.9, 0, 7);
      pen.arc(4, 4, 0.9, 0, 7);
      pen.fill();
    },
  ],
  rising: [
    6,
    (pen) => {
      pen.beginPath();
      for (const x of [-6, 0, 6]) {
        pen.moveTo(x, 6);
        pen.lineTo(x + 6, 0);
      }
      pen.stroke();
    },
  ],
  falling: [
    6,
    (pen) => {
      pen.beginPath();
      for (const x of [-6, 0, 6]) {
        pen.moveTo(x, 0);
        pen.lineTo(x + 6, 6);
      }
      pen.stroke();
    },
  ],
  lines: [6, (pen) => pen.fillRect(0, 2, 6, 1)],
  pleats: [6, (pen) => pen.fillRect(0, 0, 2, 6)],
};

function pattern(pen, name, fill, colour) {
  const [size, draw] = STROKES[name],
    tile = document.createElement("canvas"),
    sharp = 2;
  tile.width = tile.height = size * sharp;
  const inside = tile.getContext("2d");
  inside.scale(sharp, sharp);
  inside.fillStyle = fill;
  inside.fillRect(0, 0, size, size);
  inside.fillStyle = inside.strokeStyle = colour;
  inside.lineWidth = 1.1;
  draw(inside);
  const made = pen.createPattern(tile, "repeat");
  made.setTransform(new DOMMatrix().scale(1 / sharp));
  return made;
}

/** Diagonal lines over a place: what is held back, or not part of the row. */
export function hatch(pen, x, y, wide, height, colour) {
  if (wide <= 0) return;
  pen.save();
  pen.beginPath();
  pen.rect(x, y, wide, height);
  pen.clip();
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let at = x - height; at < x + wide; at += 7) {
    pen.moveTo(at, y + height);
    pen.lineTo(at + height, y);
  }
  pen.stroke();
  pen.restore();
}

const parts = (colour) => {
  const hex = colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit) : colour.slice(1).match(/../g);
  return hex.map((pair) => parseInt(pair, 16));
};

/** A colour between two, both written #rrggbb. */
export function mix(one, two, share) {
  const from = parts(one),
    to = parts(two);
  return `#${from
    .map((value, at) =>
      Math.round(value + (to[at] - value) * share)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}
