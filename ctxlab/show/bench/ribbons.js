/* Ribbons: the threads from the History to the View. Five verbs, each with one shape.

   budget        shrink to a card    a solid wedge
   snip          cut                 a stub with a torn edge, a dotted thread goes on
   microcompact  blank out           empty, dashed
   collapse      fold                pleats
   autocompact   summarise           a funnel with curved sides, dense at its foot

Vermillion is what this step did; everything older is grey and faint. */

const MOST_DASHED = 16;

/** Runs of neighbours with one fate: `{verb, now, x0, x1, low, high, first, stop}`, x above and low to high below, in pixels. */
export function threadsOf(columns, rows, isNow, above, below) {
  const out = [];
  let run = null;
  for (let block = columns.blocks.overhead; block < rows.stop; block++) {
    if (!columns.blocks.tokens[block] || rows.target[block] < 0) {
      run = null;
      continue;
    }
    const verb = rows.fate[block],
      now = isNow(block),
      into = verb < 0 ? -1 : rows.target[block],
      [low, high] = below(block);
    const joins =
      run && run.verb === verb && run.now === now && (verb < 0 ? Math.abs(run.high - low) < 0.5 : run.into === into);
    if (joins) {
      run.x1 = above(block + 1);
      run.high = Math.max(run.high, high);
      run.stop = block + 1;
      continue;
    }
    run = { verb, now, into, x0: above(block), x1: above(block + 1), low, high, first: block, stop: block + 1 };
    out.push(run);
  }
  return out;
}

/** Draw all threads between two heights, the old ones first. */
export function drawThreads(pen, threads, { top, bottom, verbs, theme, width }) {
  const inSight = (thread) => Math.max(thread.x1, thread.high) > -2 && Math.min(thread.x0, thread.low) < width + 2;
  const seen = threads.filter(
    (thread) => inSight(thread) && (thread.now || (thread.x1 > -60 && thread.x0 < width + 60)),
  );
  const draw = (thread) =>
    shapeOf(verbs[thread.verb])(pen, thread, top, bottom, thread.now && thread.verb >= 0 ? theme.now : theme.ink);
  seen.filter((thread) => !thread.now).forEach(draw);
  const blanked = seen.filter((thread) => thread.now && verbs[thread.verb] === "microcompact");
  seen.filter((thread) => thread.now && !blanked.includes(thread)).forEach(draw);
  if (blanked.length > MOST_DASHED) draw(envelope(blanked));
  else blanked.forEach(draw);
}

/** Many dashed ribbons would be a thicket: one around them all. */
function envelope(threads) {
  const low = (part) => Math.min(...threads.map((thread) => thread[part])),
    high = (part) => Math.max(...threads.map((thread) => thread[part]));
  return {
    ...threads[0],
    x0: low("x0"),
    x1: high("x1"),
    low: low("low"),
    high: Math.max(high("high"), low("low") + 2),
    filled: true,
  };
}

const shapeOf = (verb) =>
  ({ budget: wedge, snip: torn, microcompact: dashed, collapse: pleats, autocompact: funnel })[verb] || plain;

/** Straight or curved sides from a place above to a place below. */
export function path(thread, top, bottom, curved = false) {
  const { x0, x1, low } = thread,
    high = Math.max(thread.high, low + 0.8),
    middle = (top + bottom) / 2,
    line = new Path2D();
  line.moveTo(x0, top);
  if (curved) {
    line.bezierCurveTo(x0, middle, low, middle, low, bottom);
    line.lineTo(high, bottom);
    line.bezierCurveTo(high, middle, x1, middle, x1, top);
  } else {
    line.lineTo(low, bottom);
    line.lineTo(high, bottom);
    line.lineTo(x1, top);
  }
  line.closePath();
  return line;
}

function paint(pen, shape, colour, fill, stroke, width = 1.2) {
  pen.fillStyle = pen.strokeStyle = colour;
  if (fill) {
    pen.globalAlpha = fill;
    pen.fill(shape);
  }
  if (stroke) {
    pen.globalAlpha = stroke;
    pen.lineWidth = width;
    pen.stroke(shape);
  }
  pen.globalAlpha = 1;
}

function plain(pen, thread, top, bottom, colour) {
  paint(pen, path(thread, top, bottom), colour, 0.055, 0);
}

function wedge(pen, thread, top, bottom, colour) {
  paint(pen, path(thread, top, bottom), colour, thread.now ? 0.24 : 0.07, thread.now ? 1 : 0.28);
}

function dashed(pen, thread, top, bottom, colour) {
  const thin = thread.x1 - thread.x0 < 12 && !thread.filled,
    line = thin ? new Path2D() : path(thread, top, bottom);
  if (thin) {
    line.moveTo((thread.x0 + thread.x1) / 2, top);
    line.lineTo((thread.low + thread.high) / 2, bottom);
  }
  pen.setLineDash([4, 3]);
  paint(pen, line, colour, thread.filled ? 0.16 : 0, thread.now ? 0.9 : 0.3);
  pen.setLineDash([]);
}

function torn(pen, thread, top, bottom, colour) {
  const { x0, x1 } = thread,
    edge = top + 20,
    stub = new Path2D(),
    thread2 = new Path2D();
  stub.moveTo(x0, top);
  stub.lineTo(x1, top);
  for (let x = x1, tooth = 0; x > x0; x -= 6, tooth ^= 1) stub.lineTo(x, edge + 5 * tooth);
  stub.lineTo(x0, edge);
  stub.closePath();
  thread2.moveTo((x0 + x1) / 2, edge + 4);
  thread2.lineTo((thread.low + thread.high) / 2, bottom - 8);
  paint(pen, stub, colour, thread.now ? 0.26 : 0.08, thread.now ? 1 : 0.35);
  pen.setLineDash([2, 4]);
  paint(pen, thread2, colour, 0, thread.now ? 1 : 0.35);
  pen.setLineDash([]);
}

function pleats(pen, thread, top, bottom, colour) {
  const { x0, x1, low, high } = thread,
    count = Math.max(2, Math.min(24, Math.round((x1 - x0) / 24)));
  for (let fold = 0; fold < count; fold++) {
    const from = fold / count,
      to = (fold + 1) / count,
      strip = {
        x0: x0 + (x1 - x0) * from,
        x1: x0 + (x1 - x0) * to,
        low: low + (high - low) * from,
        high: low + (high - low) * to,
      };
    paint(pen, path(strip, top, bottom), colour, fold % 2 ? (thread.now ? 0.1 : 0.025) : thread.now ? 0.34 : 0.07, 0);
  }
  paint(pen, path(thread, top, bottom), colour, 0, thread.now ? 1 : 0.22, 1);
}

function funnel(pen, thread, top, bottom, colour) {
  const shape = path(thread, top, bottom, true),
    foot = pen.createLinearGradient(0, top, 0, bottom);
  paint(pen, shape, colour, thread.now ? 0.1 : 0.04, thread.now ? 1 : 0.28, thread.now ? 1.5 : 1);
  foot.addColorStop(0, "transparent");
  foot.addColorStop(1, colour);
  paint(pen, shape, foot, thread.now ? 0.5 : 0.16, 0);
}
