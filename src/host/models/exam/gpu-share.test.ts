import { describe, expect, test } from 'vitest';
import type { Timer } from '../../../platform/clock.ts';
import { systemClock } from '../../../platform/clock.ts';
import { AndironError } from '../../../protocol/errors.ts';
import type { Lease } from '../../loop/deps.ts';
import { shareGpu, type ShareTurn } from './gpu-share.ts';

/** A GPU that a turn may want, with a grace that ends when the test says so. */
function setUp() {
  const calledOff = new AbortController();
  const told: string[] = [];
  let waits = false;
  let grace: (() => void) | undefined;
  const clock = {
    ...systemClock,
    after(_ms: number, run: () => void): Timer {
      grace = run;
      return { cancel: () => (grace = undefined) };
    },
  };
  const share = shareGpu({
    acquire() {
      told.push('acquired');
      // It is granted behind the turn.
      waits = false;
      return Promise.resolve(lease);
    },
    turnWaits: () => waits,
    signal: calledOff.signal,
    clock,
  });
  const lease = {
    model: { name: 'model:9b' },
    release: (failed: boolean) => told.push(failed ? 'released, failed' : 'released'),
  } as unknown as Lease;
  return {
    share,
    told,
    calledOff,
    turnComes: (): void => {
      waits = true;
      share.look();
    },
    endGrace: () => grace?.(),
  };
}

/** Rejects as a request does whose signal fires. */
function untilClosed({ signal }: ShareTurn): Promise<never> {
  return new Promise((_, reject) => {
    const close = (): void => reject(new AndironError('cancelled', 'Closed.'));
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
  });
}

test('one lease serves one question after the other', async () => {
  const { share, told } = setUp();
  expect(await share.ask(() => Promise.resolve(1))).toBe(1);
  expect(await share.ask(() => Promise.resolve(2))).toBe(2);
  expect(told).toEqual(['acquired']);
  share.close(false);
  expect(told).toEqual(['acquired', 'released']);
});

describe('a turn comes', () => {
  test('while the prompt is read: it goes first at once, and the question is asked again behind it', async () => {
    const { share, told, turnComes } = setUp();
    let asked = 0;
    const answer = share.ask((_lease, turn) => {
      asked += 1;
      if (asked > 1) return Promise.resolve('answered');
      queueMicrotask(turnComes);
      return untilClosed(turn);
    });
    expect(await answer).toBe('answered');
    expect(told).toEqual(['acquired', 'released', 'acquired']);
  });

  test('while words come: the reply may end, and the turn goes before the next question', async () => {
    const { share, told, turnComes } = setUp();
    const first = await share.ask(async (_lease, turn) => {
      turn.writing();
      turnComes();
      expect(turn.signal.aborted).toBe(false);
      return 'whole';
    });
    expect(first).toBe('whole');
    expect(told).toEqual(['acquired', 'released']);
  });

  test('while words come that do not end: it is closed all the same', async () => {
    const { share, told, turnComes, endGrace } = setUp();
    let asked = 0;
    const answer = share.ask((_lease, turn) => {
      asked += 1;
      if (asked > 1) return Promise.resolve('answered');
      turn.writing();
      turnComes();
      queueMicrotask(endGrace);
      return untilClosed(turn);
    });
    expect(await answer).toBe('answered');
    expect(told).toEqual(['acquired', 'released', 'acquired']);
  });
});

test('a person who cancels is obeyed at once', async () => {
  const { share, told, calledOff } = setUp();
  const answer = share.ask((_lease, turn) => untilClosed(turn));
  calledOff.abort(new AndironError('cancelled', 'The model test was cancelled.'));
  await expect(answer).rejects.toThrow('The model test was cancelled.');
  expect(told).toEqual(['acquired']);
});

test('what goes wrong is not asked again', async () => {
  const { share } = setUp();
  await expect(share.ask(() => Promise.reject(new Error('no engine')))).rejects.toThrow('no engine');
});
