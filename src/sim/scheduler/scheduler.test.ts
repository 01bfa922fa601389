import { beforeEach, describe, expect, test } from 'vitest';

import { PromptCache } from '../cache/index.ts';
import { manualClock } from '../clock.ts';
import type { ManualClock } from '../clock.ts';
import { ModelStore } from '../models.ts';
import type { SimModel } from '../models.ts';
import { Runner } from '../runner/runner.ts';
import { Vocabulary } from '../runner/vocabulary.ts';
import { createTimeModel, seededRandom } from '../time/index.ts';
import { Truth } from '../truth/truth.ts';
import { FOREVER_MS } from '../wire/duration.ts';
import { resolveLaunch } from './launch.ts';
import { Scheduler } from './scheduler.ts';
import type { Lease, LoadFailure, SchedulerLimits } from './scheduler.ts';

const GIB = 2 ** 30;
const LOAD_MS = 1000;
const LIMITS: SchedulerLimits = { parallel: 1, maxLoaded: 0, maxQueue: 8, keepAliveMs: 60_000 };

let clock: ManualClock;
let truth: Truth;
let store: ModelStore;
let failure: LoadFailure | undefined;

beforeEach(() => {
  clock = manualClock();
  truth = new Truth(clock);
  failure = undefined;
  store = new ModelStore(
    ['a', 'b', 'c', 'd'].map((name) => ({
      name,
      blob: name,
      family: 'template-llama3.1' as const,
      bytes: GIB,
      kvBytesPerToken: 1024,
    })),
    clock.now(),
  );
});

function startScheduler(limits: Partial<SchedulerLimits> = {}, vram = 24 * GIB): Scheduler {
  const startRunner = (model: SimModel) =>
    Promise.resolve(
      new Runner({
        clock,
        truth,
        time: createTimeModel(model.time, seededRandom(1)),
        cache: new PromptCache({ memory: model.memory, numBatch: 512, bytesPerToken: 1 }),
        vocabulary: new Vocabulary(),
        contextTokens: 4096,
        shift: false,
      }),
    );
  return new Scheduler({
    clock,
    truth,
    limits: { ...LIMITS, ...limits },
    speed: 1,
    gpu: { totalBytes: vram, otherBytes: 0 },
    loadPlan: () => ({ ms: LOAD_MS, failure, offload: undefined }),
    startRunner,
  });
}

interface Asked {
  lease: Lease | undefined;
  error: string | undefined;
  close: () => void;
}

/** Asks for a model and keeps track of what came of it. */
function ask(
  scheduler: Scheduler,
  name: string,
  options: { numCtx?: number; keepAliveMs?: number } = {},
): Asked {
  const model = store.find(`${name}:latest`);
  if (model === undefined) throw new Error(name);
  const connection = new AbortController();
  const asked: Asked = { lease: undefined, error: undefined, close: () => connection.abort() };
  const launch = resolveLaunch(options.numCtx === undefined ? {} : { num_ctx: options.numCtx }, false, {
    numCtx: 4096,
    trainedContext: 8192,
  });
  void scheduler
    .acquire({ model, launch, keepAliveMs: options.keepAliveMs, signal: connection.signal })
    .then((result) => {
      if ('loaded' in result) asked.lease = result;
      else asked.error = result.error;
      return asked;
    });
  return asked;
}

const namesOf = (scheduler: Scheduler) => scheduler.loaded.map(({ model }) => model.name);

async function loaded(scheduler: Scheduler, name: string, keepAliveMs?: number): Promise<void> {
  const asked = ask(scheduler, name, keepAliveMs === undefined ? {} : { keepAliveMs });
  await clock.advance(LOAD_MS);
  asked.lease?.release();
  await clock.advance(0);
  expect(namesOf(scheduler)).toContain(`${name}:latest`);
}

describe('loading', () => {
  test('models load one at a time, in order of arrival', async () => {
    const scheduler = startScheduler();
    const [first, second] = [ask(scheduler, 'a'), ask(scheduler, 'b')];
    await clock.advance(LOAD_MS);
    expect([first.lease !== undefined, second.lease !== undefined]).toEqual([true, false]);
    await clock.advance(LOAD_MS);
    expect(second.lease).toBeDefined();
  });

  test('a request that closes takes its load with it; the next waiter starts from zero', async () => {
    const scheduler = startScheduler();
    const first = ask(scheduler, 'a');
    const second = ask(scheduler, 'a');
    await clock.advance(900);
    first.close();
    await clock.advance(LOAD_MS);
    expect(second.lease).toBeUndefined();
    await clock.advance(300);
    expect(second.lease).toBeDefined();
    expect(truth.loads.map((load) => load.outcome)).toEqual(['aborted', 'loaded']);
  });

  test('a second waiter that leaves does not disturb the load', async () => {
    const scheduler = startScheduler();
    const first = ask(scheduler, 'a');
    const second = ask(scheduler, 'a');
    await clock.advance(500);
    second.close();
    await clock.advance(500);
    expect(first.lease).toBeDefined();
    expect(truth.loads).toHaveLength(1);
  });

  test('memory is taken little by little while a model loads', async () => {
    const scheduler = startScheduler();
    ask(scheduler, 'a');
    await clock.advance(LOAD_MS / 2);
    const half = scheduler.vramInUse;
    await clock.advance(LOAD_MS / 2);
    expect(scheduler.vramInUse / half).toBeCloseTo(2, 5);
  });

  test('a failing load tells why; out of memory is tried once more with less context', async () => {
    const scheduler = startScheduler();
    failure = { kind: 'exit', text: 'no such architecture' };
    const broken = ask(scheduler, 'a');
    await clock.advance(LOAD_MS);
    expect(broken.error).toBe('llama-server process has terminated: exit status 1: no such architecture');
    failure = { kind: 'out-of-memory' };
    const large = ask(scheduler, 'a', { numCtx: 8192 });
    await clock.advance(LOAD_MS);
    expect(large.error).toContain('out of memory');
    expect(truth.loads).toHaveLength(2);
  });

  test('only requests that need scheduling are refused when the queue is full', async () => {
    const scheduler = startScheduler({ maxQueue: 1 });
    await loaded(scheduler, 'a');
    ask(scheduler, 'b');
    await clock.advance(0);
    ask(scheduler, 'c');
    const refused = ask(scheduler, 'd');
    const passes = ask(scheduler, 'a');
    await clock.advance(0);
    expect(refused.error).toContain('maximum pending requests exceeded');
    expect(passes.lease).toBeDefined();
  });
});

describe('eviction and expiry', () => {
  test('the shortest keep-alive goes first', async () => {
    const scheduler = startScheduler({ maxLoaded: 2 });
    await loaded(scheduler, 'a', FOREVER_MS);
    await loaded(scheduler, 'b', 30_000);
    ask(scheduler, 'c');
    await clock.advance(5000 + LOAD_MS);
    expect(namesOf(scheduler)).toEqual(['a:latest', 'c:latest']);
    expect(truth.unloads[0]).toMatchObject({ model: 'b:latest', cause: 'made room for c:latest' });
  });

  test('what would not fit beside the others evicts one of them', async () => {
    const scheduler = startScheduler({}, 3 * GIB);
    await loaded(scheduler, 'a');
    await loaded(scheduler, 'b');
    ask(scheduler, 'c');
    await clock.advance(5000 + LOAD_MS);
    expect(namesOf(scheduler)).toEqual(['b:latest', 'c:latest']);
  });

  test('a busy victim is waited for, and an eviction goes on when its request has closed', async () => {
    const scheduler = startScheduler({ maxLoaded: 1 });
    await loaded(scheduler, 'a');
    const busy = ask(scheduler, 'a');
    await clock.advance(0);
    const waiting = ask(scheduler, 'b');
    await clock.advance(1000);
    waiting.close();
    expect(namesOf(scheduler)).toEqual(['a:latest']);
    busy.lease?.release();
    await clock.advance(5000);
    expect(namesOf(scheduler)).toEqual([]);
    expect(truth.loads).toHaveLength(1);
  });

  test('a request with keep_alive to the victim cancels the eviction, and everybody behind it waits', async () => {
    const scheduler = startScheduler({ maxLoaded: 1 });
    await loaded(scheduler, 'a');
    const busy = ask(scheduler, 'a');
    await clock.advance(0);
    const starved = ask(scheduler, 'b');
    const rescue = ask(scheduler, 'a', { keepAliveMs: 20_000 });
    await clock.advance(100);
    busy.lease?.release();
    rescue.lease?.release();
    await clock.advance(19_000);
    expect(starved.lease).toBeUndefined();
    await clock.advance(5000);
    expect(starved.lease).toBeDefined();
  });

  test('a model goes when its keep-alive has run out, not while it is used', async () => {
    const scheduler = startScheduler();
    await loaded(scheduler, 'a', 5000);
    const using = ask(scheduler, 'a');
    await clock.advance(60_000);
    expect(namesOf(scheduler)).toEqual(['a:latest']);
    using.lease?.release();
    await clock.advance(4999);
    expect(namesOf(scheduler)).toEqual(['a:latest']);
    await clock.advance(2);
    expect(namesOf(scheduler)).toEqual([]);
  });

  test('unloading one of two models takes 5 s, in which expiry times stand still', async () => {
    const scheduler = startScheduler();
    await loaded(scheduler, 'a');
    await loaded(scheduler, 'b', 60_000);
    const before = scheduler.loaded[1]?.expiresAt(clock.now());
    const model = store.find('a:latest');
    if (model !== undefined) scheduler.expire(model);
    const using = ask(scheduler, 'b');
    await clock.advance(100);
    using.lease?.release();
    await clock.advance(4000);
    expect(scheduler.loaded[0]?.expiresAt(clock.now())).toBe(before);
    await clock.advance(1000);
    expect(scheduler.loaded[0]?.expiresAt(clock.now())).toBeGreaterThan(before ?? 0);
  });

  test('an unload asked for while the model loads does nothing', async () => {
    const scheduler = startScheduler();
    const asked = ask(scheduler, 'a');
    await clock.advance(500);
    const model = store.find('a:latest');
    if (model !== undefined) scheduler.expire(model);
    await clock.advance(500);
    expect(asked.lease).toBeDefined();
    expect(truth.unloads).toEqual([]);
  });

  test('a runner that died is found dead and replaced by the next request', async () => {
    const scheduler = startScheduler();
    await loaded(scheduler, 'a');
    scheduler.loaded[0]?.runner.kill();
    expect(namesOf(scheduler)).toEqual(['a:latest']);
    const next = ask(scheduler, 'a');
    await clock.advance(300 + LOAD_MS);
    expect(next.lease).toBeDefined();
    expect(truth.loads.at(-1)?.cause).toBe('the runner had died');
  });
});
