/** What became of the engine after a stop, in the smallest world. */
import { describe, expect, it } from 'vitest';
import type { SlotProof } from '../../src/host/loop/deps.ts';
import { AndironError } from '../../src/protocol/errors.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import { done, model, text, TurnWorld } from '../helpers/turn-world.ts';

const answered: SlotProof = { found: 'answered', promptTokens: 31_240 };

async function stopped(...prove: SlotProof[]) {
  const world = new TurnWorld([text('Half'), 'hang']);
  world.onEvent = (event) => {
    if (event.type === 'item/delta') queueMicrotask(() => world.stop());
  };
  world.onProve = async () => prove.shift() ?? { found: 'failed' };
  await world.run();
  const proof = world.events.find((event) => event.type === 'stop/proved');
  expect(world.events.at(-1)).toEqual({ type: 'turn/closed' });
  return { world, proof, suspect: world.slots.suspect(model.name) };
}

it('calls silence after a stop that closed against lines a lost slot, cures it and asks again', async () => {
  const silence = new AndironError('stream_first_token_timeout', 'Nothing came.');
  const world = new TurnWorld([silence], [text('Hi'), done()]);
  world.slots.closedWhileLinesCame(model.name);
  await world.run();
  expect(world.ending()).toBe('turn/finished');
  expect(world.items()).toContainEqual(
    expect.objectContaining({ kind: 'note', note: 'reload', text: expect.stringContaining('in 9 s') }),
  );
  expect(world.slots.suspect(model.name)).toBe(false);
});

it('says what to do where a lost slot cannot be cured', async () => {
  const silence = new AndironError('stream_first_token_timeout', 'Nothing came.');
  const world = new TurnWorld([silence]);
  world.slots.closedWhileLinesCame(model.name);
  world.onCure = () => Promise.reject(new AndironError('load_failed', 'No room.', 'Close something.'));
  await world.run();
  expect(world.items().at(-1)).toMatchObject({ kind: 'error', code: 'load_failed' });
});

describe('after a stop while text flows', () => {
  it('the slot is proved by an answer', async () => {
    const { proof, suspect } = await stopped(answered);
    expect(proof).toMatchObject({ slot: 'sound', reloadMs: null });
    expect(suspect).toBe(false);
  });

  it('what it keeps is told as the engine counted it, and as an estimate where it did not', async () => {
    const { proof } = await stopped(answered);
    expect(proof).toMatchObject({ promptTokens: 31_240, keptTokens: 31_240, counted: 'both' });
    const { proof: uncounted } = await stopped({ found: 'answered', promptTokens: null });
    expect(uncounted).toMatchObject({ keptTokens: expect.any(Number) as number });
    expect(uncounted).not.toHaveProperty('counted');
  });

  it('a lost one is cured, and proved again', async () => {
    const { proof, suspect } = await stopped({ found: 'silent' }, answered);
    expect(proof).toMatchObject({ slot: 'cured', reloadMs: 9_000 });
    expect(suspect).toBe(false);
  });

  it('what could not be asked stays unproved', async () => {
    const { proof, suspect } = await stopped({ found: 'failed' });
    expect(proof).toMatchObject({ slot: 'unproved' });
    expect(suspect).toBe(true);
  });
});

it('says of a stop in prefill how much of the prompt the engine keeps, once it is idle', async () => {
  const world = new TurnWorld(['hang']);
  const slot = { id: 0, taskId: 1, isProcessing: false, promptTokens: 31_000 };
  world.runnerSlots = [{ ...slot, processedTokens: 0, cachedTokens: 0, decodedTokens: 0 }];
  world.onEvent = (event) => {
    if (event.type === 'turn/phase' && event.phase === 'prefill') queueMicrotask(() => world.stop());
  };
  world.onProve = () => Promise.reject(new Error('A stop in prefill starts nothing.'));
  await world.run();
  expect(world.events).toContainEqual(
    expect.objectContaining({ type: 'stop/proved', slot: 'sound', keptTokens: 31_000, counted: 'kept' }),
  );
  // The estimate was smaller: what the engine holds of a prompt is no more than the prompt has (audit-U4).
  expect(world.events.find(({ type }) => type === 'stop/proved')).toMatchObject({ promptTokens: 31_000 });
  expect(world.internalErrors).toEqual([]);
});

it('The card of a stop counts from the stop, however long the turn had run (audit-A14)', async () => {
  const world = new TurnWorld([text('Half'), 'hang']);
  const clock = skippableClock();
  world.clock = clock;
  clock.skip(60_000);
  world.onEvent = (event) => {
    if (event.type === 'item/delta') queueMicrotask(() => world.stop());
  };
  await world.run();
  const card = world.items().find((item) => item.kind === 'stopped');
  expect(card?.closedMs).toBeLessThan(30_000);
});

it.each([
  ['reported as a fault of ours', false],
  ['no fault where Andiron is closing', true],
])('A proof of the slot that breaks is %s (audit-A14)', async (_, isClosing) => {
  const world = new TurnWorld([text('Half'), 'hang']);
  world.onEvent = (event) => {
    if (event.type === 'item/delta') queueMicrotask(() => world.stop());
  };
  const broken = new Error('It broke.');
  world.onProve = () => {
    if (isClosing) world.closing.abort();
    return Promise.reject(broken);
  };
  await world.run();
  expect(world.internalErrors).toEqual(isClosing ? [] : [broken]);
});
