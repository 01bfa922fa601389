/** Facts found by meaning, on a stand-in for the engine: each text gets the vector of its topic. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { passingClock, type PassingClock } from '../../../../test/helpers/passing-clock.ts';
import { yieldToOthers } from '../../../platform/event-loop.ts';
import { silentLog } from '../../../platform/log.ts';
import { AndironError } from '../../../protocol/errors.ts';
import type { EmbedAnswer } from '../../../protocol/engine-room.ts';
import type { EngineState } from '../../../protocol/model.ts';
import { ownerId } from '../../../protocol/principal.ts';
import { wordsOnly } from '../../../rules/choose-model.ts';
import type { Store } from '../../store/store.ts';
import { storeFolder, summary, type StoreFolder } from '../../store/testing.ts';
import { createPeople } from '../../people/people.ts';
import { createMemories, type Memories } from '../memories.ts';
import { createMeaning, type Meaning } from './meaning.ts';
import type { VectorEngine } from './embedding-model.ts';

/** What is said in different words about the same. */
const topics = [
  ['Helix', 'write code'],
  ['Oslo', 'live'],
  ['peanuts', 'ill'],
];
const dimensions = 100;

interface FakeEngine extends VectorEngine {
  models: string[];
  asked: { texts: readonly string[]; urgent: boolean }[];
  /** In place of a vector. */
  answer: ((signal: AbortSignal) => Promise<EmbedAnswer>) | null;
  isBusy: boolean;
  isRunning: boolean;
  changed(): void;
}

function fakeEngine(): FakeEngine {
  const places = new Map<string, number>();
  const listeners = new Set<() => void>();
  const placeOf = (text: string): number => {
    const topic = topics.findIndex((words) => words.some((word) => text.includes(word)));
    if (topic >= 0) return topic;
    if (!places.has(text)) places.set(text, topics.length + places.size);
    return places.get(text) ?? 0;
  };
  const fake: FakeEngine = {
    models: ['small'],
    asked: [],
    answer: null,
    isBusy: false,
    isRunning: true,
    changed: () => listeners.forEach((listener) => listener()),
    state: () =>
      ({
        status: fake.isRunning ? { kind: 'running' } : { kind: 'stopped' },
        lease: fake.isBusy ? {} : null,
        queue: [],
        loading: null,
        lent: null,
        models: fake.models.map((name) => ({
          name,
          digest: `of ${name}`,
          sizeBytes: name.length,
          capabilities: ['embedding'],
        })),
      }) as unknown as EngineState,
    onState(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async embed(_model, texts, urgent, signal) {
      fake.asked.push({ texts, urgent });
      if (fake.answer) return fake.answer(signal);
      const vectors = texts.map((text) =>
        Array.from({ length: dimensions }, (_, at) => (at === placeOf(text) ? 2 : 0)),
      );
      return { vectors, why: null, tokens: texts.length };
    },
  };
  return fake;
}

let folder: StoreFolder;
let store: Store;
let memories: Memories;
let guest: string;
let engine: FakeEngine;
let time: PassingClock;
let meaning: Meaning;
let counted: [model: string, tokens: number | null, sessionId: string | null][];
let changes: number;

const open = (): void => {
  meaning = createMeaning({
    store,
    engine,
    more: { hasAny: () => false, next: () => Promise.resolve(null) },
    clock: time.clock,
    log: silentLog,
    countTokens: (...each) => void counted.push(each),
    onChange: () => void (changes += 1),
  });
};
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
  engine = fakeEngine();
  time = passingClock();
  counted = [];
  changes = 0;
  let ids = 0;
  const deps = { store, clock: time.clock, newId: (prefix: string) => `${prefix}${String((ids += 1))}` };
  memories = createMemories({ ...deps, onChange: () => meaning.textsChanged() });
  const people = createPeople({ ...deps, onChange: () => undefined, onRights: () => undefined });
  guest = people.resolve({ platform: 'telegram', platformUserId: '1', name: 'Ann' }).id;
  for (const id of ['mine', 'hers'])
    store.createSession({ summary: summary({ id }), workspaceReal: '/w', contextUsage: null });
  store.setSpeaker('hers', guest);
  open();
});
afterEach(async () => {
  await meaning.close();
  folder.remove();
});

/** Everything that is due is done. */
async function rest(ms = 2_000): Promise<void> {
  time.pass(ms);
  for (let rounds = 0; rounds < 40; rounds += 1) {
    await yieldToOthers();
    time.pass(0);
  }
}
const save = (key: string, value: string, userId = ownerId): string =>
  memories.of(userId).save({ category: 'about', key, value }, null).fact.id;
const live = new AbortController().signal;
const near = async (text: string, sessionId = 'mine'): Promise<string[] | null> => {
  const found = await meaning.near(sessionId, text, live);
  return found && found.map(({ id }) => id);
};
/** Requests that only keep the model in memory. */
const loads = (): number => later().filter(({ length }) => length === 0).length;
const later = (): (readonly string[])[] =>
  engine.asked.flatMap(({ texts, urgent }) => (urgent ? [] : [texts]));
const kindOf = () => meaning.status(ownerId).problem?.kind;

test('a fact is found for a message in other words, and recalled with it (Y11)', async () => {
  const id = save('editor', 'Helix');
  save('city', 'Oslo');
  expect(meaning.near('mine', 'With what do I write code?', live)).toBeNull();
  await rest();
  expect(await near('With what do I write code?')).toEqual([id]);
  const found = await meaning.near('mine', 'With what do I write code?', live);
  const recalled = memories.of(ownerId).recall('With what do I write code?', found ?? []);
  expect(recalled.map(({ fact, by }) => [fact.value, by])).toEqual([['Helix', 'meaning']]);
});

test('a fact that words and meaning find comes before one that only one of them finds (Y11)', async () => {
  save('city', 'Oslo');
  save('editor', 'Helix');
  save('code', 'reviewed by two people');
  await rest();
  const message = 'Helix: is code what I write code with?';
  const found = await meaning.near('mine', message, live);
  const recalled = memories.of(ownerId).recall(message, found ?? []);
  expect(recalled.map(({ fact, by }) => [fact.key, by])).toEqual([
    ['editor', 'both'],
    ['code', 'words'],
  ]);
});

test("one person's facts are never near to another's message (X1, Y11)", async () => {
  const mine = save('editor', 'Helix');
  const hers = save('editor', 'Helix', guest);
  await rest();
  expect(await near('write code')).toEqual([mine]);
  expect(await near('write code', 'hers')).toEqual([hers]);
  memories.of(guest).forget(hers);
  expect(await near('write code', 'hers')).toBeNull();
  // Whatever it is given, a memory tells only its own.
  expect(memories.of(guest).recall('nothing', [{ id: mine, distance: 0 }])).toEqual([]);
});

test('a fact with other words is found by these, and a forgotten one no more', async () => {
  const id = save('place', 'Oslo');
  await rest();
  memories.of(ownerId).update(id, 'peanuts');
  await rest();
  expect(await near('Where do I live?')).toEqual([]);
  expect(await near('What makes me ill?')).toEqual([id]);
  memories.of(ownerId).forget(id);
  expect(meaning.near('mine', 'What makes me ill?', live)).toBeNull();
});

test('all vectors are made again with another model, and none of the old ones is compared with it', async () => {
  const id = save('editor', 'Helix');
  await rest();
  engine.models = ['small', 'larger'];
  meaning.choose('larger');
  expect(meaning.near('mine', 'write code', live)).toBeNull();
  await rest();
  expect(await near('write code')).toEqual([id]);
  expect(store.digestOfMost()).toBe('of larger');
  expect(() => meaning.choose('gone')).toThrow('not installed');
});

describe('the vector of a message', () => {
  test('a message waits 300 ms for its vector and then gets what words find', async () => {
    save('editor', 'Helix');
    await rest();
    engine.answer = () => new Promise(() => undefined);
    const waiting = near('write code');
    await yieldToOthers();
    time.pass(299);
    expect(await Promise.race([waiting, yieldToOthers().then(() => 'waits')])).toBe('waits');
    time.pass(1);
    expect(await waiting).toEqual([]);
  });

  test('a message that is stopped waits no longer for its vector', async () => {
    save('editor', 'Helix');
    await rest();
    engine.answer = () => new Promise(() => undefined);
    const stopping = new AbortController();
    const waiting = meaning.near('mine', 'write code', stopping.signal);
    stopping.abort(new Error('stopped'));
    expect(await waiting).toEqual([]);
  });

  test('a message gets what words find where the model is not in memory or the engine is gone', async () => {
    save('editor', 'Helix');
    await rest();
    engine.answer = () => Promise.resolve({ vectors: null, why: 'not_loaded', tokens: null });
    expect(await near('write code')).toEqual([]);
    engine.answer = () => Promise.reject(new AndironError('engine_unavailable', 'Gone.'));
    expect(await near('write code')).toEqual([]);
  });

  test('the vector of a message is counted for its session, those of facts for none', async () => {
    save('editor', 'Helix');
    await rest();
    expect(counted.every(([, , sessionId]) => sessionId === null)).toBe(true);
    await near('write code');
    expect(counted.at(-1)).toEqual(['small', 1, 'mine']);
  });
});

describe('vectors of facts', () => {
  test('a turn keeps vectors of facts from being made, and ends the request for them', async () => {
    save('editor', 'Helix');
    meaning.turns(1);
    await rest();
    expect(engine.asked).toEqual([]);
    meaning.turns(0);
    let wasAborted = false;
    engine.answer = (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          wasAborted = true;
          reject(signal.reason as Error);
        });
      });
    await rest();
    meaning.turns(1);
    await rest();
    expect(wasAborted).toBe(true);
    engine.answer = null;
    meaning.turns(0);
    await rest();
    expect(meaning.status(ownerId)).toMatchObject({ indexed: 1, total: 1, problem: null });
  });

  test('vectors of facts wait until nobody has the GPU', async () => {
    engine.isBusy = true;
    save('editor', 'Helix');
    await rest();
    expect(engine.asked).toEqual([]);
    engine.isBusy = false;
    engine.changed();
    await rest();
    expect(meaning.status(ownerId).indexed).toBe(1);
  });

  test('vectors of facts are made in small batches, however many there are', async () => {
    for (let n = 0; n < 30; n += 1) save(`fact ${String(n)}`, `value ${String(n)}`);
    await rest();
    await rest(0);
    expect(Math.max(...later().map(({ length }) => length))).toBeLessThanOrEqual(8);
    expect(meaning.status(ownerId)).toMatchObject({ indexed: 30, total: 30 });
  });

  test('vectors of facts go on where a host that ended left off', async () => {
    for (let n = 0; n < 20; n += 1) save(`fact ${String(n)}`, `value ${String(n)}`);
    let left = 9;
    const real = engine.embed.bind(engine);
    engine.embed = (...call) =>
      (left -= 1) < 0 ? Promise.reject(new AndironError('stream_cut', 'It broke.')) : real(...call);
    await rest();
    const { indexed } = meaning.status(ownerId);
    expect(indexed).toBeGreaterThan(0);
    expect(indexed).toBeLessThan(20);
    await meaning.close();
    engine.embed = real;
    engine.asked.length = 0;
    open();
    meaning.textsChanged();
    await rest();
    expect(meaning.status(ownerId).indexed).toBe(20);
    expect(later().flat()).toHaveLength(20 - indexed);
  });

  test('vectors that failed are tried again after a minute, and the reason is told until then', async () => {
    engine.answer = () => Promise.reject(new AndironError('engine_refused', 'Out of memory.'));
    save('editor', 'Helix');
    await rest();
    expect(meaning.status(ownerId).problem).toEqual({ kind: 'failed', text: 'Out of memory.' });
    engine.answer = null;
    await rest(60_000);
    expect(meaning.status(ownerId)).toMatchObject({ indexed: 1, problem: null });
  });

  test('vectors that fail again and again are tried ever more rarely', async () => {
    engine.answer = () => Promise.reject(new AndironError('engine_refused', 'Out of memory.'));
    save('editor', 'Helix');
    await rest();
    for (let minutes = 0; minutes < 60; minutes += 1) {
      // Turns in between are no reason to try sooner.
      meaning.turns(1);
      meaning.turns(0);
      await rest(60_000);
    }
    // After 1, 3, 7, 15 and 31 minutes.
    expect(engine.asked).toHaveLength(6);
  });

  test('the embedding model is kept in memory for half an hour after the last message', async () => {
    save('editor', 'Helix');
    await rest();
    const before = loads();
    for (let minutes = 0; minutes < 20; minutes += 2) await rest(120_000);
    expect(loads()).toBeGreaterThan(before + 5);
    for (let minutes = 0; minutes < 20; minutes += 2) await rest(120_000);
    const after = loads();
    await rest(600_000);
    expect(loads()).toBe(after);
    meaning.sessionOpened();
    await rest();
    expect(loads()).toBe(after + 1);
    for (let minutes = 0; minutes < 40; minutes += 2) await rest(120_000);
    const again = loads();
    await rest(600_000);
    expect(loads()).toBe(again);
    meaning.turns(1);
    meaning.turns(0);
    await rest();
    expect(loads()).toBe(again + 1);
  });

  test('no embedding model is loaded where there are no facts', async () => {
    await rest();
    await rest(600_000);
    expect(engine.asked).toEqual([]);
  });
});

describe('the status of meaning', () => {
  test.each([
    ['no model makes vectors', () => (engine.models = []), 'no_model'],
    ['Ollama does not run', () => (engine.isRunning = false), 'no_engine'],
    ['the person wants words alone', () => meaning.choose(wordsOnly), 'off'],
  ])('facts are found by words alone where %s', (_, change, kind) => {
    change();
    expect(kindOf()).toBe(kind);
    expect(meaning.near('mine', 'write code', live)).toBeNull();
  });

  test('a chosen model that is gone is told by its name', () => {
    meaning.choose('small');
    engine.models = ['other'];
    expect(meaning.status(ownerId).problem).toEqual({ kind: 'gone', text: 'small' });
  });

  test('a lack of room for the model is told, and tried again later', async () => {
    engine.answer = () => Promise.resolve({ vectors: null, why: 'no_place', tokens: null });
    save('editor', 'Helix');
    await rest();
    expect(kindOf()).toBe('no_place');
    engine.answer = null;
    await rest(600_000);
    expect(kindOf()).toBeUndefined();
  });

  test('windows are told once of another list of embedding models', async () => {
    save('editor', 'Helix');
    await rest();
    engine.changed();
    const before = changes;
    engine.changed();
    await rest();
    expect(changes).toBe(before);
    engine.models = ['small', 'other'];
    engine.changed();
    expect(changes).toBe(before + 1);
  });
});
