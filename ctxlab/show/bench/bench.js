/* The bench: joins its parts, and listens to the kernel, the page and the keyboard. */

import { layerOf, unpack } from "./columns.js";
import { el, themeOf, watchTheme } from "./dom.js";
import { drawKey, makeFrame } from "./frame.js";
import { makeBrush } from "./paint.js";
import { makeBench } from "./state.js";
import { listenToKeys } from "./transport.js";

const REST_MS = 250;

/** What a widget calls with its model and the element that is its own. */
export function render({ model, el: host }) {
  const bench = makeBench(model.get("_fixed"), (question) => send(bench, model, question));
  bench.live = model.get("_live");
  bench.reads = bench.live || Boolean(model.get("_reads")); // a page has texts and no kernel
  bench.page = Boolean(model.get("_page"));
  bench.extra = () => model.get("_extra");
  bench.settingsNow = () => model.get("_settings");
  bench.controls = model.get("_controls");
  document.ctxlabBenches = (document.ctxlabBenches || 0) + 1; // two benches may be two copies of this module
  bench.id = `ctxlab-bench-${document.ctxlabBenches}`;
  const frame = makeFrame(bench);
  host.append(frame.root);
  const off = [watchPage(bench, frame), listenToModel(bench, frame, model)];
  listenToKeys(bench, frame.root);
  tellPlace(bench, model);
  takeAgainst(bench, model);
  takeRun(bench, frame, model);
  if (bench.live) bench.ask({ type: "shown" });
  return () => {
    bench.stop();
    off.forEach((stop) => stop());
  };
}

export default { render };

/** A question to the kernel; one that is gone or restarting takes none, and the bench goes on without it. */
function send(bench, model, question) {
  try {
    model.send(question);
  } catch {
    bench.answered();
  }
}

/** The colours of the page and the width of the cell. A host may show the bench later than it makes it: nothing is drawn before. */
function watchPage(bench, frame) {
  const retheme = () => {
    bench.theme = themeOf(frame.root);
    bench.brush = makeBrush(bench.fixed, bench.theme);
    showRun(bench, frame);
  };
  const theme = watchTheme(frame.root, retheme);
  const watcher = new ResizeObserver(() => {
    const width = bench.parts.stage.node.clientWidth || frame.root.clientWidth - 28;
    if (width <= 0 || width === bench.width) return;
    bench.width = width;
    theme.check();
    retheme();
  });
  watcher.observe(frame.root);
  return () => {
    watcher.disconnect();
    theme.stop();
  };
}

/** Tell the kernel where the reader rests, so that Python and the static picture know it. */
function tellPlace(bench, model) {
  let timer = 0;
  bench.placed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      model.set("_place", [bench.columns.request[bench.step], layerOf(bench.columns, bench.step)]);
      try {
        model.save_changes();
      } catch {
        // the kernel is gone: only Python would have wanted to know
      }
    }, REST_MS);
  };
}

function listenToModel(bench, frame, model) {
  const moved = () => {
    const [request, layer] = model.get("_place");
    if (
      bench.columns &&
      bench.rows &&
      request != null &&
      (request !== bench.columns.request[bench.step] || layer !== layerOf(bench.columns, bench.step))
    )
      bench.goTo(request, layer);
  };
  const handlers = {
    "change:_columns": () => takeRun(bench, frame, model),
    "change:_against": () => takeAgainst(bench, model),
    "change:_place": moved,
    "change:_progress": () => frame.work.set(model.get("_progress")),
    "msg:custom": (answer) => hear(bench, frame, answer),
  };
  for (const [name, handler] of Object.entries(handlers)) model.on(name, handler);
  frame.work.set(model.get("_progress"));
  return () => {
    for (const [name, handler] of Object.entries(handlers)) model.off(name, handler);
  };
}

function hear(bench, frame, answer) {
  const { settings, inspector } = bench.parts,
    stale = answer.asked && answer.asked.run !== undefined && answer.asked.run !== bench.runs;
  if (stale) return;
  if (answer.type === "block") inspector.hear(answer);
  if (answer.type === "text" && answer.step === bench.step) frame.twin.text.textContent = answer.text;
  if (answer.type === "done") settings.done(answer.path, bench.settingsNow());
  if (answer.type === "complaint") settings.complain(answer.path, answer.text);
  if (answer.type === "error") {
    alarm(bench, frame, answer.text);
    if (isWish(answer.asked)) settings.failed(answer.text);
  }
  if (["done", "complaint"].includes(answer.type) || isWish(answer.asked)) bench.answered();
}

const isWish = (asked) => Boolean(asked) && ["set", "profile", "fault", "against"].includes(asked.type);

/** An error stands in the bench until it is closed. */
function alarm(bench, frame, text) {
  frame.alert.replaceChildren(
    el("span", {}, bench.say("error", text)),
    el(
      "button",
      {
        class: "button",
        type: "button",
        onclick: () => {
          frame.alert.hidden = true;
          frame.root.focus();
        },
      },
      bench.say("closed"),
    ),
  );
  frame.alert.hidden = false;
}

/** A run has come: unpack it, keep the reader's place, draw. */
async function takeRun(bench, frame, model) {
  const bytes = model.get("_columns"),
    settings = model.get("_settings");
  bench.profile = settings.profile;
  if (!bytes || !bytes.byteLength) {
    bench.parts.settings.show(settings);
    return;
  }
  try {
    const columns = await unpack(bytes);
    if (bytes !== model.get("_columns")) return;
    bench.take(columns, {
      place: model.get("_place"),
      plain: settings.fields.every((field) => (field.profile ?? field.text) === field.text),
    });
    bench.parts.settings.show(settings);
    showRun(bench, frame);
  } catch (error) {
    alarm(bench, frame, String(error));
  }
}

/** Another run to compare with has come, or is gone. */
async function takeAgainst(bench, model) {
  const bytes = model.get("_against");
  const columns = bytes && bytes.byteLength ? await unpack(bytes) : null;
  if (bytes !== model.get("_against")) return;
  bench.against = columns && { columns, name: bench.extra().against };
  if (bench.columns && bench.width && bench.rows) bench.parts.compare.draw();
}

function showRun(bench, frame) {
  if (!bench.columns || !bench.width) return;
  const some = bench.columns.requests.first.length > 0;
  frame.empty.hidden = some;
  frame.top.name.textContent = bench.columns.name;
  for (const node of [...frame.session, bench.parts.inspector.node, frame.sizes]) node.hidden = !some;
  frame.twin.node.hidden = !some || bench.page;
  frame.root.dataset.runs = bench.runs;
  if (!some) return;
  drawKey(bench, frame);
  bench.draw();
}
