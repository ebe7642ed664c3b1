/* Page: the bench on a page of its own, with a stand-in for the kernel that knows the texts which travelled. */

import { render } from "./bench.js";
import { rowsAt, standsFor, unpack } from "./columns.js";

const LEFT_OUT = -2; // the server leaves the block out: the model gets nothing of it

/** The answer that the kernel would give for a block at a step; of a long text only the beginning is here. */
export function answerOf(columns, texts, question) {
  const { block, step } = question,
    stands = standsFor(rowsAt(columns, step), block),
    [original, characters] = cameAs(texts, block),
    [seen, seen_characters] = stands < 0 ? [null, 0] : seenAs(columns, texts, stands, step),
    addresses = texts.address[block] ? [texts.address[block]] : [];
  const about = { pages: 1, page_characters: texts.cap, addresses, asked: question };
  return { type: "block", original, characters, seen, seen_characters, ...about };
}

const cameAs = (texts, block) => [texts.pool[texts.original[block]] ?? "", texts.characters[block]];

/** What the model gets of a block at a step: the text of its newest change, or the one that it came with. */
function seenAs({ changes }, texts, block, step) {
  let at = changes.step.length - 1;
  while (at >= 0 && (changes.block[at] !== block || changes.step[at] > step || changes.kind[at] < 0)) at--;
  if (at >= 0 && texts.form[at] === LEFT_OUT) return [null, 0];
  return at < 0 || texts.form[at] < 0
    ? cameAs(texts, block)
    : [texts.pool[texts.form[at]], texts.form_characters[at]];
}

/** What a widget gets of Jupyter, as far as the bench asks for it. */
function standIn(values, columns, texts) {
  const handlers = new Map();
  return {
    get: (name) => values[name],
    set: (name, value) => {
      values[name] = value;
    },
    save_changes() {},
    on: (name, handler) => handlers.set(name, handler),
    off: (name) => handlers.delete(name),
    send(question) {
      if (texts && question.type === "block")
        queueMicrotask(() => handlers.get("msg:custom")?.(answerOf(columns, texts, question)));
    },
  };
}

/** Unpack what travelled and show it. */
async function startPage({ data, bytes, unzipped }) {
  const parsed = async (packed) => (packed ? JSON.parse(await unzipped(packed)) : null);
  const texts = await parsed(data.texts),
    packed = bytes(data.columns);
  const values = {
    _fixed: await parsed(data.fixed),
    _settings: await parsed(data.settings),
    _columns: packed,
    _controls: data.controls,
    _against: data.against ? bytes(data.against) : null,
    _extra: data.extra,
    _place: data.place,
    _progress: -1,
    _live: false,
    _reads: Boolean(texts),
    _page: true,
  };
  render({ model: standIn(values, await unpack(packed), texts), el: document.querySelector("main") });
}

if (globalThis.ctxlabPage)
  startPage(globalThis.ctxlabPage).catch((error) => {
    document.querySelector("main").textContent = String(error);
  });
