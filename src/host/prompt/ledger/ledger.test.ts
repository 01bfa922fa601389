import { describe, expect, test } from 'vitest';
import type { RunnerSlot } from '../../../protocol/engine-room.ts';
import type { ContextMessage, PromptHead } from '../../providers/provider.ts';
import { createLedger, type Ledger, type LedgerRequest, type MemoryKind } from './ledger.ts';

const words = (count: number, word: string): string => Array<string>(count).fill(word).join(' ');
const head: PromptHead = { system: words(200, 'careful'), tools: [] };
const question: ContextMessage = { role: 'user', content: words(80, 'question') };
const answer: ContextMessage = { role: 'assistant', content: words(40, 'answer'), thinking: '', calls: [] };
const next: ContextMessage = { role: 'user', content: words(60, 'further') };

const open = (memory: MemoryKind = { kind: 'full' }, besideTokens: number | null = null): Ledger =>
  createLedger({
    ownSessions: new Set(['check']),
    factsOf: () => ({ memory, besideTokens, batch: 512, context: 8192, card: undefined, native: false }),
  });

const request = (messages: ContextMessage[], more: Partial<LedgerRequest> = {}): LedgerRequest => ({
  session: 'one',
  model: 'm',
  purpose: 'main',
  head,
  messages,
  history: { echoThinking: true, textBesideCall: true },
  think: undefined,
  day: '2026-11-22',
  ...more,
});

const counted = (promptTokens: number, cachedTokens: number | null, loadMs: number | null = null) => ({
  counters: { promptTokens, cachedTokens, outputTokens: 41, promptMs: null, outputMs: null, loadMs },
  reply: answer,
});

const timed = (promptTokens: number, promptMs: number) => ({
  ...counted(promptTokens, null),
  counters: { ...counted(promptTokens, null).counters, promptMs },
});

/** A first question of 600 tokens with an answer of 40 behind it. */
function begun(memory?: MemoryKind, besideTokens?: number): Ledger {
  const ledger = open(memory, besideTokens);
  ledger.sent('first', request([question]));
  ledger.answered('first', counted(600, 0));
  return ledger;
}

const grown = [question, answer, next];

describe('the ledger', () => {
  test.each([
    ['another conversation', 'two', { cause: 'cache_evicted', owner: 'engine' }],
    ['a question of Andiron’s own', 'check', { cause: 'own_question', owner: 'andiron' }],
  ])('names who had the only slot in between: %s', (_, session, blamed) => {
    const ledger = begun(undefined, 0);
    const other = { ...head, system: words(300, 'other') };
    ledger.sent('between', request([next], { session, head: other }));
    ledger.answered('between', counted(700, 0));
    const { cause, owner } = ledger.sent('next', request(grown));
    expect({ cause, owner }).toEqual(blamed);
  });

  test('predicts that a prompt that only grew finds all that was read and written, and blames nothing', () => {
    const ledger = begun();
    const prediction = ledger.sent('next', request(grown));
    expect(prediction).toMatchObject({ cached: 640, reread: 0, cause: null });
    const { reading } = ledger.answered('next', counted(760, 640));
    expect(reading).toMatchObject({ cachedTokens: 640, newTokens: 120, rereadTokens: 0, cause: null });
    expect(reading.settledBy).toBe('engine');
  });

  test('takes the time that even the shortest prompt needs for no sign of a re-read', () => {
    const ledger = open();
    ledger.reloaded('m', { by: 'andiron', reason: 'It was loaded.' });
    ledger.sent('first', request([question]));
    ledger.answered('first', timed(6_000, 600));
    ledger.sent('next', request(grown));
    const { reading } = ledger.answered('next', timed(6_160, 40));
    expect(reading).toMatchObject({ settledBy: 'duration', cachedTokens: 6_040, cause: null });
  });

  test.each([
    ['a part of the prompt', 250, { settledBy: 'prediction', cachedTokens: null, cause: null }],
    ['more than the whole prompt', 2_000, { settledBy: 'prediction', cachedTokens: null, cause: null }],
    ['the whole prompt', 616, { settledBy: 'duration', cachedTokens: 0, cause: 'unknown' }],
  ])(
    'takes the time of %s for a loss only where all is lost: a busy machine is slow',
    (_, promptMs, said) => {
      const ledger = open();
      ledger.reloaded('m', { by: 'andiron', reason: 'It was loaded.' });
      ledger.sent('first', request([question]));
      ledger.answered('first', timed(6_000, 600));
      ledger.sent('next', request(grown));
      expect(ledger.answered('next', timed(6_160, promptMs)).reading).toMatchObject(said);
      const last: ContextMessage = { role: 'user', content: words(60, 'last') };
      ledger.sent('after', request([...grown, answer, last]));
      expect(ledger.answered('after', timed(6_320, 20)).reading).toMatchObject({ cause: null });
    },
  );

  test('takes what the runner found for a count as soon as it says so', () => {
    const ledger = begun();
    ledger.sent('next', request(grown));
    const slot: RunnerSlot = {
      id: 0,
      taskId: 1,
      isProcessing: true,
      promptTokens: 600,
      processedTokens: 0,
      cachedTokens: 600,
      decodedTokens: 0,
    };
    const { reading } = ledger.answered('next', { ...counted(760, null), slot });
    expect(reading).toMatchObject({ settledBy: 'runner', cachedTokens: 600 });
  });

  test('learns no speed from a prompt that an engine it did not load may have had in its cache', () => {
    const ledger = open();
    ledger.sent('first', request([question]));
    ledger.answered('first', timed(6_000, 10));
    ledger.sent('next', request(grown));
    const { reading } = ledger.answered('next', timed(6_160, 400));
    expect(reading).toMatchObject({ settledBy: 'prediction', cachedTokens: 6_040, cause: null });
  });

  test('names a changed system text, whose it is and where the prompts part', () => {
    const ledger = begun();
    const other = { ...head, system: head.system.replace('careful', 'careless') };
    const prediction = ledger.sent('next', request(grown, { head: other }));
    expect(prediction).toMatchObject({ cause: 'head_changed', owner: 'andiron' });
    expect(prediction.parting?.after).toContain('careless');
  });

  test('takes a change that the person asked for as their choice', () => {
    const ledger = begun();
    ledger.announce('one', { by: 'person', detail: 'You edited your message.' });
    const edited: ContextMessage = {
      role: 'user',
      content: `${words(30, 'question')} other ${words(50, 'question')}`,
    };
    const prediction = ledger.sent('next', request([edited, answer, next]));
    expect(prediction).toMatchObject({
      cause: 'persons_choice',
      owner: 'person',
      detail: 'You edited your message.',
    });
  });

  test('takes a load that a choice of the person made needful as that choice, and no other load (audit-U4)', () => {
    for (const reloads of [true, false]) {
      const ledger = begun();
      ledger.announce('one', { by: 'person', detail: 'You chose another model.', reloads });
      ledger.reloaded('m', { by: 'andiron', reason: 'Andiron loaded m.' });
      const owner = reloads ? 'person' : 'andiron';
      expect(ledger.sent('next', request(grown))).toMatchObject({ cached: 0, owner });
    }
    const ledger = begun();
    ledger.announce('one', { by: 'person', detail: 'You chose another model.', reloads: true });
    ledger.reloaded('m', { by: 'other_program', reason: 'By a client on /v1.' });
    expect(ledger.sent('next', request(grown))).toMatchObject({ owner: 'other_program' });
  });

  test('names whoever reloaded the model', () => {
    const ledger = begun();
    ledger.reloaded('m', { by: 'other_program', reason: 'By a client on /v1.' });
    const prediction = ledger.sent('next', request(grown));
    expect(prediction).toMatchObject({ cached: 0, cause: 'reload', owner: 'other_program' });
  });

  test('takes an absent count for unknown and never for none: the prediction stands', () => {
    const ledger = begun();
    ledger.sent('next', request(grown));
    const { reading } = ledger.answered('next', counted(760, null));
    expect(reading).toMatchObject({ cachedTokens: 640, cause: null, settledBy: 'prediction' });
  });

  test('says unknown when less was found than is held and nothing tells why', () => {
    const ledger = begun();
    ledger.sent('next', request(grown));
    const { reading } = ledger.answered('next', counted(760, 0));
    expect(reading).toMatchObject({ cause: 'unknown', owner: null });
  });

  test('sees another program by what an idle slot holds', () => {
    const ledger = begun({ kind: 'full' }, 100);
    const slot: RunnerSlot = {
      id: 0,
      taskId: 7,
      isProcessing: false,
      promptTokens: 3000,
      processedTokens: 3000,
      cachedTokens: 0,
      decodedTokens: 1,
    };
    ledger.saw('m', [slot]);
    ledger.sent('next', request(grown));
    const { reading } = ledger.answered('next', counted(760, 0));
    expect(reading).toMatchObject({ cause: 'other_program', owner: 'other_program' });
  });

  test('keeps of a stopped prompt what the runner had read of it', () => {
    const ledger = begun();
    ledger.sent('stopped', request(grown));
    const slot: RunnerSlot = {
      id: 0,
      taskId: 2,
      isProcessing: true,
      promptTokens: 700,
      processedTokens: 60,
      cachedTokens: 640,
      decodedTokens: 0,
    };
    const stop = { slot, opened: false, outputTokens: 0, elapsedMs: 80 };
    expect(ledger.stopped('stopped', stop).reading).toMatchObject({ cachedTokens: 640, settledBy: 'runner' });
    expect(ledger.predict(request(grown))).toMatchObject({ cached: 700, cause: null });
  });

  test('goes back to a checkpoint where the memory cannot be rewound', () => {
    const ledger = begun({ kind: 'recurrent' });
    const aside: ContextMessage = { role: 'user', content: words(90, 'title') };
    ledger.sent('side', request([question, answer, aside], { purpose: 'side' }));
    ledger.answered('side', counted(790, 640));
    ledger.sent('next', request(grown));
    const { reading } = ledger.answered('next', counted(760, 596));
    expect(reading).toMatchObject({ cause: 'checkpoint', owner: 'engine' });
  });

  test('switches warm-ups off after one that was read again, until one proves itself', () => {
    const ledger = open({ kind: 'recurrent' });
    ledger.sent('warm', request([], { purpose: 'warm' }));
    ledger.answered('warm', { counters: { ...counted(500, 0).counters, outputTokens: 1 } });
    ledger.sent('first', request([question]));
    expect(ledger.answered('first', counted(600, 0)).wastedWarmUp).toBe(500);
    const tries = Array.from({ length: 8 }, () => ledger.mayWarm('m'));
    expect(tries.filter(Boolean)).toHaveLength(1);
  });
});
