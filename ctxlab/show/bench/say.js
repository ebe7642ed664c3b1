/* Say: what a block is, what became of it, and where the reader is, in words. */

import { arrivalOf, layerOf, lifeOf, standsFor } from "./columns.js";
import { capital, filled, grouped } from "./words.js";

/** The number and name of a block, and a line about it: request, tokens, and what the model gets of it. */
export function describe(bench, block) {
  const { columns, rows, fixed, say } = bench,
    { overhead } = columns.blocks,
    kind = fixed.looks[columns.blocks.kind[block]],
    label = columns.blocks.label[block],
    arrival = arrivalOf(columns, block);
  const name = label && label !== kind[5] ? `${capital(kind[5])}: ${label}` : capital(kind[5]);
  if (block < overhead) return [name, `· ${bench.count("tokens", columns.blocks.tokens[block])} · ${say("only_sent")}`];
  const place = block < columns.scrolled ? `${grouped(block - overhead + 1)} · ` : "",
    request = columns.request[arrival] + 1;
  if (arrival > rows.step) return [place + name, `· ${say("not_yet", request)}`];
  return [place + name, `· ${say("request")} ${request} · ${became(bench, block)} · ${fateOf(bench, block)}`];
}

/** Tokens before and after, or what it is now a part of. */
export function became(bench, block) {
  const { columns, rows, fixed, say } = bench,
    before = grouped(columns.blocks.tokens[block]),
    into = standsFor(rows, block);
  if (into === block)
    return rows.verb[block] < 0
      ? bench.count("tokens", columns.blocks.tokens[block])
      : say("became", { before, after: grouped(rows.tokens[block]) });
  if (into < 0) return arrivalOf(columns, block) > rows.step ? "" : say("is_gone", before);
  const what =
    { digest: "digest_of", summary: "summary_of", notice: "notice_of" }[fixed.looks[rows.kind[into]][0]] ||
    "summary_of";
  const many = rows.target.reduce((sum, other) => sum + (other === into ? 1 : 0), 0) - (into < rows.stop ? 1 : 0);
  return say("became_part", {
    before,
    what: say(what, grouped(rows.tokens[into])),
    blocks: bench.count("blocks", many),
  });
}

/** What became of a block lately, and by whom: it, or what stood for it. */
function fateOf(bench, block) {
  const { columns, rows, fixed, say } = bench,
    last = livesOf(bench, block)
      .filter((each) => each.verb >= 0 && !each.put)
      .at(-1);
  if (!last || (rows.place[block] >= 0 && rows.verb[block] < 0))
    return columns.blocks.tokens[block] ? say("sees_whole") : say("only_code");
  return say("by_layer", {
    verb: fixed.verb_words[fixed.verbs[last.verb]],
    layer: bench.layerName(layerOf(columns, last.step)),
    request: columns.request[last.step] + 1,
  });
}

/** The life of a block, and behind it that of each block that stood for it in turn. */
export function livesOf(bench, block) {
  const { columns, rows } = bench,
    out = [];
  for (let at = block, hops = 0; at >= 0 && hops <= columns.count; at = rows.into[at], hops++) {
    const own = lifeOf(columns, at, rows.step).filter((each) => at === block || (each.verb >= 0 && !each.put));
    out.push(...own.map((each) => ({ ...each, inside: at !== block })));
    if (rows.place[at] >= 0 || rows.into[at] === at) break;
  }
  return out;
}

/** Where the reader is. */
export function placeWords(bench) {
  const { columns, step, say } = bench,
    layer = layerOf(columns, step),
    request = columns.request[step] + 1;
  return filled(bench.fixed.bench.place, {
    request,
    requests: grouped(columns.requests.first.length),
    step: layer === "arrive" ? say("before_layers") : say("after_layer", bench.layerName(layer)),
  });
}
