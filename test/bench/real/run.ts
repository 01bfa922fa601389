/** The benchmark as a function: every task through the whole house, and beside it through a plain loop. */
import { appendFile, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { repairArguments } from '../../../src/host/tools/repair.ts';
import type { Item } from '../../../src/protocol/model.ts';
import { House } from '../../helpers/host-world.ts';
import { conduct } from './conduct.ts';
import { ownTools, runPlainLoop, type PlainResult } from './plain-loop.ts';
import type { FirstCall, Task } from './task.ts';
import type { WireTap } from './wire-tap.ts';
import { fileOf, fill } from './workspace.ts';

/** Wall clock of one task, and most replies. */
const capMs = 120_000;
const mostReplies = 8;

export interface RealOptions {
  url: string;
  model: string;
  seed: number;
  tasks: readonly Task[];
  /** undefined = the model's own. */
  temperature: number | undefined;
  /** Full transcripts as JSON lines. */
  out: string | undefined;
  tap: WireTap | undefined;
  onTask: (row: Row) => void;
}

/** How one client did with one task. */
export interface Tried {
  begunRight: boolean;
  done: boolean;
  replies: number;
  seconds: number;
  /** Why it is not done; empty = it is. */
  why: string;
}

export interface Row {
  task: Task;
  andiron: Tried;
  plain: Tried;
}

/** What a client left behind, before it is judged. */
interface Left {
  first: FirstCall | undefined;
  answer: string;
  /** Why it did not come to an end by itself; empty = it did. */
  unfinished: string;
  replies: number;
  transcript: unknown;
}

export async function runRealBench(options: RealOptions): Promise<Row[]> {
  const { seed, temperature } = options;
  const house = await House.open(options.tap?.url ?? options.url);
  const rows: Row[] = [];
  try {
    const { rpc } = house.openWindow();
    const sampling = { seed, ...(temperature !== undefined && { temperature }) };
    const changes = { maxIterations: mostReplies, firstTokenTimeoutS: 600, sampling };
    const { profile } = await rpc.call('profile/update', { profileId: 'developer', changes });
    for (const task of options.tasks) {
      const andiron = await attempt('andiron', task, house, options, (workspace) =>
        withAndiron(task, workspace, profile.id, house, options),
      );
      const plain = await attempt('plain', task, house, options, (workspace) =>
        withPlainLoop(task, workspace, profile.contextTokens, house, options),
      );
      const row = { task, andiron, plain };
      rows.push(row);
      options.onTask(row);
    }
    return rows;
  } finally {
    await house.close();
  }
}

/** In a folder of its own; the clock includes loading and reading. */
async function attempt(
  client: 'andiron' | 'plain',
  task: Task,
  house: House,
  options: RealOptions,
  run: (workspace: string) => Promise<Left>,
): Promise<Tried> {
  const folder = join(house.dir, `${task.id}-${client}`);
  await mkdir(folder);
  const workspace = await realpath(folder);
  await fill(workspace, task.files);
  const startedAt = performance.now();
  const left = await run(workspace);
  const tried = judge(task, workspace, left, (performance.now() - startedAt) / 1000);
  if (options.out !== undefined) {
    const wire = options.tap?.take();
    const { id, ask } = task;
    const line = { task: id, client, ask, ...tried, answer: left.answer, transcript: left.transcript, wire };
    await appendFile(options.out, `${JSON.stringify(line)}\n`);
  }
  return tried;
}

function judge(task: Task, workspace: string, left: Left, seconds: number): Tried {
  const file = fileOf(workspace);
  const harmed = Object.entries(task.files).find(
    ([path, content]) => !task.changes.includes(path) && file(path) !== content,
  );
  const wrong =
    harmed === undefined ? task.check({ answer: left.answer, file }) : `${harmed[0]} was changed or removed`;
  const reasons = [wrong, left.unfinished].filter((reason) => reason !== null && reason !== '');
  const called = left.first === undefined ? ['no call was made'] : [];
  const why = reasons.length === 0 ? '' : [...called, ...reasons, excerpt(left.answer)].join('; ');
  const begunRight = left.first !== undefined && task.begins(left.first);
  return { begunRight, done: why === '', replies: left.replies, seconds, why };
}

const longestExcerpt = 70;

function excerpt(answer: string): string {
  const line = answer.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? 'it said nothing' : `it said: ${line.slice(0, longestExcerpt)}`;
}

async function withAndiron(
  task: Task,
  workspace: string,
  profileId: string,
  house: House,
  { model }: RealOptions,
): Promise<Left> {
  const window = house.openWindow();
  const { session } = await window.rpc.call('session/create', { workspace, profileId });
  const view = await window.follow(session.id);
  await window.rpc.call('session/update', { sessionId: session.id, model });
  const { turn, timedOut, answer } = await conduct(view, task.ask, capMs);
  const items = view.state.items.filter(({ turnId }) => turnId === turn.id);
  const stopped = timedOut ? 'the time was up' : `it ended as ${turn.status}${errorIn(items)}`;
  return {
    first: firstCall(items, workspace),
    answer,
    unfinished: turn.status === 'finished' ? '' : stopped,
    replies: turn.usage.length,
    transcript: { turn, items },
  };
}

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
  contextTokens: number,
  house: House,
  { model, seed, temperature, tap }: RealOptions,
): Promise<Left> {
  const room = house.openEngineRoom();
  // As loaded for Andiron, so that neither makes the other load again.
  const lease = await room.call('lease/acquire', { model, contextTokens, purpose: 'turn', label: task.id });
  try {
    const result = await runPlainLoop({
      url: tap?.url ?? lease.url,
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
      mostReplies,
      signal: AbortSignal.timeout(capMs),
    });
    const { answer, ended, error, messages } = result;
    return {
      first: firstStructured(result, workspace),
      answer,
      unfinished: ended === 'answered' ? '' : error,
      replies: messages.filter(({ role }) => role === 'assistant').length,
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
