/* Scale: where tokens are in pixels, and where words go so that none covers another. Pure: no canvas, no page. */

const BESIDE = 66,
  BESIDE_NARROW = 60,
  ROW_HEIGHT = 15;

/** One scale for both rows: pixels for a token, and how far the History is scrolled. */
export function scaleOf(columns, rows, { width, zoom, scroll, fixed }) {
  const { overhead } = columns.blocks,
    all = columns.sums[rows.stop],
    window = columns.lines.window;
  const room = width - (width < 700 ? BESIDE_NARROW : BESIDE);
  const perToken = zoom === "all" ? Math.min(room / window, (width - 4) / Math.max(all, 1)) : room / window;
  const most = Math.max(0, all * perToken - width + 2);
  const wanted =
    scroll == null ? followed(columns, rows, perToken, most, width, fixed.verbs.indexOf("autocompact")) : scroll;
  return { perToken, most, width, scroll: Math.min(most, Math.max(0, wanted)), from: columns.sums[overhead] };
}

/** The newest block at the right edge, unless what the step touched lies further left; a compaction shows its boundary. */
function followed(columns, rows, perToken, most, width, summed) {
  const hidden = (block) => block < rows.stop && rows.fate[block] >= 0 && rows.fate[block] !== summed;
  const touched = [...rows.now].filter((block) => hidden(block) && columns.blocks.tokens[block]);
  if (!touched.length) return most;
  const low = columns.sums[Math.min(...touched)] * perToken,
    high = columns.sums[Math.max(...touched) + 1] * perToken;
  if (low >= most + 30) return most;
  return high - low < width - 80 ? Math.max(0, low - 40) : Math.max(0, high - width + 40);
}

export const historyX = (scale, tokens) => tokens * scale.perToken - scale.scroll;

/** The block of the History under a place, exact also below one pixel; -1 for none. */
export function historyHit(columns, rows, scale, x) {
  const token = (x + scale.scroll) / scale.perToken;
  if (token < scale.from || token >= columns.sums[rows.stop]) return -1;
  let low = columns.blocks.overhead,
    high = rows.stop - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (columns.sums[middle] <= token) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The block of the View under a place; -1 for none. */
export function viewHit(rows, scale, x) {
  const token = x / scale.perToken;
  let low = 0,
    high = rows.order.length - 1,
    found = -1;
  while (low <= high) {
    const middle = (low + high) >> 1,
      block = rows.order[middle];
    if (rows.start[block] <= token) {
      found = block;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found >= 0 && token < rows.start[found] + rows.tokens[found] ? found : -1;
}

/** Blocks narrower than `least` pixels gathered into columns; none is dropped. Calls `wide(item)` or `narrow(items, x0, x1)`. */
export function gather(items, least, wide, narrow) {
  let waiting = [];
  const flush = () => {
    if (waiting.length) narrow(waiting, waiting[0].x0, waiting.at(-1).x1);
    waiting = [];
  };
  for (const item of items) {
    if (item.x1 <= item.x0) continue;
    if (item.x1 - item.x0 >= least) {
      flush();
      wide(item);
      continue;
    }
    waiting.push(item);
    if (item.x1 - waiting[0].x0 >= least) flush();
  }
  flush();
}

/** Signs of equal size at their true places: neighbours that would cover one another become one with a count. */
export function gatherSigns(signs, widthOf) {
  let out = signs
    .slice()
    .sort((a, b) => a.x - b.x)
    .map((sign) => ({ ...sign, count: 1 }));
  for (let joined = true; joined;) {
    joined = false;
    const next = [];
    for (const sign of out) {
      const before = next.at(-1);
      if (before && before.now === sign.now && sign.x - before.x < (widthOf(before) + widthOf(sign)) / 2 + 2) {
        next[next.length - 1] = together(before, sign);
        joined = true;
      } else next.push(sign);
    }
    out = next;
  }
  return pushedApart(out, widthOf);
}

function together(one, two) {
  const count = one.count + two.count;
  return {
    ...(two.count > one.count ? two : one),
    x: (one.x * one.count + two.x * two.count) / count,
    count,
    mixed: one.mixed || two.mixed || one.verb !== two.verb,
  };
}

/** Signs of this step beside older ones: those that still cover one another move to the right. */
function pushedApart(signs, widthOf) {
  let edge = 0;
  return signs.map((sign) => {
    const left = Math.max(edge, sign.x - widthOf(sign) / 2);
    edge = left + widthOf(sign) + 2;
    return { ...sign, left, at: sign.x };
  });
}

/** Places for the names of lines: every side and row is tried, the flattest without a crossing wins.
 *  Each name is `{x, width}`; gives `{left, row}` for each. */
export function placeNames(names, width) {
  let best = null,
    least = Infinity;
  const chosen = [];
  const span = (name, side) => (side ? [name.x + 4, name.x + 4 + name.width] : [name.x - 4 - name.width, name.x - 4]);
  const clashes = (at, row, left, right) =>
    chosen.slice(0, at).some((other, number) => {
      const runsThrough = names[number].x > left - 3 && names[number].x < right + 3 && other.row >= row;
      const isRunThrough = names[at].x > other.left - 3 && names[at].x < other.right + 3 && row >= other.row;
      return runsThrough || isRunThrough || (other.row === row && left < other.right + 8 && right > other.left - 8);
    });
  const attempt = (at, cost) => {
    if (cost >= least) return;
    if (at === names.length) {
      least = cost;
      best = chosen.slice();
      return;
    }
    for (let row = 0; row < 5; row++)
      for (const side of [0, 1]) {
        const [left, right] = span(names[at], side);
        if (left < 0 || right > width || clashes(at, row, left, right)) continue;
        chosen[at] = { row, left, right };
        attempt(at + 1, cost + row * row * 3 + row * 4 + side);
      }
  };
  attempt(0, 0);
  return (
    best ||
    names.map((name, row) => ({ row, left: Math.max(0, Math.min(width - name.width, name.x - name.width / 2)) }))
  );
}

export const rowTop = (row) => row * ROW_HEIGHT;

/** A round number of tokens that is between 34 and 90 pixels wide. */
export function roundTokens(perToken) {
  let tokens = 100;
  for (let turn = 0; tokens * perToken < 34; turn++) tokens *= [2, 2.5, 2][turn % 3];
  return tokens;
}
