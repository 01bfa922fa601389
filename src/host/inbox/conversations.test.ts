import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../store/store.ts';
import { storeFolder, type StoreFolder } from '../store/testing.ts';
import { createConversations } from './conversations.ts';

let folder: StoreFolder;
let store: Store;
let now: number;
let begun: string[];
let names: (string | undefined)[];
let conversationAt: ReturnType<typeof createConversations>;
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
  now = 1_000;
  begun = [];
  names = [];
  let ids = 0;
  conversationAt = createConversations({
    store,
    clock: { now: () => now },
    newId: (prefix) => `${prefix}${String((ids += 1))}`,
    makeFolder: (id) => Promise.resolve(`/people/${id}`),
    onCreated({ id, place: at }) {
      begun.push(id);
      names.push(at?.person);
    },
  });
});
afterEach(() => folder.remove());

const place = { platform: 'telegram', server: '', channel: 'c', thread: '' };
const paused = { isPerPerson: false, pauseMs: 100 };

test('A conversation begins anew after its pause, and goes on before (P19)', async () => {
  const first = await conversationAt('a', place, paused, 'p');
  now += 100;
  expect(await conversationAt('a', place, paused, 'p')).toBe(first);
  now += 1;
  const second = await conversationAt('a', place, paused, 'p');
  expect(second).not.toBe(first);
  expect(await conversationAt('b', place, paused, 'p')).toBe(second);
  now += 101;
  expect(await conversationAt('a', place, paused, 'p')).not.toBe(second);
});

test('Two messages after a pause begin one conversation, and each is announced once (P19)', async () => {
  await conversationAt('a', place, paused, 'p');
  now += 101;
  const both = await Promise.all([1, 2, 3].map(() => conversationAt('a', place, paused, 'p')));
  expect(new Set(both).size).toBe(1);
  expect(begun).toHaveLength(2);
});

test('Where each person has a conversation of their own, a pause of one is none of another’s (P19)', async () => {
  const each = { isPerPerson: true, pauseMs: 100 };
  const [one, other] = [
    await conversationAt('u_', place, each, 'p'),
    await conversationAt('uX', place, each, 'p'),
  ];
  now += 101;
  const again = await conversationAt('uX', place, each, 'p');
  expect(new Set([one, other, again]).size).toBe(3);
  expect(await conversationAt('u_', place, each, 'p')).not.toBe(again);
});

test('A conversation that was deleted is followed by a new one, and comes back beside it (B10)', async () => {
  const first = await conversationAt('a', place, undefined, 'p');
  store.hideSession(first, now);
  const second = await conversationAt('a', place, undefined, 'p');
  expect(second).not.toBe(first);
  expect(store.restoreSession(first)).toBe(true);
  expect(store.getSession(first)?.summary.id).toBe(first);
  expect(await conversationAt('a', place, undefined, 'p')).toBe(second);
});

test('A conversation belongs to whoever began it, at its place (B10, X5)', async () => {
  const id = await conversationAt('a', place, undefined, 'p');
  expect(store.sessionOwner(id)).toBe('a');
  expect(store.placeOf(id)).toEqual({ ...place, part: '' });
  expect(store.getSession(id)?.summary).toMatchObject({ workspace: `/people/${id}`, profileId: 'p' });
});

test('A conversation of one person is listed by their name, and one of several by none (X5)', async () => {
  const ann = { id: 'ann', name: 'Ann', level: 'guest', budget: null, used: 0, resetAt: 0 } as const;
  store.putUser({ ...ann, blockedAt: null, createdAt: 0 });
  const own = await conversationAt('ann', place, { isPerPerson: true, pauseMs: null }, 'p');
  const shared = await conversationAt('ann', place, undefined, 'p');
  expect(begun).toEqual([own, shared]);
  expect(names).toEqual(['Ann', undefined]);
});

test('Another conversation is begun whenever somebody asks for it (S14, P19)', async () => {
  const asked = { isPerPerson: false, pauseMs: null, isNew: true };
  const ids = [
    await conversationAt('a', place, undefined, 'p'),
    await conversationAt('a', place, asked, 'p'),
    await conversationAt('a', place, asked, 'p'),
  ];
  expect(new Set(ids).size).toBe(3);
  expect(await conversationAt('b', place, undefined, 'p')).toBe(ids[2]);
});
