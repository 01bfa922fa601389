/**
 * One question in the whole app on a real engine, with its functions as the tools of a server: nothing else is in the
 * profile. The first call is allowed, and the server answers with what it was called with.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { notMade } from '../../../../src/host/loop/calls/found-tools.ts';
import { openSandboxForTests } from '../../../helpers/mcp/mcp-world.ts';
import type { ToolItem } from '../../../../src/protocol/model.ts';
import type { SessionView } from '../../../helpers/host-world.ts';
import { capMs, withBench, type Bench, type BenchOptions } from '../bench-house.ts';
import { listedTool, type MadeCall } from './function-tools.ts';
import type { PublicQuestion } from './sets.ts';

const server = 'functions';
const serverPath = fileURLToPath(new URL('../../../helpers/mcp/catalogue-server.ts', import.meta.url));

/** What came of a question: a call, an answer without one, or neither. */
export interface Reaction {
  call: MadeCall | null;
  /** The turn ended with an answer. */
  hasAnswered: boolean;
  /** Code of the error with which it ended; null = with none. */
  error: string | null;
}

/** Rejects only for faults of Andiron; one of the engine or the model is a reaction without call and answer. */
export type Ask = (question: PublicQuestion) => Promise<Reaction>;

export function withAsker<Result>(
  options: BenchOptions,
  use: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  return withBench({ ...options, sandbox: openSandboxForTests }, async (bench) => {
    const changes = { tools: ['tool_search', 'tool_call'] };
    await bench.house.openWindow().rpc.call('profile/update', { profileId: bench.profile.id, changes });
    return use((question) => askOne(question, bench, options.model));
  });
}

async function askOne(question: PublicQuestion, { house, profile }: Bench, model: string): Promise<Reaction> {
  const { rpc } = house.openWindow();
  const list = join(house.dir, 'functions.json');
  await writeFile(list, JSON.stringify(question.functions.map(listedTool)));
  const entry = { command: process.execPath, args: [serverPath, list] };
  await rpc.call('mcp/add', { text: JSON.stringify({ mcpServers: { [server]: entry } }) });
  try {
    const view = await house.openSession(profile.id);
    await view.rpc.call('session/update', { sessionId: view.sessionId, model });
    return await reactionTo(question.text, view);
  } finally {
    await rpc.call('mcp/remove', { name: server });
  }
}

/** As the server got it. */
function madeCall({ result }: ToolItem): MadeCall | null {
  const [, name = '', text = ''] = /^(\S+) (\{.*\})$/su.exec(result.split('\n', 1)[0] ?? '') ?? [];
  const args = text === '' ? undefined : z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).data;
  return args ? { name, args } : null;
}

const ended: ReadonlySet<ToolItem['state']> = new Set(['done', 'failed', 'interrupted']);

async function reactionTo(text: string, view: SessionView): Promise<Reaction> {
  const turnId = await view.send(text);
  const { rpc, sessionId } = view;
  const calls = () => view.items('tool').filter(({ tool }) => tool === 'tool_call');
  const isClosed = (): boolean => view.turn(turnId)?.closed === true;
  const stop = () => rpc.call('turn/stop', { sessionId, turnId }).catch(() => undefined);
  const cap = setTimeout(() => void stop(), capMs);
  try {
    await view.until(() => isClosed() || calls().some(({ state }) => state === 'awaiting_approval'));
    const asked = calls().find(({ state }) => state === 'awaiting_approval');
    if (asked?.approval)
      await rpc.call('approval/answer', { sessionId, approvalId: asked.approval.id, decision: 'allow' });
    const isOver = ({ id, state }: ToolItem): boolean => id === asked?.id && ended.has(state);
    await view.until(() => isClosed() || calls().some(isOver));
  } finally {
    clearTimeout(cap);
  }
  // Refused where it is over.
  await stop();
  const turn = await view.closed(turnId);
  const error = view.items('error').find((item) => item.turnId === turnId)?.code ?? null;
  const done = calls().find(({ state }) => state === 'done');
  const call = done ? madeCall(done) : null;
  // A call that the server's schema does not take is one all the same.
  const hasTried = calls().some(({ result }) => !result.startsWith(notMade.content));
  return { call, hasAnswered: !hasTried && turn.status === 'finished', error };
}
