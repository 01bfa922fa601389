/** Markdown in a page with a thread of its own for what is long: short texts are parsed at once, all others there. */
import { createContext } from 'react';
import type { StartWorker } from '../page-worker.ts';
import type { After, RunTask } from '../task-pool.ts';
import { lexMarkdown, type Lexed, type LexRequest } from './lex.ts';
import { pageMarkdownPool } from './markdown-pool.ts';
import { directLexer, type MarkdownLexer } from './reader.ts';

/** In tests everything is parsed at once. */
export const MarkdownLexerContext = createContext<MarkdownLexer>(directLexer);

/** The page itself never parses more than that at a time, in characters. */
const maxLength = 8_000;
/**
 * The same for how costly a text may be: each mark can make the parser read to the end of its paragraph. The worst text
 * that was found within this takes about 10 ms.
 */
const maxCost = 400_000;
/** In so many milliseconds the page parses for so long; what is more goes to the worker. */
const spanMs = 50;
const maxSpentMs = 15;

const markOrBlank = /[*_`~[\]()<>!&\\|#+=:@.$-]|\n[ \t]*\n|\n/g;
/** Blocks in blocks on one line: how deep is known only to the parser. */
const nested = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){6}/m;

/** How much of the beginning of a text is surely parsed within a few milliseconds, in characters. */
export function cheapLength(source: string): number {
  const text = source.length > maxLength ? source.slice(0, maxLength) : source;
  if (nested.test(text)) return 0;
  let cost = 0;
  let start = 0;
  let marks = 0;
  for (const { index, 0: mark } of text.matchAll(markOrBlank)) {
    marks += 1;
    if (cost + marks * (index - start) > maxCost) return start;
    if (mark.length < 2) continue;
    cost += marks * (index - start);
    start = index + mark.length;
    marks = 0;
  }
  return cost + marks * (text.length - start) > maxCost ? start : text.length;
}

/** @param now in milliseconds, of a clock that only goes on */
export function createPageLexer(
  later: RunTask<LexRequest, Lexed>,
  now: () => number,
  after: After,
): MarkdownLexer {
  let [spanFrom, spentMs] = [-Infinity, 0];
  return {
    reach(source) {
      if (now() - spanFrom >= spanMs) [spanFrom, spentMs] = [now(), 0];
      return spentMs >= maxSpentMs ? 0 : cheapLength(source);
    },
    now(request) {
      const begun = now();
      const lexed = lexMarkdown(request);
      spentMs += now() - begun;
      return lexed;
    },
    later,
    after,
  };
}

export function pageLexer(page: Window, startWorker: StartWorker): MarkdownLexer {
  const after: After = (ms, callback) => {
    const timer = page.setTimeout(callback, ms);
    return () => page.clearTimeout(timer);
  };
  return createPageLexer(pageMarkdownPool(after, startWorker), () => page.performance.now(), after);
}
