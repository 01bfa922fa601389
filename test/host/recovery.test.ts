/** What deaths and failures once broke; each test is the shortest way to one of those bugs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openDatabase, type Database } from '../../src/host/store/sqlite.ts';
import { AndironError } from '../../src/protocol/errors.ts';
import { messageOf } from '../helpers/message-plans.ts';
import type { Faults } from '../helpers/mortal-house.ts';
import { People } from '../helpers/people.ts';
import type { ToldSession } from '../helpers/told-session.ts';

const houses: People[] = [];
afterEach(async () => {
  for (const people of houses.splice(0)) await people.house.close();
});

async function move(sessions: number, faults: Faults = {}): Promise<People> {
  const people = await People.move(sessions, faults);
  houses.push(people);
  return people;
}

/** A disk whose writes fail while `full` matches them; `null` = it has space. */
function disk() {
  const state = { full: null as RegExp | null };
  const faults: Faults = {
    write: (what) => {
      if (state.full?.test(what)) throw new AndironError('storage', 'The disk is full.', 'Free some space.');
    },
  };
  return { state, faults };
}

/** Calls of this kind fail while it is `broken`. */
function edge(kind: string, broken: boolean) {
  const state = { broken };
  const faults: Faults = {
    file: (what) => {
      if (state.broken && what === kind) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    },
  };
  return { state, faults };
}

const refused = { code: 'storage', advice: expect.stringContaining('space') as string };
const send = ({ id: sessionId, window }: ToldSession, text: string) =>
  window.rpc.call('turn/start', { sessionId, text });
const asks = (people: People) => people.until(() => people.session(0).question !== undefined, 'the question');
const ended = (people: People) => people.until(() => people.session(0).runningTurn === undefined, 'the end');
const lastTurn = (people: People) => people.session(0).state.turns.at(-1);

/** Assistant messages of the log, as they lie on the disk. */
function said(people: People): string[] {
  const database = openDatabase(join(people.house.dir, 'data', 'andiron.db'));
  const sql =
    "SELECT json_extract(body, '$.content') AS said FROM context WHERE role = 'assistant' ORDER BY position";
  const rows = database.query(sql, z.object({ said: z.string() })).all();
  database.close();
  return rows.map((row) => row.said);
}

const hasGpu = (phase: string | null | undefined): boolean => phase != null && phase !== 'lease';

test('who waits for the GPU behind a turn that loaded the same model is not shown as loading for ever', async () => {
  const people = await move(2);
  await people.send(0, 'command', true);
  // Both look at their folder first, so the later one could be sooner.
  await people.until(() => hasGpu(people.session(0).runningTurn?.phase), 'the GPU');
  await people.send(1, 'say', true);
  await people.until(() => people.session(0).question !== undefined, 'the question');
  expect(people.session(1).runningTurn).toMatchObject({ text: messageOf(2, 'say'), phase: 'lease' });
});

test.each(['allow', 'deny'] as const)(
  'the answer %s is kept by a host that dies as soon as it has acknowledged it (audit-S6, X12 a)',
  async (decision) => {
    const people = await move(1);
    await people.send(0, 'command', true);
    await asks(people);
    await people.answer(0, decision, 'once');
    people.house.kill();
    await people.house.birth();
    const { items } = await people.session(0).follow(people.house.openWindow());
    expect(items.find(({ kind }) => kind === 'tool')).toMatchObject({ decision });
  },
);

describe('on a full disk', () => {
  test('a turn fails as storage with its reason, and the session goes on once there is space', async () => {
    const { state, faults } = disk();
    const people = await move(1, faults);
    await people.send(0, 'command', true);
    await asks(people);
    state.full = /context/;
    await people.answer(0, 'allow', 'once');
    await ended(people);
    expect(lastTurn(people)?.status).toBe('failed');
    expect(people.session(0).state.items.at(-1)).toMatchObject({ kind: 'error', ...refused });

    state.full = null;
    await people.send(0, 'say', true);
    await ended(people);
    expect(lastTurn(people)?.status).toBe('finished');
    // Checks the log, among all else: the message that was never answered is closed, no text stands in it twice.
    await people.settle();
    expect(said(people)).toEqual(['Now.', '(no answer: the request failed)', 'Here you are.']);
  });

  test('Q4: a message that could not be recorded is shown, and its turn says why it failed', async () => {
    const { state, faults } = disk();
    const people = await move(1, faults);
    state.full = /INTO context/;
    await people.send(0, 'say', true);
    await ended(people);
    expect(people.session(0).state.items).toMatchObject([
      { kind: 'user', text: messageOf(1, 'say') },
      refused,
    ]);
    state.full = null;
    await people.settle();
  });

  test('a message that cannot be kept is refused, not acknowledged', async () => {
    const { state, faults } = disk();
    const people = await move(1, faults);
    state.full = /./;
    await expect(send(people.session(0), 'Hello')).rejects.toMatchObject(refused);
    expect(people.session(0).state.turns).toEqual([]);
    expect(people.session(0).eventProblems()).toEqual([]);
    state.full = null;
    await send(people.session(0), messageOf(1, 'say'));
    await people.settle();
  });

  test('a choice that cannot be kept is refused, and the old one stays', async () => {
    const { state, faults } = disk();
    const people = await move(1, faults);
    state.full = /UPDATE sessions/;
    await expect(people.switchProfile(0, 'reader')).rejects.toMatchObject(refused);
    await expect(people.update(0, { title: 'Other' })).rejects.toMatchObject(refused);
    expect(people.session(0).state.session).toMatchObject({ profileId: 'developer', title: 'New session' });
  });

  test('an answer that cannot be recorded allows nothing, now and later', async () => {
    const { state, faults } = disk();
    const people = await move(1, faults);
    await people.send(0, 'write', true);
    await asks(people);
    state.full = /INTO approvals/;
    await expect(people.answer(0, 'allow', 'session')).rejects.toMatchObject(refused);
    await people.answer(0, 'deny', 'once').catch(() => people.stop(0, false));
    await ended(people);
    state.full = null;
    await people.send(0, 'write', true);
    await asks(people);
    await people.settle();
  });

  test('Stop stops', async () => {
    const { state, faults } = disk();
    const people = await move(1, faults);
    await people.send(0, 'hang', true);
    await people.watch(Infinity);
    state.full = /./;
    await people.stop(0, false);
    await ended(people);
    expect(lastTurn(people)?.status).toBe('stopped');
    state.full = null;
    await people.send(0, 'say', true);
    await people.settle();
  });

  test('what was only seen is written as soon as there is space', async () => {
    const { state, faults } = disk();
    const people = await move(1, faults);
    state.full = /INTO items/;
    await people.send(0, 'read', true);
    await ended(people);
    state.full = null;
    // Compares what the next host shows with what this one has told.
    await people.restart();
    expect(people.session(0).state.items.map((item) => item.kind)).toEqual(['user', 'tool', 'text']);
  });

  test('a session that cannot be deleted stays, and works', async () => {
    const { state, faults } = disk();
    const people = await move(1, faults);
    const { id: sessionId, window } = people.session(0);
    state.full = /SET deleted_at/;
    await expect(window.rpc.call('session/delete', { sessionId })).rejects.toMatchObject(refused);
    state.full = null;
    await people.send(0, 'say', true);
    await ended(people);
    expect(lastTurn(people)?.status).toBe('finished');
  });

  test('G6: a command whose start cannot be recorded does not run, and its text stands in the log once', async () => {
    const { state, faults } = disk();
    const people = await move(1, faults);
    await people.send(0, 'command', true);
    await asks(people);
    state.full = /INTO tool_calls/;
    await people.answer(0, 'allow', 'once');
    await ended(people);
    expect(lastTurn(people)?.status).toBe('failed');
    expect(said(people)).toEqual(['Now.', '(no answer: the request failed)']);
    expect(existsSync(join(people.house.workspace, 'effects.txt'))).toBe(false);
    await people.settle();
  });

  test('a command that ran is shown with its result', async () => {
    const { state, faults } = disk();
    const people = await move(1, faults);
    await people.send(0, 'command', true);
    await asks(people);
    state.full = /UPDATE (tool_calls|context)/;
    await people.answer(0, 'allow', 'once');
    await ended(people);
    const tool = people.session(0).state.items.find((item) => item.kind === 'tool');
    expect(tool).toMatchObject({ state: 'done', result: expect.stringContaining('exit code: 0') as string });
    expect(lastTurn(people)?.status).toBe('failed');
    state.full = null;
    await people.settle();
  });

  test('calls whose reply could not be recorded never begin, and do not look alive', async () => {
    const { state, faults } = disk();
    const people = await move(1, faults);
    await people.send(0, 'two', true);
    await people.until(() => people.session(0).runningTurn?.phase === 'prefill', 'the request');
    state.full = /INTO context/;
    await ended(people);
    state.full = null;
    const tools = people.session(0).state.items.filter((item) => item.kind === 'tool');
    expect(tools.map((tool) => tool.state)).toEqual(['interrupted', 'interrupted']);
    await people.send(0, 'say', true);
    await people.settle();
  });
});

test('a database that really cannot grow fails the turn as storage, and is whole when it can again', async () => {
  const databases: Database[] = [];
  const people = await move(1, { opened: (database) => databases.push(database) });
  const [database] = databases;
  const limit = (pages: unknown) => database?.pragma(`max_page_count = ${String(pages)}`);
  limit(database?.pragma('page_count'));
  const long = `${messageOf(1, 'say')} ${'word '.repeat(20_000)}`;
  const full = { code: 'storage', message: expect.stringContaining('The disk is full') as string };
  await expect(send(people.session(0), long)).rejects.toMatchObject(full);
  // What is left of the last pages holds a few short turns; then one meets the wall.
  const failure = () => people.session(0).state.items.find((item) => item.kind === 'error');
  let refusal: unknown;
  while (refusal === undefined && failure() === undefined) {
    refusal = await people.send(0, 'say', true).catch((error: unknown) => error);
    await ended(people);
  }
  expect(refusal ?? failure()).toMatchObject(full);

  limit(1_000_000);
  await people.send(0, 'say', true);
  await ended(people);
  expect(lastTurn(people)?.status).toBe('finished');
  await people.settle();
});

describe('when files cannot be read', () => {
  test('a start without profiles says so, with advice', async () => {
    await expect(move(1, edge('readFolder', true).faults)).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('profiles') as string,
      advice: expect.stringContaining('start Andiron again') as string,
    });
  });

  test('a workspace that cannot be looked at is refused with its reason', async () => {
    const { state, faults } = edge('realPath', false);
    const people = await move(1, faults);
    state.broken = true;
    const created = people.session(0).window.rpc.call('session/create', {});
    await expect(created).rejects.toMatchObject({
      code: 'workspace_invalid',
      message: expect.stringContaining('EIO') as string,
    });
  });
});
