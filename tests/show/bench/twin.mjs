/* Reads the columns of replays from standard input, and writes the marks of all their steps: what the browser would draw. */

import { layerOf, prepare, reasonOf, rowsAt, stepCount } from "../../../ctxlab/show/bench/columns.js";
import { thousands, titleOf } from "../../../ctxlab/show/bench/words.js";

const { fixed, replays, numbers } = JSON.parse(await new Response(process.stdin).text());

function marks(columns, step) {
  const rows = rowsAt(columns, step), { overhead } = columns.blocks, history = [], view = [];
  for (let block = overhead; block < rows.stop; block++) {
    const verb = rows.fate[block] < 0 ? "" : fixed.verbs[rows.fate[block]];
    history.push([block, columns.blocks.kind[block], columns.sums[block] - columns.sums[overhead], columns.blocks.tokens[block], columns.blocks.label[block], verb, rows.fresh[block] === 1, rows.target[block]]);
  }
  for (const block of rows.order) view.push([block, rows.kind[block], rows.start[block], rows.tokens[block], columns.blocks.label[block], rows.now.has(block)]);
  return { reason: reasonOf(columns, step), title: titleOf(columns, step, fixed), layer: layerOf(columns, step), history, view };
}

const out = replays.map((plain) => {
  const columns = prepare(plain);
  return Array.from({ length: stepCount(columns) }, (_, step) => marks(columns, step));
});
process.stdout.write(JSON.stringify({ numbers: numbers.map(thousands), steps: out }));
