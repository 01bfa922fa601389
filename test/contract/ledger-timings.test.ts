/**
 * What the ledger predicts against what a real engine found (engine-truth/timings.json): the same conversation, the recorded
 * counts told back after each request. Made by engine-truth/tools/timings.py, whose words and moves these are.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { RereadCause } from '../../src/protocol/engine-room.ts';
import { createLedger, type LedgerRequest, type MemoryKind } from '../../src/host/prompt/ledger/ledger.ts';
import type { TemplateCard } from '../../src/host/prompt/card/card.ts';
import { makeCard } from '../../src/host/prompt/card/make-card.ts';
import { tellsMore, probes, type Render } from '../../src/host/prompt/card/probes.ts';
import type { ContextMessage, PromptHead } from '../../src/host/providers/provider.ts';
import type { FamilyName } from '../../src/sim/render/index.ts';
import { readRenders } from './records.ts';

const truth =
  process.env['ENGINE_TRUTH'] ?? fileURLToPath(new URL('../../../shared/engine-truth', import.meta.url));
const file = `${truth}/timings.json`;
const recorded = existsSync(file);
if (!recorded)
  process.stdout.write('ledger timings: skipped, there are no records of a real engine (set ENGINE_TRUTH)\n');

const rowSchema = z.object({
  prompt: z.number(),
  cached: z.number().optional(),
  evaluated: z.number().optional(),
  kept_tokens: z.number().optional(),
});
const keysSchema = z.record(z.string(), z.unknown());

interface Family {
  memory: MemoryKind;
  native: boolean;
  /** The card does not tell that even empty thoughts vanish at a new user message: it is learnt there. */
  learnsAt?: readonly string[];
  /** Whose renders its template's card is made from. */
  renders?: string;
}

const emptyThoughts = ['side_call_then_next_message.side', 'side_call_then_next_message.next'];

const families: Readonly<Record<string, Family>> = {
  'rnd-llama': { memory: { kind: 'full' }, native: true },
  q05: { memory: { kind: 'full' }, native: true },
  gemr: { memory: { kind: 'sliding', window: 512 }, native: false, renders: 'gemma4-small' },
  'rnd-lfm2': { memory: { kind: 'recurrent' }, native: true },
  'rnd-qwen35': {
    memory: { kind: 'recurrent' },
    native: true,
    renders: 'native-qwen3.5',
    learnsAt: emptyThoughts,
  },
  'rnd-qwen35r': {
    memory: { kind: 'recurrent' },
    native: false,
    renders: 'qwen3.5',
    learnsAt: emptyThoughts,
  },
};

const words = (
  'the house keeps a fire for whoever comes late and reads by its light while rain counts the tiles ' +
  'and a clock forgets its hour so that bread may rise under a cloth near the stove'
).split(' ');

function prose(count: number, seed: number): string {
  let x = seed * 7919 + 17;
  const out: string[] = [];
  for (let at = 0; at < count; at += 1) {
    x = (Math.imul(x, 1103515245) + 12345) & 0x7fffffff;
    out.push(words[x % words.length] ?? '');
  }
  return out.join(' ');
}

const tools: PromptHead['tools'] = Array.from({ length: 8 }, (_, at) => ({
  name: `tool_${at}`,
  description: prose(25, at),
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: prose(8, at + 50) },
      depth: { type: 'integer', description: prose(6, at + 90) },
    },
    required: ['path'],
  },
}));

const headOf = (seed: number): PromptHead => ({ system: `You are Andiron. ${prose(250, seed)}`, tools });
const user = (content: string): ContextMessage => ({ role: 'user', content });
const says = (content: string): ContextMessage => ({ role: 'assistant', content, thinking: '', calls: [] });

function recordedCard(name: string): TemplateCard | undefined {
  const recorded = readRenders(truth).family(name as FamilyName);
  const renders = new Map<string, Render>();
  for (const probe of probes.filter((each) => recorded.has(each.id))) {
    if (!tellsMore(probe, renders)) continue;
    const render = recorded.get(probe.id);
    if (typeof render === 'string') renders.set(probe.id, { prompt: render });
    else if (render) renders.set(probe.id, { refused: render.error });
  }
  return makeCard(renders);
}

interface Row {
  move: string;
  predicted: number;
  cached: number;
  prompt: number;
  cause: RereadCause | null;
}

/** Plays the moves of one model and gives what was predicted for each. */
function play(name: string, family: Family, record: unknown): Row[] {
  const rows: Row[] = [];
  const card = family.renders === undefined ? undefined : recordedCard(family.renders);
  const ledger = createLedger({
    factsOf: () => ({
      memory: family.memory,
      batch: 1024,
      context: 16_384,
      native: family.native,
      card,
      besideTokens: null,
    }),
  });
  const at = (path: string): z.infer<typeof rowSchema> => {
    let value: unknown = record;
    for (const key of path.split('.'))
      value = Array.isArray(value) ? value.at(Number(key)) : keysSchema.parse(value)[key];
    return rowSchema.parse(value);
  };
  const ask = (
    path: string,
    session: string,
    seed: number,
    messages: readonly ContextMessage[],
    purpose: LedgerRequest['purpose'] = 'main',
    outputTokens = 8,
  ): void => {
    const row = at(path);
    const cached = row.cached ?? row.prompt - (row.evaluated ?? Number.NaN);
    const history = { echoThinking: true, textBesideCall: true };
    const request = {
      session,
      model: name,
      purpose,
      head: headOf(seed),
      messages,
      history,
      think: undefined,
      day: '',
    };
    const { cached: predicted } = ledger.sent(path, request);
    const counters = {
      promptTokens: row.prompt,
      cachedTokens: cached,
      outputTokens,
      promptMs: null,
      outputMs: null,
      loadMs: null,
    };
    const { reading } = ledger.answered(path, { counters });
    rows.push({ move: path, predicted, cached, prompt: row.prompt, cause: reading.cause });
  };

  const question = user(`What is in this folder? ${prose(60, 3)}`);
  ask('warm_raw_then_first_message.warm', 'one', 1, [], 'warm', 1);
  ask('warm_raw_then_first_message.first', 'one', 1, [question]);
  ledger.reloaded(name, { by: 'andiron', reason: '' });
  ask('warm_chat_then_first_message.warm', 'two', 2, [user('Hi.')], 'side', 1);
  ask('warm_chat_then_first_message.first', 'two', 2, [question]);
  const log: ContextMessage[] = [question];
  for (let step = 0; step < 4; step += 1) {
    const id = `call_${step}`;
    log.push(
      {
        role: 'assistant',
        content: '',
        thinking: '',
        calls: [{ id, name: 'tool_1', args: { path: `src/file${step}.ts`, depth: step } }],
      },
      { role: 'tool', callId: id, tool: 'tool_1', content: prose(200, 10 + step) },
    );
    ask(`tool_loop.${step}`, 'two', 2, [...log]);
  }
  log.push(says('Done.'));
  ask(
    'side_call_then_next_message.side',
    'two',
    2,
    [...log, user('Write a title for this conversation.')],
    'side',
  );
  log.push(user(`Now change the second file. ${prose(40, 30)}`));
  ask('side_call_then_next_message.next', 'two', 2, [...log]);
  log.push(says(`Changed. ${prose(30, 31)}`));
  ask('rewarm_then_next_message.warm', 'two', 2, [...log], 'warm', 1);
  log.push(user(`And the third? ${prose(40, 32)}`));
  ask('rewarm_then_next_message.next', 'two', 2, [...log]);
  ask('other_conversation_and_back.other', 'nine', 9, [user(prose(1200, 40))]);
  log.push(says('Yes.'), user(`Go on. ${prose(30, 41)}`));
  ask('other_conversation_and_back.back', 'two', 2, [...log]);
  log[0] = user(question.content.replace('folder', 'directory'));
  ask('edit_of_first_message', 'two', 2, [...log]);
  ask('prefill_full', 'six', 6, [user(prose(7000, 51))], 'main', 1);

  const large = {
    session: 'five',
    model: name,
    purpose: 'main' as const,
    head: headOf(5),
    think: undefined,
    day: '',
    messages: [user(prose(7000, 50))],
    history: { echoThinking: true, textBesideCall: true },
  };
  const stop = at('cancel_in_prefill_then_same.cancel');
  const [cached, kept] = [stop.cached ?? 0, stop.kept_tokens ?? 0];
  ledger.sent('cancel', large);
  ledger.stopped('cancel', {
    slot: {
      id: 0,
      taskId: 1,
      isProcessing: true,
      promptTokens: kept,
      decodedTokens: Math.max(0, kept - stop.prompt),
      cachedTokens: cached,
      processedTokens: Math.min(kept, stop.prompt) - cached,
    },
    opened: false,
    outputTokens: Math.max(0, kept - stop.prompt + 1),
    elapsedMs: 1000,
  });
  const again = at('cancel_in_prefill_then_same.again');
  const { cached: predicted } = ledger.predict(large);
  const recordedAgain = { cached: again.cached ?? Number.NaN, prompt: again.prompt };
  rows.push({ move: 'cancel_in_prefill_then_same.again', predicted, ...recordedAgain, cause: null });
  return rows;
}

describe.skipIf(!recorded)('the ledger against a recorded engine', () => {
  const all = recorded ? keysSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  test.each(Object.entries(families))('%s', (name, family) => {
    const rows = play(name, family, all[name]);
    const known = rows.filter(({ move }) => family.learnsAt?.includes(move) !== true);
    for (const { move, predicted, cached } of known)
      expect
        .soft(Math.abs(predicted - cached), `${move}: ${predicted} predicted, ${cached} found`)
        .toBeLessThan(9);
    expect(rows).toHaveLength(17);
  });
});
