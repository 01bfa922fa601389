/** What Andiron 0.1.0 wrote is read by this one, all of it; `test/fixtures/0.1.0/make.mjs` says how it was made. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createHost, type Host } from '../../src/host/index.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { hostParts, Window } from '../helpers/host-world.ts';

const fixtures = fileURLToPath(new URL('../fixtures/0.1.0/', import.meta.url));
const json = (name: string): unknown => JSON.parse(readFileSync(join(fixtures, name), 'utf8'));
const record = z.looseObject({ id: z.string() });
const shown = z
  .object({
    sessions: z.array(record),
    profiles: z.array(record),
    transcripts: z.array(
      z.looseObject({ session: record, items: z.array(z.unknown()), turns: z.array(z.unknown()) }),
    ),
    memory: z.object({ facts: z.array(z.unknown()), summary: z.unknown() }),
    grants: z.array(z.unknown()),
    deleted: z.object({ sessionId: z.string() }),
  })
  .parse(json('shown.json'));

/** Today what was deleted then would be gone. */
const now = (): number => Date.parse('2026-11-24T00:00:00Z');

let root: string;
let host: Host;
let window: Window;
const problems: string[] = [];

beforeEach(async () => {
  problems.length = 0;
  root = mkdtempSync(join(tmpdir(), 'andiron-older-'));
  const [dataDir, workspace] = [join(root, 'data'), join(root, 'workspace')];
  for (const folder of [dataDir, workspace]) mkdirSync(folder);
  writeFileSync(join(dataDir, 'andiron.db'), gunzipSync(readFileSync(join(fixtures, 'andiron.db.gz'))));
  cpSync(join(fixtures, 'hosts.json'), join(dataDir, 'hosts.json'));
  cpSync(join(fixtures, 'profiles'), join(dataDir, 'profiles'), { recursive: true });
  const note = (message: string): void => void problems.push(message);
  const parts = hostParts(root);
  host = await createHost({
    ...parts,
    dataDir,
    workspace,
    clock: { ...parts.clock, now },
    log: { info: () => undefined, warn: note, error: note },
  });
  const [windowEnd, hostEnd] = createTransportPair();
  host.connectWindow(hostEnd);
  window = new Window(createRpcClient<HostMethods>(windowEnd));
});
afterEach(async () => {
  await host.close();
  rmSync(root, { recursive: true, force: true });
});

it('Every session of a database of 0.1.0 is listed as it was', async () => {
  const { sessions } = await window.rpc.call('host/subscribe', {});
  expect(sessions).toMatchObject(shown.sessions);
  expect(problems).toEqual([]);
});

it('Every turn and item of a database of 0.1.0 is shown as it was', async () => {
  expect(shown.transcripts.length).toBeGreaterThan(2);
  for (const { session, ...transcript } of shown.transcripts) {
    const { snapshot } = await window.rpc.call('session/subscribe', { sessionId: session.id });
    expect(snapshot).toMatchObject(transcript);
  }
  expect(problems).toEqual([]);
});

it('What was remembered, allowed and deleted in 0.1.0 is still so', async () => {
  expect(await window.rpc.call('memory/list', {})).toMatchObject(shown.memory);
  expect((await window.rpc.call('approval/grants', {})).grants).toMatchObject(shown.grants);
  const { session } = await window.rpc.call('session/restore', shown.deleted);
  expect(session.id).toBe(shown.deleted.sessionId);
  expect(await window.rpc.call('storage/check', {})).toEqual({ problems: [] });
});

it('What was said in 0.1.0 is found, although it is in no index yet', async () => {
  const first = await window.rpc.call('session/search', { query: '東京都' });
  expect(first.hits.length).toBeGreaterThan(1);
  expect(first.complete).toBe(true);
});

it('Profiles and hosts.json of 0.1.0 are read without a complaint', async () => {
  const { profiles, problems: refused, hosts } = await window.rpc.call('host/subscribe', {});
  expect(refused).toEqual([]);
  expect(hosts).toEqual(['box', 'llamacpp']);
  for (const { tools, description, ...profile } of shown.profiles) {
    const now = profiles.find(({ id }) => id === profile['id']);
    // What Andiron says of its own may change; what a person wrote stays.
    expect(now).toMatchObject(now?.builtIn ? profile : { ...profile, description });
    // Those that come with Andiron have gained some since.
    const gained = now?.builtIn ? ['load_skill', 'search_collections'] : [];
    expect(now?.tools.filter((tool) => !gained.includes(tool))).toEqual(tools);
  }
  expect(problems).toEqual([]);
});

it('A session that 0.1.0 exported is imported with all of its turns and items', async () => {
  const imported = await window.rpc.call('session/import', { snapshot: json('session.json') });
  expect(imported.notices).toEqual([]);
  const { snapshot } = await window.rpc.call('session/subscribe', { sessionId: imported.session.id });
  const before = shown.transcripts.find(({ session }) => session['title'] === 'The shop');
  expect(snapshot.turns).toHaveLength(before?.turns.length ?? Number.NaN);
  expect(snapshot.items).toHaveLength(before?.items.length ?? Number.NaN);
});
