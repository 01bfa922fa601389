/** The silence before the first line, filled: `prefill/progressed`. */
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Output } from '../../src/host/loop/output.ts';
import { watchPrefill } from '../../src/host/loop/request/prefill-clock.ts';
import type { TurnEvent } from '../../src/protocol/events.ts';
import type { Prefill, RunnerSlot } from '../../src/protocol/model.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import { done, text, TurnWorld } from '../helpers/turn-world.ts';

const slot: RunnerSlot = {
  id: 0,
  taskId: 1,
  isProcessing: true,
  promptTokens: 300,
  processedTokens: 200,
  cachedTokens: 100,
  decodedTokens: 0,
};

/** A model that stays silent until the progress was told `times` times. */
async function silentFor(times: number, world: TurnWorld, onTold?: () => void): Promise<Prefill[]> {
  const clock = skippableClock();
  world.clock = clock;
  const told: Prefill[] = [];
  const speaks = Promise.withResolvers<void>();
  world.onEvent = (event) => {
    if (event.type === 'turn/phase' && event.phase === 'prefill') setImmediate(() => clock.skip(500));
    if (event.type !== 'prefill/progressed') return;
    told.push(event.prefill);
    onTold?.();
    if (told.length === times) speaks.resolve();
    else setImmediate(() => clock.skip(500));
  };
  world.provider = {
    async *stream() {
      await speaks.promise;
      yield { type: 'opened' };
      yield text('Hello.');
      yield done();
    },
  };
  await world.run('Hi');
  expect(world.ending()).toBe('turn/finished');
  clock.skip(5_000);
  expect(told).toHaveLength(times);
  return told;
}

describe('while the prompt is read', () => {
  it('progress is predicted from what is cached and the learnt speed, and nothing follows the first line', async () => {
    const world = new TurnWorld();
    world.speed.learn({ tokens: 1_000, depth: 0 }, 100_000);
    const [first, second] = await silentFor(2, world);
    expect(first).toMatchObject({ source: 'predicted', cachedTokens: 0, overrun: false });
    expect(second?.readTokens).toBeGreaterThan(first?.readTokens ?? 0);
    expect(second?.secondsLeft).toBeLessThan(first?.secondsLeft ?? 0);
  });

  it('progress is measured where the runner tells', async () => {
    const world = new TurnWorld();
    world.runnerSlots = [slot];
    const [first] = await silentFor(1, world);
    expect(first).toMatchObject({ source: 'measured', cachedTokens: 100, readTokens: 200 });
  });

  it('Measured progress goes on with every look at the runner (audit-A14)', async () => {
    const world = new TurnWorld();
    const clock = skippableClock();
    world.clock = clock;
    const told: number[] = [];
    const emit = (event: TurnEvent): void => {
      if (event.type === 'prefill/progressed') told.push(event.prefill.readTokens);
    };
    const { model, out } = world.ports();
    const expected = { promptTokens: 300, cachedTokens: 0 };
    const watch = watchPrefill('test-model', expected, model, new Output({ ...out, emit }, 't'));
    for (const processedTokens of [120, 160, 200, 240]) {
      world.runnerSlots = [{ ...slot, processedTokens }];
      clock.skip(500);
      await turnOfLoop();
    }
    watch.over();
    expect(world.internalErrors).toEqual([]);
    expect(told).toEqual([120, 160, 200, 240]);
  });

  it('a runner in the middle of a batch keeps nobody waiting: it is predicted until it answers', async () => {
    const world = new TurnWorld();
    const clock = skippableClock();
    const answers = Promise.withResolvers<void>();
    const speaks = Promise.withResolvers<void>();
    const told: Prefill['source'][] = [];
    const skip = (): void => void setImmediate(() => clock.skip(500));
    world.clock = clock;
    world.runnerSlots = [slot];
    world.runnerAnswers = answers.promise;
    world.onEvent = (event) => {
      if (event.type === 'turn/phase' && event.phase === 'prefill')
        setImmediate(() => (clock.skip(500), skip()));
      if (event.type !== 'prefill/progressed') return;
      told.push(event.prefill.source);
      if (told.length > 1) return speaks.resolve();
      answers.resolve();
      skip();
    };
    world.provider = {
      async *stream() {
        await speaks.promise;
        yield text('Hello.');
        yield done();
      },
    };
    await world.run('Hi');
    expect(told).toEqual(['predicted', 'measured']);
  });

  it('while a runner is silent in a batch the seconds go on, and a late one is called late (audit-U4)', async () => {
    const world = new TurnWorld();
    world.speed.learn({ tokens: 1_000, depth: 0 }, 20_000);
    world.runnerSlots = [{ ...slot, cachedTokens: 0, processedTokens: 1 }];
    const told = await silentFor(12, world, () => {
      world.runnerAnswers = new Promise(() => undefined);
    });
    const left = told.map(({ secondsLeft }) => secondsLeft);
    expect(new Set(left).size).toBeGreaterThan(3);
    expect(told.at(-1)).toMatchObject({ source: 'measured', overrun: true, secondsLeft: null });
  });

  it('a slot that is at work on nothing of ours is not taken for it', async () => {
    const world = new TurnWorld();
    world.runnerSlots = [{ ...slot, isProcessing: false }];
    const [first] = await silentFor(1, world);
    expect(first).toMatchObject({ source: 'predicted', cachedTokens: 0 });
  });
});

describe('behind the first line', () => {
  it('the runner says what it found, however short the prompt was', async () => {
    const world = new TurnWorld();
    world.runnerSlots = [{ ...slot, cachedTokens: 50, decodedTokens: 1 }];
    world.provider = {
      async *stream() {
        yield { type: 'opened' };
        yield text('Hello.');
        await turnOfLoop();
        yield done();
      },
    };
    await world.run('Hi');
    const measured = world.events.find((event) => event.type === 'usage/measured');
    expect(measured?.usage.reading).toMatchObject({ settledBy: 'runner', cachedTokens: 50 });
  });
});
