import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Item } from '../../protocol/model.ts';
import type { ContextMessage } from '../providers/provider.ts';
import type { Store } from './store.ts';
import type { StoreFolder } from './testing.ts';
import { storeFolder, summary, textItem, toolItem, turn } from './testing.ts';

let folder: StoreFolder;
let store: Store;
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
  store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
  store.saveTurn('s', turn());
});
afterEach(() => folder.remove());

const call = (id: string) => ({ id, name: 'run_command', args: {} });
const snapshot = () => store.loadSnapshot('s', 100);
const notice = (): Item | undefined => snapshot()?.items.find(({ kind }) => kind === 'error');

describe('after a crash', () => {
  test('the turn is interrupted and closed, its session idle, and a second start finds nothing', () => {
    expect(store.markInterrupted(9)).toEqual([{ sessionId: 's', turnId: 't', ran: 0, unknown: 0 }]);
    expect(snapshot()?.turns[0]).toEqual(
      turn({ status: 'interrupted', phase: null, phaseSince: null, endedAt: 9, closed: true }),
    );
    expect(snapshot()?.session.status).toBe('idle');
    expect(store.markInterrupted(10)).toEqual([]);
  });

  test('what was open is cut and keeps its text', () => {
    store.saveItem('s', textItem(0, { text: 'Half a sen', completedAt: null }));
    store.saveItem('s', toolItem(1, { state: 'running', completedAt: null, output: 'so far', result: '' }));
    store.saveItem('s', toolItem(2));
    store.markInterrupted(9);
    expect(snapshot()?.items.slice(0, 3)).toEqual([
      textItem(0, { text: 'Half a sen', completedAt: 9, cut: true }),
      toolItem(1, {
        state: 'interrupted',
        completedAt: 9,
        cut: true,
        output: 'so far',
        result: 'interrupted; it may have run',
      }),
      toolItem(2),
    ]);
  });

  test('a subagent ends with its parent: its card says so, and its words are not the answer of the parent', () => {
    const agent = {
      id: 'subagent_0',
      profileId: 'developer',
      model: 'm',
      task: 'look',
      state: 'running' as const,
      stopReason: null,
      iterations: 1,
      toolCalls: 1,
      outputTokens: null,
      startedAt: 1,
      endedAt: null,
    };
    store.appendContext('s', [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '', thinking: '', calls: [call('c1')] },
    ]);
    store.saveItem('s', toolItem(0, { state: 'running', completedAt: null, agent }));
    store.saveItem('s', textItem(1, { text: 'I look', completedAt: null, parentCallId: 'c1' }));
    store.saveItem('s', toolItem(2, { state: 'running', completedAt: null, parentCallId: 'c1' }));
    store.markInterrupted(9);
    expect(snapshot()?.items.slice(0, 3)).toMatchObject([
      { state: 'interrupted', agent: { state: 'ended', stopReason: 'failed', endedAt: 9, iterations: 1 } },
      { text: 'I look', cut: true, completedAt: 9 },
      { state: 'interrupted', completedAt: 9, result: 'interrupted; it may have run' },
    ]);
    expect(store.readContext('s').at(-1)?.content).toBe('I was interrupted before I could finish.');
  });

  test('the person is told how many calls ran and how many nobody knows of', () => {
    store.appendContext('s', [{ role: 'user', content: 'go' }]);
    for (const callId of ['c1', 'c2', 'c3', 'c4']) {
      store.recordIntent('s', { callId, turnId: 't', tool: 'x', args: {}, at: 1 });
      if (callId !== 'c4') store.recordResult('s', { callId, ok: callId === 'c1', result: '', at: 2 });
    }
    expect(store.markInterrupted(9)).toMatchObject([{ ran: 3, unknown: 1 }]);
    expect(notice()).toMatchObject({
      code: 'interrupted',
      message: expect.stringContaining('3 ran, 1 unknown') as string,
    });
  });

  test('a call whose id an earlier turn had counts for the turn that made it last', () => {
    store.appendContext('s', [{ role: 'user', content: 'go' }]);
    store.recordIntent('s', { callId: 'c0', turnId: 'an earlier one', tool: 'x', args: {}, at: 1 });
    store.recordResult('s', { callId: 'c0', ok: true, result: '', at: 2 });
    store.recordIntent('s', { callId: 'c0', turnId: 't', tool: 'x', args: {}, at: 3 });
    expect(store.markInterrupted(9)).toMatchObject([{ ran: 0, unknown: 1 }]);
  });

  test('X12 a: the model reads exactly one result per call, then an answer', () => {
    store.appendContext('s', [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '', thinking: '', calls: [call('c1'), call('c2')] },
    ]);
    store.appendContext('s', [{ role: 'tool', callId: 'c1', tool: 'run_command', content: 'exit code: 0' }]);
    store.markInterrupted(9);
    expect(store.readContext('s').map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: go',
      'assistant: ',
      'tool: exit code: 0',
      'tool: interrupted; it may have run',
      'assistant: I was interrupted before I could finish.',
    ]);
    expect(() =>
      store.appendContext('s', [{ role: 'tool', callId: 'c2', tool: 'run_command', content: 'late' }]),
    ).toThrow('waits for no result');
  });

  test('what was known of a call before it ran stands before the result that never came, and never after one that did', () => {
    store.appendContext('s', [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '', thinking: '', calls: [call('c1'), call('c2')] },
    ]);
    store.writePlaceholder('s', 'c1', 'It was changed.\n');
    store.writePlaceholder('s', 'c2', 'It was changed.\n');
    store.appendContext('s', [{ role: 'tool', callId: 'c1', tool: 'run_command', content: 'exit code: 0' }]);
    store.writePlaceholder('s', 'c1', 'Too late.\n');
    store.markInterrupted(9);
    const results = store.readContext('s').filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toEqual([
      'exit code: 0',
      'It was changed.\ninterrupted; it may have run',
    ]);
  });

  test('the text that had come is kept as the answer', () => {
    store.appendContext('s', [{ role: 'user', content: 'go' }]);
    store.saveItem('s', textItem(0, { text: 'The answer is', completedAt: null }));
    store.markInterrupted(9);
    expect(store.readContext('s').at(-1)).toEqual({
      role: 'assistant',
      content: 'The answer is',
      thinking: '',
      calls: [],
    });
  });

  test('a compaction that the person asked for is closed without a message, and the context is as it was', () => {
    store.saveTurn('s', turn({ text: '' }));
    const before: ContextMessage[] = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'gone', thinking: '', calls: [] },
    ];
    store.appendContext('s', before);
    store.markInterrupted(9);
    expect(snapshot()?.items.map(({ kind }) => kind)).toEqual(['error']);
    expect(notice()).toMatchObject({ message: 'Andiron ended while this turn was running.' });
    expect(store.readContext('s')).toEqual(before);
  });

  test('a queued turn did not begin and stays queued', () => {
    store.saveTurn('s', turn({ id: 'waiting', status: 'queued' }));
    store.markInterrupted(9);
    expect(snapshot()?.turns.map(({ status }) => status)).toEqual(['interrupted', 'queued']);
  });

  test('a turn that had ended is closed as it ended, and nothing is said of it', () => {
    store.saveTurn('s', turn({ status: 'finished', phase: null, endedAt: 5 }));
    expect(store.markInterrupted(9)).toEqual([]);
    expect(snapshot()?.turns).toEqual([turn({ status: 'finished', phase: null, endedAt: 5, closed: true })]);
    expect(notice()).toBeUndefined();
  });

  test('no session works any more, whatever it was at, and a failure stays one', () => {
    for (const status of ['queued', 'running', 'asking', 'failed', 'idle'] as const) {
      store.createSession({
        summary: summary({ id: status, status }),
        workspaceReal: '/w',
        contextUsage: null,
      });
    }
    store.markInterrupted(9);
    const statuses = store.listSessions().map(({ id, status }) => `${id}: ${status}`);
    expect(statuses).toEqual([
      'asking: idle',
      'failed: failed',
      'idle: idle',
      'queued: idle',
      'running: idle',
      's: idle',
    ]);
  });

  test('Q4: a message that no log has yet is shown, and the person is told to send it again', () => {
    store.markInterrupted(9);
    expect(snapshot()?.items).toMatchObject([
      { kind: 'user', text: 'Do it', index: 0 },
      { kind: 'error', index: 1, advice: 'Send it again.' },
    ]);
    expect(store.readContext('s')).toEqual([]);
  });

  test('Q4: a message that the model has but nobody has seen is shown', () => {
    store.appendContext('s', [{ role: 'user', content: 'Do it' }]);
    store.markInterrupted(9);
    expect(snapshot()?.items).toMatchObject([
      { kind: 'user', text: 'Do it' },
      { kind: 'error', advice: 'Send a message to go on.' },
    ]);
  });

  test('the ids of what the person is shown begin as those of items (audit-A14)', () => {
    store.markInterrupted(9);
    expect(snapshot()?.items.map(({ id }) => id.split('_')[0])).toEqual(['item', 'item']);
  });

  test('a finished turn is left alone, an empty context stays empty', () => {
    store.saveTurn('s', turn({ status: 'finished' }));
    expect(store.markInterrupted(9)).toEqual([]);
    store.saveTurn('s', turn());
    store.markInterrupted(9);
    expect(store.readContext('s')).toEqual([]);
  });
});

/** One step of the loop as it reaches the context. */
type Step = { calls: number; settled: number; answer: boolean };

test('X12 a: wherever the loop dies, the history that is left is valid', () => {
  const step = fc.record({ calls: fc.nat(3), settled: fc.nat(3), answer: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), fc.nat(40), (steps, diesAfter) => {
      const id = `s${String(runs++)}`;
      store.createSession({ summary: summary({ id }), workspaceReal: '/w', contextUsage: null });
      store.saveTurn(id, turn({ id: `t${id}` }));
      for (const write of writes(steps).slice(0, diesAfter)) store.appendContext(id, write);
      store.markInterrupted(9);
      expect(mistakes(store.readContext(id))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

let runs = 0;

/** Batches in the order in which a loop commits them; a crash may fall between any two. */
function writes(steps: Step[]): ContextMessage[][] {
  const batches: ContextMessage[][] = [[{ role: 'user', content: 'go' }]];
  for (const [index, { calls, settled, answer }] of steps.entries()) {
    const ids = Array.from({ length: calls }, (_, call) => `c${String(index)}-${String(call)}`);
    batches.push([{ role: 'assistant', content: 'x', thinking: '', calls: ids.map(call) }]);
    for (const callId of ids.slice(0, settled)) {
      batches.push([{ role: 'tool', callId, tool: 'run_command', content: 'ok' }]);
    }
    if (calls === 0 && answer) batches.push([{ role: 'user', content: 'more' }]);
  }
  return batches;
}

/** What is wrong with it for a model's template; empty = nothing. */
function mistakes(context: ContextMessage[]): string[] {
  const found: string[] = [];
  const waiting: string[] = [];
  for (const [index, message] of context.entries()) {
    const before = context[index - 1]?.role;
    if (message.role === 'tool') {
      if (waiting.shift() !== message.callId) found.push(`result ${message.callId} out of place`);
      continue;
    }
    if (waiting.length > 0) found.push(`no result for ${waiting.join()}`);
    if (message.role === 'user' && before !== undefined && before !== 'assistant')
      found.push(`user after ${before}`);
    if (message.role === 'assistant') waiting.push(...message.calls.map(({ id }) => id));
  }
  const last = context.at(-1)?.role ?? 'assistant';
  return last === 'assistant' && waiting.length === 0 ? found : [...found, `ends with ${last}`];
}
