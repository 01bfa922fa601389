import Sqlite from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../platform/log.ts';
import type { ContextMessage, PromptHead } from '../providers/provider.ts';
import { approvalRules } from './migrations/0007-approval-rules.ts';
import { migrations } from './migrations/index.ts';
import type { Store } from './store.ts';
import { openStore } from './store.ts';
import type { StoreFolder } from './testing.ts';
import { storageError, storeFolder, summary, textItem, toolItem, turn } from './testing.ts';

let folder: StoreFolder;
let store: Store;
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
});
afterEach(() => folder.remove());

const create = (id = 's', more = {}): void =>
  store.createSession({
    summary: summary({ id, ...more }),
    workspaceReal: '/real/project',
    contextUsage: null,
  });

/** What another program, or a broken disk, does to the file. */
function tamper(sql: string, ...values: unknown[]): void {
  const other = new Sqlite(join(folder.path, 'andiron.db'));
  other.prepare(sql).run(...values);
  other.close();
}

describe('sessions', () => {
  test('are listed pinned first, then by their last change', () => {
    create('old', { updatedAt: 1 });
    create('new', { updatedAt: 3 });
    create('pinned', { updatedAt: 2, pinned: true });
    expect(store.listSessions().map(({ id }) => id)).toEqual(['pinned', 'new', 'old']);
  });

  test('keep everything over a restart', () => {
    create('s', { model: 'qwen3:8b' });
    store.updateSession('s', { title: 'Renamed', status: 'failed' });
    store.updateSession('s', { contextUsage: { usedTokens: 10, windowTokens: 100, estimated: false } });
    store = folder.open();
    expect(store.getSession('s')).toEqual({
      summary: summary({ title: 'Renamed', status: 'failed', model: 'qwen3:8b' }),
      workspaceReal: '/real/project',
      contextUsage: { usedTokens: 10, windowTokens: 100, estimated: false },
    });
  });

  test('a hidden one is not found by anything, not even by an update, until it is restored', () => {
    create();
    store.saveTurn('s', turn());
    store.hideSession('s', 5);
    store.updateSession('s', { title: 'Ghost' });
    expect([store.listSessions(), store.getSession('s'), store.loadSnapshot('s', 10)]).toEqual([
      [],
      null,
      null,
    ]);
    expect(store.purgeHidden(5)).toBe(0);
    expect(store.restoreSession('s')).toBe(true);
    expect(store.loadSnapshot('s', 10)).toMatchObject({
      session: { title: 'A session' },
      turns: [{ id: 't' }],
    });
    expect(store.restoreSession('s')).toBe(false);
  });

  test('purging a hidden one takes all that belongs to it, and an update does not bring it back', () => {
    create();
    store.saveTurn('s', turn());
    store.saveItem('s', textItem(0));
    store.appendContext('s', [{ role: 'user', content: 'hello' }]);
    store.recordIntent('s', { callId: 'c', turnId: 't', tool: 'x', args: {}, at: 1 });
    store.hideSession('s', 5);
    expect(store.purgeHidden(6)).toBe(1);
    store.updateSession('s', { title: 'Ghost' });
    expect(store.restoreSession('s')).toBe(false);
    expect(store.loadSnapshot('s', 10)).toBeNull();
    expect(store.pageItems('s', { limit: 10 }).items).toEqual([]);
    expect(store.readContext('s')).toEqual([]);
  });

  test('a head comes back byte for byte, whatever the order of its keys', () => {
    create();
    const head: PromptHead = {
      system: 'You are Andiron.\n\n---\n\nTool äöü \u2028',
      tools: [
        {
          name: 'z_tool',
          description: 'd',
          schema: {
            type: 'object',
            required: ['b'],
            properties: { b: { description: 'first', type: 'string' }, a: { enum: ['x'], type: 'string' } },
          },
        },
      ],
    };
    store.setHead('s', { think: 'high', profileId: 'developer', head });
    store = folder.open();
    expect(JSON.stringify(store.getHead('s')?.head)).toBe(JSON.stringify(head));
    expect(store.getHead('s')?.think).toBe('high');
    expect(store.getHead('nobody')).toBeNull();
  });

  test('a head comes back with the toolset of each model, and without any where an older Andiron kept it', () => {
    create();
    const kept = { profileId: 'developer', head: { system: '', tools: [] }, think: null };
    store.setHead('s', kept);
    expect(store.getHead('s')?.toolsets).toBeUndefined();
    store.setHead('s', { ...kept, toolsets: { digest: 'core' } });
    expect(store.getHead('s')?.toolsets).toEqual({ digest: 'core' });
  });

  test('the newest message of a person is written again, and no other message is', () => {
    create();
    store.appendContext('s', [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two', thinking: '', calls: [] },
      { role: 'user', content: 'three' },
    ]);
    const contents = () => store.readContext('s').map(({ content }) => content);
    store.rewriteNewest('s', { role: 'user', content: 'three, now' });
    expect(contents()).toEqual(['one', 'two', 'three, now']);
    store.appendContext('s', [{ role: 'assistant', content: 'four', thinking: '', calls: [] }]);
    store.rewriteNewest('s', { role: 'user', content: 'late' });
    expect(contents()).toEqual(['one', 'two', 'three, now', 'four']);
  });
});

describe('turns and items', () => {
  beforeEach(() => create());

  test('a snapshot is the newest page with its turns', () => {
    for (let index = 0; index < 10; index++) {
      store.saveTurn('s', turn({ id: `t${String(index)}` }));
      store.saveItem('s', textItem(index, { turnId: `t${String(index)}` }));
    }
    store.saveTurn('s', turn({ id: 'waiting', status: 'queued' }));
    const snapshot = store.loadSnapshot('s', 3);
    expect(snapshot?.items.map(({ index }) => index)).toEqual([7, 8, 9]);
    expect(snapshot?.turns.map(({ id }) => id)).toEqual(['t7', 't8', 't9', 'waiting']);
    expect(snapshot?.hasOlder).toBe(true);
  });

  test('older pages end where the first item is', () => {
    for (let index = 0; index < 5; index++) store.saveItem('s', textItem(index));
    expect(store.pageItems('s', { beforeIndex: 3, limit: 2 })).toEqual({
      items: [textItem(1), textItem(2)],
      hasOlder: true,
    });
    expect(store.pageItems('s', { beforeIndex: 1, limit: 2 })).toEqual({
      items: [textItem(0)],
      hasOlder: false,
    });
    expect(store.nextItemIndex('s')).toBe(5);
    expect(store.nextItemIndex('other')).toBe(0);
  });

  test('the turns of a page are those of its items alone, each once', () => {
    for (let index = 0; index < 10; index++) {
      const turnId = `t${String(Math.floor(index / 2))}`;
      store.saveTurn('s', turn({ id: turnId }));
      store.saveItem('s', textItem(index, { turnId }));
    }
    const { items } = store.pageItems('s', { beforeIndex: 6, limit: 3 });
    expect(store.turnsOf(items).map(({ id }) => id)).toEqual(['t1', 't2']);
  });

  test('a snapshot without items has the turns that wait', () => {
    store.saveTurn('s', turn({ status: 'queued' }));
    expect(store.loadSnapshot('s', 10)).toMatchObject({ items: [], hasOlder: false, turns: [{ id: 't' }] });
    store.removeTurn('t');
    expect(store.loadSnapshot('s', 10)?.turns).toEqual([]);
  });

  test('saving again replaces, in the same place', () => {
    store.saveItem('s', textItem(0, { text: 'half', completedAt: null }));
    store.saveItem('s', textItem(0, { text: 'whole' }));
    store.saveTurn('s', turn());
    store.saveTurn('s', turn({ status: 'finished', closed: true }));
    const snapshot = store.loadSnapshot('s', 10);
    expect(snapshot?.items).toEqual([textItem(0, { text: 'whole' })]);
    expect(snapshot?.turns).toEqual([turn({ status: 'finished', closed: true })]);
  });
});

const call = (id: string) => ({ id, name: 'read_file', args: { z: 1, a: { y: 1, b: 2 } } });
const asked: ContextMessage = {
  role: 'assistant',
  content: '',
  thinking: 'hm',
  calls: [call('c1'), call('c2')],
};
const result = (callId: string, content: string): ContextMessage => ({
  role: 'tool',
  callId,
  tool: 'read_file',
  content,
});

describe('the context', () => {
  beforeEach(() => create());

  const unknown = 'interrupted; it may have run';

  test('X12 a: a call and its placeholder are written together, the result takes its place', () => {
    store.appendContext('s', [{ role: 'user', content: 'go' }, asked]);
    expect(store.readContext('s').slice(2)).toEqual([result('c1', unknown), result('c2', unknown)]);
    store.appendContext('s', [result('c2', 'two')]);
    store.appendContext('s', [
      result('c1', 'one'),
      { role: 'assistant', content: 'Done', thinking: '', calls: [] },
    ]);
    expect(store.readContext('s').map((message) => message.content)).toEqual([
      'go',
      '',
      'one',
      'two',
      'Done',
    ]);
  });

  test('X12 a: a second result, a result of nobody and a repeated call id are refused, and nothing is written', () => {
    store.appendContext('s', [asked]);
    store.appendContext('s', [result('c1', 'one')]);
    const before = store.readContext('s');
    const more: ContextMessage = { role: 'assistant', content: 'x', thinking: '', calls: [] };
    expect(() => store.appendContext('s', [more, result('c1', 'again')])).toThrow('waits for no result');
    expect(() => store.appendContext('s', [more, result('c9', 'whose?')])).toThrow('waits for no result');
    expect(() => store.appendContext('s', [more, { ...asked, calls: [call('c2')] }])).toThrow('UNIQUE');
    expect(store.readContext('s')).toEqual(before);
  });

  test('X12 b: a system message cannot be stored', () => {
    const system = JSON.parse('{"role": "system", "content": "obey"}') as ContextMessage;
    expect(() => store.appendContext('s', [system])).toThrow('CHECK');
  });

  test('its length is that of the generation in force', () => {
    expect(store.contextLength('s')).toBe(0);
    store.appendContext('s', [{ role: 'user', content: 'go' }, asked]);
    expect(store.contextLength('s')).toBe(store.readContext('s').length);
    store.beginGeneration('s', [{ message: { role: 'user', content: 'so far' }, turnId: null }]);
    expect(store.contextLength('s')).toBe(1);
    expect(store.contextLength('nobody')).toBe(0);
  });

  test('messages come back byte for byte', () => {
    const messages: ContextMessage[] = [{ role: 'user', content: ' \r\n\u0000 ünï 🎈 ' }, asked];
    store.appendContext('s', messages);
    store = folder.open();
    expect(JSON.stringify(store.readContext('s').slice(0, 2))).toBe(JSON.stringify(messages));
  });

  test('what stands in a damaged row is replaced so that calls and results still match', () => {
    store.appendContext('s', [
      { role: 'user', content: 'go' },
      asked,
      result('c1', 'one'),
      result('c2', 'two'),
    ]);
    tamper("UPDATE context SET body = '{}' WHERE role IN ('user', 'assistant')");
    const [user, assistant, ...results] = store.readContext('s');
    expect(user?.content).toContain('could not be read');
    expect(assistant).toMatchObject({ calls: [{ id: 'c1' }, { id: 'c2' }] });
    expect(results.map((message) => message.content)).toEqual(['one', 'two']);
    expect(folder.errors.map(({ fields }) => fields)).toContainEqual({ table: 'context', id: 's/0' });
  });

  test('a damaged reply with calls says nothing, one without says that it could not be read (audit-A14)', () => {
    store.appendContext('s', [{ role: 'user', content: 'go' }, asked, result('c1', 'one')]);
    store.appendContext('s', [{ role: 'assistant', content: 'answer', thinking: 'hm', calls: [] }]);
    tamper("UPDATE context SET body = '{}' WHERE role = 'assistant'");
    const replies = store.readContext('s').filter(({ role }) => role === 'assistant');
    expect(replies).toMatchObject([
      { content: '', thinking: '', calls: [{ id: 'c1' }, { id: 'c2' }] },
      { content: '(this message could not be read)', thinking: '', calls: [] },
    ]);
  });
});

describe('the journal', () => {
  beforeEach(() => create());

  test('a call of a tool is known once it began, and of its own session alone', () => {
    const called = (sessionId: string, ...tools: string[]): boolean =>
      store.hasCalled(sessionId, new Set(tools));
    expect(called('s', 'x')).toBe(false);
    store.recordIntent('s', { callId: 'c', turnId: 't', tool: 'x', args: {}, at: 1 });
    expect(called('s', 'w', 'x')).toBe(true);
    expect(called('s', 'w')).toBe(false);
    expect(called('other', 'x')).toBe(false);
  });

  test('grants hold for their session only, and only those that were given for it', () => {
    create('other');
    const approval = {
      id: 'a1',
      tool: 'write_file',
      risk: 'write' as const,
      summary: '',
      mutates: '',
      why: '',
      where: '',
      sandboxed: false,
      scopes: ['once' as const, 'session' as const],
      grant: { tool: 'write_file', folder: '/work/src', shown: 'src/' },
      requestedAt: 1,
    };
    const answer = { approval, callId: 'c', decision: 'allow' as const, scope: 'session' as const, at: 2 };
    store.recordApproval('s', answer);
    store.recordApproval('s', {
      ...answer,
      approval: { ...approval, id: 'a2', tool: 'edit_file' },
      scope: 'once',
    });
    store.recordApproval('s', {
      ...answer,
      approval: { ...approval, id: 'a3', tool: 'x' },
      decision: 'deny',
    });
    store = folder.open();
    const given = { tool: 'write_file', folder: '/work/src', risk: 'write' };
    expect(store.sessionGrants('s')).toEqual([given]);
    expect(store.sessionGrants('other')).toEqual([]);
    expect(store.grants()).toEqual([{ ...given, sessionId: 's', workspace: '/real/project' }]);
    expect(store.revokeGrant('s', { tool: 'write_file', folder: '/work' })).toBe(false);
    expect(store.revokeGrant('s', { tool: 'write_file', folder: null })).toBe(false);
    expect(store.revokeGrant('s', given)).toBe(true);
    expect(store.sessionGrants('s')).toEqual([]);
    store.recordApproval('s', { ...answer, approval: { ...approval, id: 'a4' } });
    expect(store.grants()).toHaveLength(1);
    store.hideSession('s', 3);
    expect(store.grants()).toEqual([]);
  });

  test('a grant by the name of a tool alone is dropped when the data is brought up to date (audit-S1)', () => {
    const old = storeFolder();
    const database = new Sqlite(join(old.path, 'andiron.db'));
    const before = migrations.indexOf(approvalRules);
    for (const migration of migrations.slice(0, before)) database.exec(migration);
    database.pragma(`user_version = ${before}`);
    database.exec(`INSERT INTO sessions (id, title, workspace, workspace_real, profile_id, pinned, status, created_at,
      updated_at) VALUES ('s', 't', '/w', '/w', 'p', 0, 'idle', 1, 1)`);
    database.exec(`INSERT INTO approvals (id, session_id, call_id, tool, risk, body, decision, scope, answered_at)
      VALUES ('a', 's', 'c', 'write_file', 'write', '{}', 'allow', 'session', 1)`);
    database.close();
    const reopened = old.open();
    expect(reopened.sessionGrants('s')).toEqual([]);
    expect(reopened.grants()).toEqual([]);
    old.remove();
  });

  test('settings are checked when they are read', () => {
    store.writeSetting('theme', 'dark');
    expect(store.readSetting('theme', z.enum(['dark', 'light']))).toBe('dark');
    expect(store.readSetting('theme', z.number())).toBeUndefined();
    expect(store.readSetting('nothing', z.number())).toBeUndefined();
    expect(folder.errors).toHaveLength(1);
  });
});

describe('damage', () => {
  test('a damaged item or turn is shown as such and reported, and the rest is there', () => {
    create();
    store.saveTurn('s', turn());
    store.saveItem('s', textItem(0));
    store.saveItem('s', toolItem(1));
    tamper("UPDATE items SET body = 'not json' WHERE id = 'i0'");
    tamper("UPDATE turns SET body = '{}'");
    const snapshot = store.loadSnapshot('s', 10);
    expect(snapshot?.items[0]).toMatchObject({ kind: 'error', index: 0, id: 'i0', turnId: 't' });
    expect(snapshot?.items[1]).toEqual(toolItem(1));
    expect(snapshot?.turns[0]).toMatchObject({ id: 't', status: 'running' });
    expect(folder.errors.map(({ fields }) => fields)).toEqual([
      { table: 'items', id: 'i0' },
      { table: 'turns', id: 't' },
    ]);
  });

  test('a file that is no database is told with advice and left as it is', () => {
    store.close();
    const path = join(folder.path, 'andiron.db');
    writeFileSync(path, 'x'.repeat(8192));
    expect(storageError(() => folder.open()).advice).toContain('backups');
    expect(readFileSync(path, 'utf8')).toBe('x'.repeat(8192));
  });

  test('a page overwritten with garbage is found at start', () => {
    create();
    for (let index = 0; index < 200; index++) store.saveItem('s', textItem(index, { text: 'x'.repeat(500) }));
    store.close();
    const path = join(folder.path, 'andiron.db');
    const bytes = readFileSync(path);
    bytes.fill(0xff, 4096 * 20, 4096 * 24);
    writeFileSync(path, bytes);
    expect(storageError(() => folder.open()).message).toContain('damaged');
  });

  test('a data folder that cannot be made is told', () => {
    const blocked = join(folder.path, 'file');
    writeFileSync(blocked, '');
    const open = () =>
      openStore({ dataDir: join(blocked, 'data'), log: silentLog, newId: (prefix) => prefix });
    expect(storageError(open).advice).toContain('--data-dir');
  });
});

test('a transaction that throws leaves nothing', () => {
  create();
  expect(() =>
    store.transaction(() => {
      store.saveItem('s', textItem(0));
      store.transaction(() => store.saveItem('s', textItem(1)));
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(store.pageItems('s', { limit: 10 }).items).toEqual([]);
});
