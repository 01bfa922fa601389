import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import { budgetMs } from '../../rules/budget.ts';
import type { RequestPurpose, UsageEntry } from '../../protocol/usage-methods.ts';
import type { Store } from '../store/store.ts';
import { storeFolder, summary, type StoreFolder } from '../store/testing.ts';
import { isOwn } from './is-own.ts';
import { createPeople, type People } from './people.ts';

let folder: StoreFolder;
let store: Store;
let people: People;
let now: number;
let changes: number;
let ids: number;
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
  now = 1_000_000;
  changes = 0;
  ids = 0;
  people = createPeople({
    store,
    clock: { now: () => now },
    newId: (prefix) => `${prefix}${String((ids += 1))}`,
    onChange: () => (changes += 1),
    onRights: () => undefined,
  });
});
afterEach(() => folder.remove());

const ann = { platform: 'telegram', platformUserId: '42', name: 'Ann' };
const ben = { platform: 'telegram', platformUserId: '43', name: '' };
const use = (
  userId: string,
  tokens: number,
  purpose: RequestPurpose = 'main',
  more: Partial<UsageEntry> = {},
): void =>
  store.addUsage({
    id: `use_${String((ids += 1))}`,
    userId,
    sessionId: null,
    turnId: null,
    purpose,
    model: 'm',
    ended: 'answered',
    inputTokens: tokens - 1,
    cachedTokens: 0,
    outputTokens: 1,
    cost: null,
    at: now,
    ...more,
  });
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof AndironError) return error.code;
  }
  return 'none';
};

describe('a sender', () => {
  test('whom nobody knows becomes a guest with 5,000 tokens in 30 days, once (B2)', () => {
    const user = people.resolve(ann);
    expect(user).toMatchObject({
      name: 'Ann',
      level: 'guest',
      budget: 5_000,
      used: 0,
      resetAt: now + budgetMs,
      blockedAt: null,
    });
    expect(people.resolve({ ...ann, name: 'Another name' })).toEqual(user);
    expect(changes).toBe(1);
    expect(people.list().links).toMatchObject([{ ...ann, userId: user.id }]);
  });

  test('is somebody else on another platform, until the account is linked to them (B1)', () => {
    const user = people.resolve(ann);
    const other = { ...ann, platform: 'webhook' };
    expect(people.resolve(other).id).not.toBe(user.id);
    people.link('webhook', '42', user.id);
    expect(people.resolve(other).id).toBe(user.id);
    expect(codeOf(() => people.link('webhook', '99', user.id))).toBe('not_found');
    expect(codeOf(() => people.link('webhook', '42', 'nobody'))).toBe('not_found');
  });
});

describe('a budget', () => {
  test('that is used up to its last token allows nothing more, and one token less does (B4, X12 j)', () => {
    const { id } = people.resolve(ann);
    use(id, 4_999);
    expect(people.mayUseTokens(id)).toBe(true);
    use(id, 1);
    expect(people.mayUseTokens(id)).toBe(false);
  });

  test('begins anew in the very moment of its reset, for 30 days from then (B4, P18, Q6, X12 j)', () => {
    const { id, resetAt } = people.resolve(ann);
    use(id, 9_000);
    now = resetAt - 1;
    expect(people.mayUseTokens(id)).toBe(false);
    now = resetAt;
    expect(people.mayUseTokens(id)).toBe(true);
    expect(store.getUser(id)).toMatchObject({ used: 0, resetAt: resetAt + budgetMs });
    // A long absence begins anew once.
    now += 10 * budgetMs;
    expect(people.mayUseTokens(id)).toBe(true);
    expect(store.getUser(id)?.resetAt).toBe(now + budgetMs);
  });

  test('of nothing at all allows nothing, and none is no limit (B3)', () => {
    const { id } = people.resolve(ann);
    people.update(id, { budget: 0 });
    expect(people.mayUseTokens(id)).toBe(false);
    people.update(id, { budget: null });
    use(id, 1e9);
    expect(people.mayUseTokens(id)).toBe(true);
    expect(people.mayUseTokens('owner')).toBe(true);
  });

  test('pays for what a person asked, and not for what was read ahead for them (B6)', () => {
    const { id } = people.resolve(ann);
    use(id, 1_000, 'warm');
    expect(store.getUser(id)?.used).toBe(0);
    for (const purpose of ['plan', 'subagent', 'compaction'] as const) use(id, 100, purpose);
    expect(store.getUser(id)?.used).toBe(300);
  });

  test('that the owner resets is full again (X3)', () => {
    const { id } = people.resolve(ann);
    use(id, 6_000);
    now += 5;
    expect(people.resetBudget(id)).toMatchObject({ used: 0, resetAt: now + budgetMs });
    expect(people.mayUseTokens(id)).toBe(true);
  });

  test('is each person’s own, and what is booked meanwhile is kept by a change of something else (B6)', () => {
    const [one, other] = [people.resolve(ann), people.resolve(ben)];
    use(one.id, 5_000);
    people.update(one.id, { name: 'Anna', level: 'user' });
    expect(store.getUser(one.id)).toMatchObject({ used: 5_000, name: 'Anna', level: 'user' });
    expect(people.mayUseTokens(other.id)).toBe(true);
  });
});

describe('the rules of all budgets', () => {
  test('are for guests who come from then on, also after a restart (B2, X3)', () => {
    const before = people.resolve(ann);
    people.setBudgetRules({ guestTokens: 70, isCacheFree: false });
    expect(people.resolve(ben).budget).toBe(70);
    expect(people.resolve(ann).budget).toBe(before.budget);
    expect(folder.open().budgetRules()).toEqual({ guestTokens: 70, isCacheFree: false });
  });

  test('let a new guest go without a limit (B3)', () => {
    people.setBudgetRules({ guestTokens: null, isCacheFree: false });
    expect(people.resolve(ben).budget).toBeNull();
  });

  test('that make cached tokens free count what is read from then on (X3)', () => {
    const { id } = people.resolve(ann);
    const used = (): number => store.getUser(id)?.used ?? 0;
    const entry = { inputTokens: 100, cachedTokens: 90, outputTokens: 5 };
    use(id, 0, 'main', entry);
    expect(used()).toBe(105);
    people.setBudgetRules({ guestTokens: 5_000, isCacheFree: true });
    use(id, 0, 'main', entry);
    expect(used()).toBe(120);
  });
});

describe('the owner', () => {
  test('is there from the start, without a limit, and stays it (X1)', () => {
    expect(people.list().users).toMatchObject([{ id: 'owner', level: 'owner', budget: null }]);
    for (const change of [{ level: 'guest' }, { budget: 5 }, { isBlocked: true }] as const)
      expect(codeOf(() => people.update('owner', change))).toBe('invalid_params');
    expect(people.update('owner', { name: 'Me', isBlocked: false })).toMatchObject({
      name: 'Me',
      level: 'owner',
    });
  });

  test('is one: nobody else becomes it (B12)', () => {
    const { id } = people.resolve(ann);
    expect(codeOf(() => people.update(id, { level: 'owner' }))).toBe('invalid_params');
  });

  test('blocks and lets back in, and the moment of the first block is kept (X1)', () => {
    const { id } = people.resolve(ann);
    expect(people.update(id, { isBlocked: true }).blockedAt).toBe(now);
    const since = now;
    now += 10;
    expect(people.update(id, { isBlocked: true }).blockedAt).toBe(since);
    expect(people.update(id, { name: 'Still blocked' }).blockedAt).toBe(since);
    expect(people.update(id, { isBlocked: false }).blockedAt).toBeNull();
  });
});

test('The owner’s window waits for nobody, their programs and other people wait alike, and guests come last', () => {
  const place = { platform: 'api', server: '', channel: 'tok', thread: '', part: '' };
  const session = (id: string, userId?: string): string => {
    store.createSession({ summary: summary({ id }), workspaceReal: '/w', contextUsage: null });
    if (userId !== undefined) store.setPlace(id, userId, { ...place, thread: id }, null);
    return id;
  };
  const [one, other] = [people.resolve(ann), people.resolve(ben)];
  people.update(other.id, { level: 'admin' });
  const waiting = [session('w'), session('p', 'owner'), session('a', other.id), session('g', one.id), 'gone'];
  expect(waiting.map((id) => people.wantedFor(id, false))).toEqual([
    { userId: 'owner', rank: 0 },
    { userId: 'owner', rank: 1 },
    { userId: other.id, rank: 1 },
    { userId: one.id, rank: 2 },
    { userId: '', rank: 2 },
  ]);
});

test('A job waits behind everybody, and what its owner writes into its conversation does not', () => {
  store.createSession({ summary: summary({ id: 'j' }), workspaceReal: '/w', contextUsage: null });
  store.setPlace(
    'j',
    'owner',
    { platform: 'schedule', server: '', channel: 'job', thread: '', part: '' },
    null,
  );
  expect(people.wantedFor('j', true)).toEqual({ userId: 'owner', rank: 3 });
  expect(people.wantedFor('j', false)).toEqual({ userId: 'owner', rank: 0 });
});

test('A request is its asker’s own where the session that it names is theirs (X2)', () => {
  store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
  const principal = { level: 'guest', platform: 'api', tokenId: null, modules: 'all' } as const;
  const own = (userId: string, params: unknown) => isOwn(store, { ...principal, userId }, params);
  expect(own('owner', { sessionId: 's' })).toBe(true);
  expect(own('user_1', { sessionId: 's' })).toBe(false);
  expect(own('user_1', { sessionId: 'gone' })).toBe(false);
  expect(own('user_1', { sessionId: ['s'] })).toBe(false);
  expect(own('user_1', {})).toBe(true);
});
