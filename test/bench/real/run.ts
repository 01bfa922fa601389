/** The benchmark as a function: every task through the whole app, and beside it through a plain loop. */
import { appendFile, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { repairArguments } from '../../../src/host/tools/repair.ts';
import type { Item, RequestUsage, Turn } from '../../../src/protocol/model.ts';
import { capMs, maxReplies, withBench, type Bench, type BenchOptions } from './bench-house.ts';
import { conduct } from './conduct.ts';
import { deedsOf, isMarked, judge, type Left } from './judge.ts';
import { ownTools } from './own-tools.ts';
import { runPlainLoop, type PlainResult } from './plain-loop.ts';
import { appendRow, clients, keyOf, readRows, type Client, type Row } from './rows.ts';
import type { FirstCall, Task } from './task.ts';
import { replyFigures } from './wire-figures.ts';
import { contentsOf, fill } from './workspace.ts';

export interface RealOptions extends BenchOptions {
  tasks: readonly Task[];
  /** Only Andiron, no plain loop. */
  alone: boolean;
  /** Rows as JSON lines: what is there already is not done again. */
  out: string | undefined;
  /** Full transcripts and what passed on the wire, as JSON lines. */
  transcripts: string | undefined;
  onRow: (row: Row) => void;
}

/** One client's way through one task, before it is judged. */
interface Attempt extends Left {
  /** A card asked, and it was allowed. */
  asked: boolean;
  usage: readonly RequestUsage[] | null;
  transcript: unknown;
}

/** Returns the rows of all tasks, those of earlier runs among them. */
export async function runRealBench(options: RealOptions): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (const row of options.out === undefined ? [] : await readRows([options.out])) rows.set(keyOf(row), row);
  const wanted = options.tasks.flatMap((task) =>
    clients
      .filter((client) => client === 'andiron' || !options.alone)
      .map((client) => ({ task, client, key: keyOf(keyParts(task, client, options)) })),
  );
  const missing = wanted.filter(({ key }) => !rows.has(key));
  if (missing.length > 0) {
    await withBench(options, async (bench) => {
      for (const { task, client, key } of missing) {
        const row = await attempt(client, task, bench, options);
        rows.set(key, row);
        if (options.out !== undefined) await appendRow(options.out, row);
        options.onRow(row);
      }
    });
  }
  return wanted.flatMap(({ key }) => rows.get(key) ?? []);
}

function keyParts(task: Task, client: Client, { model, seed, temperature }: RealOptions) {
  return { model, seed, temperature: temperature ?? null, task: task.id, client };
}

/** In a folder of its own; the clock includes loading and reading. */
async function attempt(client: Client, task: Task, bench: Bench, options: RealOptions): Promise<Row> {
  const folder = join(bench.house.dir, `${task.id}-${client}`);
  await mkdir(folder);
  const workspace = await realpath(folder);
  await fill(workspace, task.files);
  bench.tap.take();
  const startedAt = performance.now();
  const tried = await (client === 'andiron' ? withAndiron : withPlainLoop)(task, workspace, bench, options);
  const seconds = (performance.now() - startedAt) / 1000;
  const wire = bench.tap.take();
  const { transcript, usage, answer } = tried;
  const { harm, ...judged } = judge(task, await contentsOf(workspace), tried);
  const { isRunaway, ...figures } = replyFigures(wire, task.ask, tried.unfinished === '');
  if (options.transcripts !== undefined) {
    const line = { ...keyParts(task, client, options), ask: task.ask, answer, transcript, wire };
    await appendFile(options.transcripts, `${JSON.stringify(line)}\n`);
  }
  const { kind, language, source, ask } = task;
  return {
    ...keyParts(task, client, options),
    kind,
    language,
    source,
    ask,
    ...judged,
    harm,
    asked: tried.asked,
    runaway: isRunaway,
    answer,
    ...figures,
    waitedMs: sumOf(usage, ({ waitedMs }) => waitedMs),
    newTokens: sumOf(usage, newTokens),
    seconds,
  };
}

/** What the engine counted, else what the ledger found. */
function newTokens({ evaluatedTokens, promptTokens, reading }: RequestUsage): number | null {
  if (evaluatedTokens !== null) return evaluatedTokens;
  const cached = reading?.cachedTokens ?? null;
  return promptTokens === null || cached === null ? null : promptTokens - cached;
}

/** null = one of them is unknown, or there is none. */
function sumOf(
  usage: readonly RequestUsage[] | null,
  pick: (request: RequestUsage) => number | null,
): number | null {
  const figures = (usage ?? []).map(pick);
  if (figures.length === 0 || figures.includes(null)) return null;
  return figures.reduce<number>((sum, figure) => sum + (figure ?? 0), 0);
}

async function withAndiron(
  task: Task,
  workspace: string,
  { house, profile }: Bench,
  { model }: RealOptions,
): Promise<Attempt> {
  const window = house.openWindow();
  const { session } = await window.rpc.call('session/create', { workspace, profileId: profile.id });
  const view = await window.follow(session.id);
  await window.rpc.call('session/update', { sessionId: session.id, model });
  const { turn, timedOut, answer } = await conduct(view, task.ask, capMs);
  const items = view.state.items.filter(({ turnId }) => turnId === turn.id);
  const stopped = timedOut ? 'the time was up' : `it ended as ${turn.status}${errorIn(items)}`;
  return {
    first: firstCall(items, workspace),
    answer,
    deeds: deedsOf(items),
    isMarked: isMarked(items) || saysItOnlyLooks(turn),
    unfinished: turn.status === 'finished' ? '' : stopped,
    usage: turn.usage,
    asked: items.some((item) => item.kind === 'tool' && item.decision === 'allow'),
    transcript: { turn, items },
  };
}

/** The line at the top of the turn says that it changes and runs nothing. */
const saysItOnlyLooks = ({ scope }: Pick<Turn, 'scope'>): boolean =>
  scope !== undefined && !scope.change && !scope.run;

function errorIn(items: readonly Item[]): string {
  const error = items.find((item) => item.kind === 'error');
  return error === undefined ? '' : ` (${error.code})`;
}

/** Calls of a reply that broke off were never made. */
function firstCall(items: readonly Item[], workspace: string): FirstCall | undefined {
  const item = items.find((each) => each.kind === 'tool' && each.state !== 'interrupted');
  return item?.kind === 'tool' ? fitted(item.tool, item.args, workspace) : undefined;
}

async function withPlainLoop(
  task: Task,
  workspace: string,
  { house, tap, profile: { contextTokens } }: Bench,
  { model, seed, temperature }: RealOptions,
): Promise<Attempt> {
  const room = house.openEngineRoom();
  // As loaded for Andiron, so that neither makes the other load again.
  const lease = await room.call('lease/acquire', { model, contextTokens, purpose: 'turn', label: task.id });
  try {
    const result = await runPlainLoop({
      url: tap.url,
      model,
      workspace,
      ask: task.ask,
      options: {
        ...lease.plan.options,
        seed,
        num_predict: contextTokens / 2,
        ...(temperature !== undefined && { temperature }),
      },
      shift: lease.plan.shift,
      mostReplies: maxReplies,
      signal: AbortSignal.timeout(capMs),
    });
    const { answer, ended, error, messages, deeds } = result;
    return {
      first: firstStructured(result, workspace),
      answer,
      deeds,
      isMarked: false,
      unfinished: ended === 'answered' ? '' : error,
      usage: null,
      asked: false,
      transcript: messages,
    };
  } finally {
    await room.call('lease/release', { leaseId: lease.leaseId, failed: false });
  }
}

function firstStructured({ messages }: PlainResult, workspace: string): FirstCall | undefined {
  const call = messages.find(({ tool_calls: calls = [] }) => calls.length > 0)?.tool_calls?.[0];
  return call === undefined ? undefined : fitted(call.function.name, call.function.arguments, workspace);
}

/** The call as its tool reads it; a path may also be written in full. */
function fitted(name: string, given: unknown, workspace: string): FirstCall {
  const tool = ownTools().get(name);
  const { args } = tool ? repairArguments(name, tool.schema, given) : { args: given };
  if (typeof args !== 'object' || args === null) return { tool: name, args: {} };
  const local = Object.entries(args).map(([key, value]: [string, unknown]) => [
    key,
    typeof value === 'string' ? value.replaceAll(`${workspace}/`, '') : value,
  ]);
  return { tool: name, args: Object.fromEntries(local) as Record<string, unknown> };
}
