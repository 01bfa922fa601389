/** Markdown that is parsed in a worker, within a bound. */
import type { StartWorker } from '../page-worker.ts';
import { createTaskPool, type After, type RunTask, type TaskWorker } from '../task-pool.ts';
import type { Lexed, LexRequest } from './lex.ts';
import workerAddress from './markdown-worker.ts?worker&url';

/** One request may take that long. */
const maxLexMs = 1_000;

export const createMarkdownPool = (
  start: () => TaskWorker<LexRequest, Lexed>,
  after: After,
): RunTask<LexRequest, Lexed> => createTaskPool(start, after, maxLexMs);

/** With a worker of the page. */
export function pageMarkdownPool(after: After, startWorker: StartWorker): RunTask<LexRequest, Lexed> {
  return createMarkdownPool(() => startWorker(workerAddress, 'markdown'), after);
}
