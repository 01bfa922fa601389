import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../sim/time/index.ts';
import { failureOf, settle } from '../testing/fakes.ts';
import { AndironError } from '../../protocol/errors.ts';
import { createGpuQueue } from './gpu-queue.ts';

function open() {
  const admitted: string[] = [];
  const leave = new Map<string, () => void>();
  const queue = createGpuQueue(() => undefined);
  const come = (name: string, purpose: 'turn' | 'warm', signal?: AbortSignal): Promise<void> =>
    queue.enter({ id: name, model: 'qwen3:8b', purpose, label: name, since: 0 }, signal).then((out) => {
      admitted.push(name);
      return void leave.set(name, out);
    });
  const waiting = (): string[] => queue.waiting().map(({ id }) => id);
  const goes = async (name: string): Promise<void> => {
    leave.get(name)?.();
    await settle();
  };
  return { queue, admitted, come, goes, waiting };
}

test('one is in at a time, in order of arrival', async () => {
  const { admitted, come, goes, waiting } = open();
  for (const name of ['a', 'b', 'c']) void come(name, 'turn');
  await settle();
  expect(admitted).toEqual(['a']);
  expect(waiting()).toEqual(['b', 'c']);
  await goes('a');
  await goes('b');
  expect(admitted).toEqual(['a', 'b', 'c']);
});

test('turns go before warm-ups that came earlier', async () => {
  const { admitted, come, goes, waiting } = open();
  for (const name of ['first', 'warm 1', 'warm 2']) void come(name, name === 'first' ? 'turn' : 'warm');
  void come('turn', 'turn');
  await settle();
  expect(waiting()).toEqual(['turn', 'warm 1', 'warm 2']);
  await goes('first');
  await goes('turn');
  await goes('warm 1');
  expect(admitted).toEqual(['first', 'turn', 'warm 1', 'warm 2']);
});

test('who cancels while waiting is gone, and nobody else moves', async () => {
  const { admitted, come, goes, waiting } = open();
  const controller = new AbortController();
  void come('a', 'turn');
  const cancelled = failureOf(come('b', 'turn', controller.signal));
  void come('c', 'turn');
  await settle();
  controller.abort();
  expect(await cancelled).toMatchObject({ code: 'cancelled' });
  expect(waiting()).toEqual(['c']);
  await goes('a');
  expect(admitted).toEqual(['a', 'c']);
});

test('who came with a cancelled signal never enters', async () => {
  const { admitted, come } = open();
  expect(await failureOf(come('a', 'turn', AbortSignal.abort()))).toMatchObject({ code: 'cancelled' });
  await come('b', 'turn');
  expect(admitted).toEqual(['b']);
});

test('leaving twice lets in one', async () => {
  const { admitted, come, goes } = open();
  for (const name of ['a', 'b', 'c']) void come(name, 'turn');
  await settle();
  await goes('a');
  await goes('a');
  expect(admitted).toEqual(['a', 'b']);
});

test('a signal that fires after the entry changes nothing', async () => {
  const { admitted, come, waiting } = open();
  const controller = new AbortController();
  await come('a', 'turn', controller.signal);
  void come('b', 'turn');
  controller.abort();
  await settle();
  expect(admitted).toEqual(['a']);
  expect(waiting()).toEqual(['b']);
});

test('who waits for what will not come is told why, and the others keep their order', async () => {
  const { queue, admitted, come, goes, waiting } = open();
  void come('a', 'turn');
  const dismissed = failureOf(come('b', 'turn'));
  void come('c', 'turn');
  queue.dismiss(({ id }) => id === 'b', new AndironError('cancelled', 'It was given up.'));
  expect(await dismissed).toMatchObject({ code: 'cancelled', message: 'It was given up.' });
  expect(waiting()).toEqual(['c']);
  await goes('a');
  expect(admitted).toEqual(['a', 'c']);
});

describe('people who wait', () => {
  const rankOf: Record<string, number> = { owner: 0, ann: 1, ben: 1, guest: 2, other: 2, job: 3 };

  /** Each name is a person and a number: `ann 2` is her second wish; `ann 2 x` has a prompt that begins with x. */
  function openFor() {
    const { queue, admitted, goes } = open();
    const leave = new Map<string, () => void>();
    const come = (name: string): void => {
      const [userId = '', which = '', head] = name.split(' ');
      const wantedFor = { rank: rankOf[userId] ?? 2, userId };
      const model = head?.startsWith('other') === true ? 'other' : 'm';
      const shared = { model, label: '', since: 0, wantedFor, head };
      const who = { id: name, purpose: 'turn', ...shared } as const;
      void queue.enter(which === 'warm' ? { ...who, purpose: 'warm' } : who).then((out) => {
        admitted.push(name);
        return void leave.set(name, out);
      });
    };
    const all = async (): Promise<string[]> => {
      for (let at = 0; ; at += 1) {
        await settle();
        const name = admitted[at];
        if (name === undefined) return admitted;
        leave.get(name)?.();
      }
    };
    return { queue, come, all, admitted, goes, leave };
  }

  test('A job comes after everybody who waits, and before what is read ahead', async () => {
    const { come, all } = openFor();
    come('job 1');
    await settle();
    for (const name of ['other warm', 'job 2', 'guest 1', 'owner 1', 'ben 1']) come(name);
    expect(await all()).toEqual(['job 1', 'owner 1', 'ben 1', 'guest 1', 'job 2', 'other warm']);
  });

  test('come after the owner, guests after all others, and warm-ups last', async () => {
    const { come, all } = openFor();
    for (const name of ['guest 1', 'owner warm', 'guest 2', 'ann 1', 'owner 1', 'owner 2']) come(name);
    expect(await all()).toEqual(['guest 1', 'owner 1', 'owner 2', 'ann 1', 'guest 2', 'owner warm']);
  });

  test('take turns, however many wishes one of them has, and each has their own in order', async () => {
    const { come, all } = openFor();
    for (const name of ['ann 1', 'ann 2', 'ann 3', 'ben 1', 'ben 2']) come(name);
    expect(await all()).toEqual(['ann 1', 'ben 1', 'ann 2', 'ben 2', 'ann 3']);
  });

  test('are not pushed back by new people who come again and again', async () => {
    const { come, admitted, leave } = openFor();
    come('guest 1');
    come('guest 2');
    for (let n = 0; n < 5; n += 1) {
      come(`stranger${String(n)} 1`);
      await settle();
      leave.get(admitted.at(-1) ?? '')?.();
      await settle();
    }
    expect(admitted.indexOf('guest 2')).toBe(3);
  });

  test('are listed in the order in which they will come in, the next twelve of them', async () => {
    const { queue, come, all } = openFor();
    const random = seededRandom(Date.now());
    const among = (names: string): string => names[Math.floor(random() * names.length)] ?? '';
    for (let n = 0; n < 30; n += 1) come(`${among('abcdefg')} ${String(n)} ${among('xyz')}`);
    await settle();
    const listed = queue.waiting().map(({ id }) => id);
    expect(listed).toHaveLength(29);
    const [, ...came] = await all();
    expect(listed.slice(0, 12)).toEqual(came.slice(0, 12));
  });

  test('come out of turn where fewer prompts are begun anew by that', async () => {
    const { come, all } = openFor();
    for (const name of ['a 1 x', 'b 1 y', 'c 1 x', 'd 1 x']) come(name);
    expect(await all()).toEqual(['a 1 x', 'c 1 x', 'd 1 x', 'b 1 y']);
  });

  test('are passed over twice at most, although a third prompt begins as the last one did', async () => {
    const { come, admitted, leave } = openFor();
    for (const name of ['a 1 x', 'b 1 y', 'c 1 x', 'd 1 x']) come(name);
    const goes = async (name: string): Promise<void> => {
      leave.get(name)?.();
      await settle();
    };
    await settle();
    await goes('a 1 x');
    await goes('c 1 x');
    come('e 1 x');
    await goes('d 1 x');
    expect(admitted).toEqual(['a 1 x', 'c 1 x', 'd 1 x', 'b 1 y']);
  });

  test('come as they are due where another order would save nothing', async () => {
    const { come, all } = openFor();
    for (const name of ['a 1 x', 'b 1 y', 'c 1 z', 'd 1 y']) come(name);
    expect((await all()).slice(0, 2)).toEqual(['a 1 x', 'b 1 y']);
  });

  test('come out of turn rather than have another model loaded in between', async () => {
    const { come, all } = openFor();
    for (const name of ['a 1 x', 'b 1 other', 'c 1 y']) come(name);
    expect(await all()).toEqual(['a 1 x', 'c 1 y', 'b 1 other']);
  });

  test('keep the order of what they asked for themselves, whichever prompts begin alike', async () => {
    const { come, all } = openFor();
    for (const name of ['owner 1 x', 'owner 2 y', 'owner 3 x', 'ann 1 y', 'ann 2 x']) come(name);
    expect(await all()).toEqual(['owner 1 x', 'owner 2 y', 'owner 3 x', 'ann 1 y', 'ann 2 x']);
  });

  test('wait no longer than twice their fair share, in whatever order they come', async () => {
    const { come, admitted, leave } = openFor();
    const random = seededRandom(Date.now());
    const people = Array.from({ length: 12 }, (_, n) => `person${String(n)}`);
    const cameAt = new Map<string, number>();
    let longest = 0;
    for (let turn = 0; turn < 500; turn += 1) {
      const person = people[Math.floor(random() * random() * people.length)] ?? '';
      const name = `${person} ${String(turn)}`;
      // One wish of each at a time: a person waits for their answer.
      if (![...cameAt.keys()].some((each) => each.startsWith(`${person} `))) {
        cameAt.set(name, admitted.length);
        come(name);
      }
      await settle();
      if (random() < 0.5) continue;
      const last = admitted.at(-1);
      if (last === undefined) continue;
      leave.get(last)?.();
      leave.delete(last);
      await settle();
      for (const each of admitted) {
        const came = cameAt.get(each);
        if (came === undefined) continue;
        longest = Math.max(longest, admitted.indexOf(each) - came);
        cameAt.delete(each);
      }
    }
    expect(longest).toBeLessThanOrEqual(2 * people.length);
  });
});
