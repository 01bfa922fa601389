import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import type { Level } from '../../protocol/principal.ts';
import type { Store } from '../store/store.ts';
import { storeFolder, type StoreFolder } from '../store/testing.ts';
import { createTokens, type Tokens } from './tokens.ts';

let folder: StoreFolder;
let store: Store;
let tokens: Tokens;
let now: number;
let stopped: string[];
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
  now = 1_000;
  stopped = [];
  let ids = 0;
  tokens = createTokens({
    store,
    clock: { now: () => now },
    newId: (prefix) => `${prefix}${String((ids += 1))}`,
    stopTurns: (tokenId) => stopped.push(tokenId),
  });
});
afterEach(() => folder.remove());

function addUser(id: string, level: Level, blockedAt: number | null = null): void {
  store.putUser({ id, name: '', level, budget: null, used: 0, resetAt: 0, blockedAt, createdAt: 0 });
}
const make = (more: Partial<Parameters<Tokens['create']>[0]> = {}) =>
  tokens.create({ name: 'Editor', userId: 'owner', level: 'user', modules: null, ...more });

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof AndironError) return error.code;
  }
  return 'none';
}

class Connection {
  closed = 0;
  #listeners: (() => void)[] = [];
  close(): void {
    this.closed += 1;
    for (const listener of this.#listeners.splice(0)) listener();
  }
  onClose(listener: () => void): void {
    this.#listeners.push(listener);
  }
}

test('a token has 256 random bits, and every one is another (X2)', () => {
  const texts = Array.from({ length: 50 }, () => make().text);
  expect(new Set(texts).size).toBe(50);
  for (const text of texts) expect(text).toMatch(/^and_[\w-]{43}$/);
});

test('the text of a token is neither in the database nor in any list (X2)', () => {
  const { text } = make();
  store.close();
  const file = ['andiron.db', 'andiron.db-wal'].map((name) => {
    try {
      return readFileSync(join(folder.path, name), 'latin1');
    } catch {
      return '';
    }
  });
  expect(file.join('')).toContain('Editor');
  expect(file.join('')).not.toContain(text.slice(4));
  store = folder.open();
  expect(JSON.stringify(store.listApiTokens())).not.toContain(text.slice(4));
});

test('a list of tokens does not show their hashes (X2)', () => {
  const { token } = make();
  const [kept] = store.listApiTokens();
  expect(JSON.stringify([token, tokens.list()])).not.toContain(kept?.hash);
  expect(tokens.list()).toEqual([token]);
});

test('a token cannot be made with a higher level than its person has (X2)', () => {
  addUser('user_1', 'user');
  expect(codeOf(() => make({ userId: 'user_1', level: 'admin' }))).toBe('invalid_params');
  expect(codeOf(() => make({ userId: 'user_1', level: 'user' }))).toBe('none');
  expect(codeOf(() => make({ userId: 'gone', level: 'guest' }))).toBe('not_found');
});

test('a token speaks for its person, with its own level and modules (X2)', () => {
  const { text, token } = make({ modules: ['files'] });
  expect(tokens.principalOf(text)).toEqual({
    userId: 'owner',
    level: 'user',
    platform: 'api',
    tokenId: token.id,
    modules: ['files'],
  });
});

test('a token may no more than its person when their level is lowered (X2)', () => {
  addUser('user_1', 'admin');
  const { text } = make({ userId: 'user_1', level: 'admin' });
  addUser('user_1', 'guest');
  expect(tokens.principalOf(text)).toMatchObject({ userId: 'user_1', level: 'guest' });
});

test('no token has the level of the owner’s window (X2)', () => {
  expect(tokens.principalOf(make({ level: 'owner' }).text).level).toBe('admin');
});

test('a token that differs in any one character opens nothing (X2)', () => {
  const { text } = make();
  for (let at = 0; at < text.length; at += 1) {
    const other = text[at] === 'A' ? 'B' : 'A';
    const near = text.slice(0, at) + other + text.slice(at + 1);
    expect(codeOf(() => tokens.principalOf(near))).toBe('not_allowed');
  }
  for (const wrong of ['', 'and_', text.slice(0, -1), `${text}A`, store.listApiTokens()[0]?.hash ?? ''])
    expect(codeOf(() => tokens.principalOf(wrong))).toBe('not_allowed');
});

test('a revoked token opens nothing, and is revoked once (X2)', () => {
  const { text, token } = make();
  now = 2_000;
  tokens.revoke(token.id);
  expect(codeOf(() => tokens.principalOf(text))).toBe('not_allowed');
  expect(codeOf(() => tokens.revoke(token.id))).toBe('not_found');
  expect(tokens.list()).toMatchObject([{ revokedAt: 2_000 }]);
});

test('a token of somebody who is blocked opens nothing (X2)', () => {
  addUser('user_1', 'user');
  const { text } = make({ userId: 'user_1' });
  addUser('user_1', 'user', 5);
  expect(codeOf(() => tokens.principalOf(text))).toBe('not_allowed');
});

test('the last use of a token is kept (X2)', () => {
  const { text } = make();
  now = 3_000;
  tokens.principalOf(text);
  expect(tokens.list()).toMatchObject([{ createdAt: 1_000, lastUsedAt: 3_000 }]);
});

test('a token that is revoked ends its connections and turns, and no others (X2)', () => {
  const [one, other] = [make().token, make().token];
  const [closed, open] = [new Connection(), new Connection()];
  tokens.opened(one.id, closed);
  tokens.opened(other.id, open);
  tokens.revoke(one.id);
  expect([closed.closed, open.closed]).toEqual([1, 0]);
  expect(stopped).toEqual([one.id]);
});

test('rights that a person loses end the connections and turns of their tokens alone (X2)', () => {
  addUser('user_1', 'user');
  const [theirs, own] = [make({ userId: 'user_1' }).token, make().token];
  const [closed, open] = [new Connection(), new Connection()];
  tokens.opened(theirs.id, closed);
  tokens.opened(own.id, open);
  tokens.endOfUser('user_1');
  expect([closed.closed, open.closed]).toEqual([1, 0]);
  expect(stopped).toEqual([theirs.id]);
});
