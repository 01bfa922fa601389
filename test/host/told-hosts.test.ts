/** What a window is told of the hosts beside the engine. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createHost } from '../../src/host/index.ts';
import type { hostMethods } from '../../src/protocol/host-methods.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { fastFolder, hostParts } from '../helpers/host-world.ts';
import { openAiServer } from '../helpers/openai-server.ts';

it('A window is told the ids of the other hosts, so that it names the model that is asked', async () => {
  const dir = mkdtempSync(join(fastFolder(), 'andiron-hosts-'));
  mkdirSync(join(dir, 'data'));
  const hosts = { hosts: [{ id: 'lab', kind: 'openai', url: 'http://127.0.0.1:9' }] };
  writeFileSync(join(dir, 'data', 'hosts.json'), JSON.stringify(hosts));
  const host = await createHost(hostParts(dir));
  const [windowEnd, hostEnd] = createTransportPair();
  host.connectWindow(hostEnd);
  const window = createRpcClient<typeof hostMethods>(windowEnd);
  expect(await window.call('host/subscribe', {})).toMatchObject({ hosts: ['lab'] });
  await host.close();
  rmSync(dir, { recursive: true, force: true });
});

it('Each of the other hosts says which models it has, and one that is off why it says none', async () => {
  const server = await openAiServer((response) => {
    response.end(JSON.stringify({ data: [{ id: 'qwen3-30b' }, { id: 'org/coder' }] }));
  });
  const dir = mkdtempSync(join(fastFolder(), 'andiron-hosts-'));
  mkdirSync(join(dir, 'data'));
  const hosts = [
    { id: 'lab', name: 'The lab', kind: 'openai', url: server.url },
    { id: 'off', kind: 'ollama', url: 'http://127.0.0.1:9' },
  ];
  writeFileSync(join(dir, 'data', 'hosts.json'), JSON.stringify({ hosts }));
  const host = await createHost(hostParts(dir));
  const [windowEnd, hostEnd] = createTransportPair();
  host.connectWindow(hostEnd);
  const window = createRpcClient<typeof hostMethods>(windowEnd);
  expect((await window.call('model-host/models', {})).hosts).toEqual([
    { hostId: 'lab', name: 'The lab', models: ['lab/qwen3-30b', 'lab/org/coder'], problem: null },
    {
      hostId: 'off',
      name: 'off',
      models: [],
      problem: expect.objectContaining({ code: 'engine_unavailable' }) as object,
    },
  ]);
  expect((await window.call('model-host/models', { hostId: 'lab' })).hosts).toHaveLength(1);
  await host.close();
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});
