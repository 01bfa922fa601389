/** Other model servers that drop a request before its first word. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createHost } from '../../src/host/index.ts';
import type { hostMethods } from '../../src/protocol/host-methods.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { fastFolder, hostParts } from '../helpers/host-world.ts';
import { openAiServer, refusal, saying, type Answer } from '../helpers/openai-server.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const dropped: Answer = (response) => void response.destroy();
const busy = refusal(503, '{"error":{"message":"Busy."}}');

/** Servers by name, each with its answers; the last one answers whatever comes after. The first has the session's model. */
async function openServers(servers: Record<string, Answer[]>) {
  const dir = mkdtempSync(join(fastFolder(), 'andiron-dropped-'));
  closing.push(() => rmSync(dir, { recursive: true, force: true }));
  const asked: string[] = [];
  const hosts: object[] = [];
  for (const [id, answers] of Object.entries(servers)) {
    let chats = 0;
    const server = await openAiServer(async (response, request) => {
      if (request.path.endsWith('/models')) {
        response.end(JSON.stringify({ data: [{ id: 'm', context_length: 32_768 }] }));
        return;
      }
      asked.push(id);
      const answer = answers[Math.min(chats, answers.length - 1)];
      chats += 1;
      await answer?.(response, request);
    });
    closing.push(() => server.close());
    hosts.push({ id, kind: 'openai', url: server.url });
  }
  const profile = { name: 'Pair', models: Object.keys(servers).map((id) => `${id}/m`), tools: [] };
  const folder = join(dir, 'data', 'profiles', 'pair');
  for (const each of [join(dir, 'workspace'), folder]) mkdirSync(each, { recursive: true });
  writeFileSync(join(folder, 'profile.json'), JSON.stringify(profile));
  writeFileSync(join(folder, 'system.md'), 'Answer.');
  writeFileSync(join(dir, 'data', 'hosts.json'), JSON.stringify({ hosts }));
  const host = await createHost({ ...hostParts(dir), env: { ANDIRON_TITLES: 'off' } });
  closing.push(() => host.close());
  const [windowEnd, hostEnd] = createTransportPair();
  host.connectWindow(hostEnd);
  const window = createRpcClient<typeof hostMethods>(windowEnd);
  const { session } = await window.call('session/create', { profileId: 'pair' });
  return {
    /** Names of the servers that were asked for an answer, in order. */
    asked,
    send: () => window.call('turn/run', { sessionId: session.id, text: 'Hello' }),
  };
}

test('A turn goes on where its only model server drops one request before the first word', async () => {
  const { asked, send } = await openServers({ lab: [dropped, saying('Here.')] });
  expect(await send()).toMatchObject({ status: 'finished' });
  expect(asked).toEqual(['lab', 'lab']);
});

test('A turn that fails as its only model server drops each request leaves the next message a first try', async () => {
  const drops = Array.from({ length: 6 }, () => dropped);
  const { asked, send } = await openServers({ lab: [...drops, saying('Here.')] });
  expect(await send()).toMatchObject({ status: 'failed' });
  expect(asked).toHaveLength(6);
  expect(await send()).toMatchObject({ status: 'finished' });
  expect(asked).toHaveLength(7);
});

test('A model server that was waited for and answers is asked ahead of those behind it', async () => {
  const { asked, send } = await openServers({ lab: [dropped, saying('Here.')], attic: [busy] });
  expect(await send()).toMatchObject({ status: 'finished' });
  expect(asked).toEqual(['lab', 'attic', 'lab']);
});
