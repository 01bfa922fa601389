/** What a person reads when the agent host cannot start: its real process, its real words. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../platform/clock.ts';
import { codeCacheVariables } from '../platform/code-cache.ts';
import { forkHost } from '../platform/fork-host.ts';
import type { ToHost } from '../platform/host-channel.ts';
import { connectLocally } from '../platform/local-socket.ts';
import { silentLog } from '../platform/log.ts';
import type { Pipe } from '../platform/pipe.ts';
import { HostSupervisor, type HostStatus } from '../platform/supervision.ts';
import type { HostMethods } from '../protocol/host-methods.ts';
import { createRpcClient } from '../protocol/rpc-client.ts';
import { migrations } from './store/migrations/index.ts';
import { openDatabase } from './store/sqlite.ts';
import { openStore } from './store/store.ts';
import { summary, textItem, turn } from './store/testing.ts';

const entry = fileURLToPath(new URL('entry.ts', import.meta.url));
const resourcesDir = fileURLToPath(new URL('../../resources', import.meta.url));

/** Each host starts from the sources: what one of them has compiled the next ones read. */
const compiled = mkdtempSync(join(tmpdir(), 'andiron-entry-code-'));
afterAll(() => rmSync(compiled, { recursive: true, force: true }));

let dir: string;
let supervisors: { stop(): Promise<void> }[];
let helpers: ChildProcess[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-entry-'));
  supervisors = [];
  helpers = [];
});
afterEach(async () => {
  await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
  for (const helper of helpers) helper.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

/** Resolves when it is ready, or lost with what the person is told. */
function start(listeners: { onClients?: (count: number) => void } = {}): Promise<HostStatus> {
  const settled = Promise.withResolvers<HostStatus>();
  const supervisor = new HostSupervisor({
    spawn: () => forkHost(entry, silentLog, { env: codeCacheVariables(compiled) }),
    init: { dataDir: dir, workspace: dir, resourcesDir },
    clock: systemClock,
    log: silentLog,
    ...listeners,
    onReady: () => settled.resolve({ state: 'ready' }),
    onGone: () => undefined,
    onStatus: (status) => {
      if (status.state === 'lost') settled.resolve(status);
    },
  });
  supervisors.push(supervisor);
  supervisor.start();
  return settled.promise;
}

const database = (): string => join(dir, 'andiron.db');

function fill(known: readonly string[] = migrations): void {
  const store = openStore({
    dataDir: dir,
    log: silentLog,
    newId: (prefix) => prefix,
    migrations: known,
  });
  store.createSession({ summary: summary(), workspaceReal: dir, contextUsage: null });
  store.saveTurn('s', turn());
  for (let index = 0; index < 300; index += 1) {
    store.saveItem('s', textItem(index, { text: 'x'.repeat(500) }));
  }
  store.close();
}

/** Another program with the file in its hand; resolves once it holds it. */
async function holdDatabase(): Promise<void> {
  const program = `
    import Sqlite from 'better-sqlite3';
    const held = new Sqlite(${JSON.stringify(database())});
    held.pragma('locking_mode = EXCLUSIVE');
    held.exec('BEGIN EXCLUSIVE');
    console.log('held');
    setInterval(() => held.inTransaction, 1000);`;
  const helper = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  });
  helpers.push(helper);
  await once(createInterface({ input: helper.stdout }), 'line');
}

const lost = (message: RegExp, advice: RegExp) => ({
  state: 'lost',
  message: expect.stringMatching(message) as string,
  advice: expect.stringMatching(advice) as string,
});

describe('a start that fails says what happened and what to do', () => {
  test('a file that is no database', async () => {
    writeFileSync(database(), 'x'.repeat(8192));
    expect(await start()).toEqual(lost(/andiron\.db is damaged/, /Nothing was changed.*backups/));
    expect(readFileSync(database(), 'utf8')).toBe('x'.repeat(8192));
  });

  test('a damaged database', async () => {
    fill();
    const bytes = readFileSync(database());
    bytes.fill(0xff, 4096 * 20, 4096 * 24);
    writeFileSync(database(), bytes);
    expect(await start()).toEqual(lost(/is damaged/, /Nothing was changed.*backups/));
    expect(readFileSync(database()).equals(bytes)).toBe(true);
  });

  test('a truncated database', async () => {
    fill();
    truncateSync(database(), Math.floor(statSync(database()).size / 2));
    expect(await start()).toEqual(lost(/is damaged/, /Nothing was changed.*backups/));
  });

  test('a database that another program holds', async () => {
    fill();
    await holdDatabase();
    expect(await start()).toEqual(lost(/Another program uses the database/, /Close the other Andiron/));
  });

  test('data of a newer Andiron', async () => {
    const now = migrations.length;
    fill([...migrations, 'CREATE TABLE of_tomorrow (id TEXT) STRICT;']);
    expect(await start()).toEqual(
      lost(
        new RegExp(`newer Andiron \\(data version ${now + 1}, this one knows ${now}\\)`),
        /Update Andiron/,
      ),
    );
  });

  test('data that cannot be brought to this version', async () => {
    const strange = openDatabase(database());
    strange.exec("CREATE TABLE sessions (id TEXT) STRICT; INSERT INTO sessions VALUES ('kept')");
    strange.close();
    expect(await start()).toEqual(
      lost(/could not be brought to version 1 .*already exists/, /Nothing was changed/),
    );
    const left = openDatabase(database());
    expect(left.query('SELECT id FROM sessions', z.object({ id: z.string() })).all()).toEqual([
      { id: 'kept' },
    ]);
    left.close();
  });

  test('a second Andiron on the same data', async () => {
    expect(await start()).toEqual({ state: 'ready' });
    expect(await start()).toEqual(lost(/Another Andiron \(process \d+\) is using/, /--data-dir/));
  });
});

test('the log of a start that failed has the details', async () => {
  writeFileSync(database(), 'x'.repeat(8192));
  await start();
  expect(readFileSync(join(dir, 'logs', 'host.log'), 'utf8')).toContain('cannot start');
});

test('a host starts with kept code that is broken, and keeps good code in its place', async () => {
  const startOnce = async (): Promise<void> => {
    const host = forkHost(entry, silentLog, { env: codeCacheVariables(dir) });
    const ended = Promise.withResolvers<number | null>();
    host.onExit(ended.resolve);
    host.onMessage(({ type }) => {
      if (type === 'ready') host.post({ type: 'stop' });
    });
    host.post({ type: 'init', init: { dataDir: dir, workspace: dir, resourcesDir } });
    expect(await ended.promise).toBe(0);
  };
  const folder = codeCacheVariables(dir)['NODE_COMPILE_CACHE'] ?? '';
  const kept = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  await startOnce();
  expect(kept().length).toBeGreaterThan(0);
  for (const file of kept()) writeFileSync(file, 'no code at all');
  await startOnce();
  for (const file of kept()) expect(readFileSync(file, 'utf8')).not.toBe('no code at all');
});

test('the log says what ended a host that failed later', async () => {
  const host = forkHost(entry, silentLog, { output: 'ignore' });
  const ended = Promise.withResolvers<number | null>();
  host.onExit(ended.resolve);
  host.onMessage(({ type }) => {
    // Nothing that it could read.
    if (type === 'ready') host.post(JSON.parse('null') as ToHost);
  });
  host.post({ type: 'init', init: { dataDir: dir, workspace: dir, resourcesDir } });
  expect(await ended.promise).not.toBe(0);
  expect(readFileSync(join(dir, 'logs', 'host.log'), 'utf8')).toContain('The agent host ends');
});

/** The host listens soon after it is ready. */
async function reachHost(): Promise<Pipe> {
  const found: { pipe: Pipe | null } = { pipe: null };
  await expect.poll(async () => (found.pipe ??= await connectLocally(dir, 1e8))).not.toBeNull();
  if (!found.pipe) throw new Error('Nobody listens.');
  return found.pipe;
}

test('another program of the owner reaches a running host over the socket in its data folder, and counts as one', async () => {
  const counts: number[] = [];
  expect(await start({ onClients: (count) => counts.push(count) })).toEqual({ state: 'ready' });
  const rpc = createRpcClient<HostMethods>(await reachHost());
  const { session } = await rpc.call('session/create', { workspace: dir });
  const { sessions } = await rpc.call('host/subscribe', {});
  expect(sessions.map(({ id }) => id)).toEqual([session.id]);
  rpc.close();
  await expect.poll(() => counts).toEqual([1, 0]);
});

test('a host that was killed leaves a socket that the next one replaces', async () => {
  expect(await start()).toEqual({ state: 'ready' });
  const rpc = createRpcClient<HostMethods>(await reachHost());
  const closed = new Promise<void>((resolve) => rpc.onClose(resolve));
  const { pid } = JSON.parse(readFileSync(join(dir, 'andiron.lock'), 'utf8')) as { pid: number };
  process.kill(pid, 'SIGKILL');
  await closed;
  // Its socket closes a moment after its connections: who comes in between is lost with it and has to come again.
  const sessions = async (): Promise<unknown> => {
    const again = createRpcClient<HostMethods>(await reachHost());
    try {
      return (await again.call('host/subscribe', {})).sessions;
    } catch {
      return null;
    } finally {
      again.close();
    }
  };
  await expect.poll(sessions).toEqual([]);
});

test('a host starts where it cannot listen, and the log says so', async () => {
  writeFileSync(join(dir, 'host.sock'), 'no socket');
  expect(await start()).toEqual({ state: 'ready' });
  const log = (): string => readFileSync(join(dir, 'logs', 'host.log'), 'utf8');
  await expect.poll(log).toContain('other programs cannot reach this host');
});
