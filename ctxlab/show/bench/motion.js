/* Motion: the View between two steps. First what is touched changes its looks, then its width. Pure. */

const STYLE_UNTIL = 0.35,
  MOVE_FROM = 0.3;
const eased = (time) => (time <= 0 ? 0 : time >= 1 ? 1 : time * time * (3 - 2 * time));

/** How far the looks and the widths have come at a time from 0 to 1. */
export const phasesOf = (time) => ({
  style: eased(time / STYLE_UNTIL),
  move: eased((time - MOVE_FROM) / (1 - MOVE_FROM)),
});

/** Where a block is in the View, in tokens: its own place, or its share of what stands for it; null where neither is. */
export function spotOf(rows, block) {
  if (rows.place[block] >= 0) return [rows.start[block], rows.start[block] + rows.tokens[block]];
  if (block < rows.stop && !Number.isNaN(rows.low[block])) return [rows.low[block], rows.high[block]];
  return null;
}

const between = (one, two, share) => [one[0] + (two[0] - one[0]) * share, one[1] + (two[1] - one[1]) * share];

/** Where the thread of a block ends, on the way from one step to the next. */
export function threadEnd(from, to, phases) {
  return (block) => {
    const now = spotOf(to, block) || [NaN, NaN],
      before = from && spotOf(from, block);
    return before ? between(before, now, phases.move) : now;
  };
}

/** The blocks of the View on the way from one step to the next: `{block, kind, x0, x1, alpha}`, x in tokens. */
export function viewItems(from, to, phases) {
  const out = [];
  if (from) for (const block of from.order) if (leaves(from, to, block)) out.push(leaving(from, to, block, phases));
  for (const block of to.order) {
    const now = spotOf(to, block),
      before = from && spotOf(from, block),
      known = from && from.place[block] >= 0;
    const [x0, x1] = before ? between(before, now, phases.move) : now;
    const same = !from || (known && from.kind[block] === to.kind[block]);
    out.push({ block, kind: to.kind[block], x0, x1, alpha: same ? 1 : known ? phases.style : phases.move });
  }
  return out;
}

/** True where a block goes, or changes its looks: then the old looks fade over the way. */
const leaves = (from, to, block) => to.place[block] < 0 || to.kind[block] !== from.kind[block];

function leaving(from, to, block, phases) {
  const before = spotOf(from, block),
    now = spotOf(to, block) || [before[0], before[0]],
    [x0, x1] = between(before, now, phases.move);
  return { block, kind: from.kind[block], x0, x1, alpha: 1 - phases.style * (to.place[block] < 0 ? 0.75 : 1) };
}
