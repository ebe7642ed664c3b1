/* Reads pages' columns, texts and questions from standard input, and writes what a page answers without a kernel. */

import { prepare } from "../../../ctxlab/show/bench/columns.js";
import { answerOf } from "../../../ctxlab/show/bench/page.js";

const pages = JSON.parse(await new Response(process.stdin).text());
process.stdout.write(JSON.stringify(pages.map(({ plain, texts, questions }) => {
  const columns = prepare(plain);
  return questions.map((question) => answerOf(columns, texts, question));
})));
