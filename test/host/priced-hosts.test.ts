/** What a host with prices in `hosts.json` is paid, from its own counts to the sums that the window shows. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createHost } from '../../src/host/index.ts';
import type { hostMethods } from '../../src/protocol/host-methods.ts';
import { createRpcClient, type RpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { csvRows } from '../helpers/csv-rows.ts';
import { fastFolder, hostParts } from '../helpers/host-world.ts';
import { chunk, data, end, openAiServer, stream } from '../helpers/openai-server.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const counted = {
  prompt_tokens: 1_000,
  completion_tokens: 20,
  prompt_tokens_details: { cached_tokens: 600 },
};
const models = { data: [{ id: 'big', context_length: 32_768 }] };

/** A host that names these prices, and a window that asked it once. */
async function asked(prices: unknown, usage: object = counted): Promise<RpcClient<typeof hostMethods>> {
  const dir = mkdtempSync(join(fastFolder(), 'andiron-prices-'));
  closing.push(() => rmSync(dir, { recursive: true, force: true }));
  for (const name of ['data', 'workspace']) mkdirSync(join(dir, name));
  const server = await openAiServer((response, request) => {
    if (request.path.endsWith('/models')) response.end(JSON.stringify(models));
    else
      void stream(
        chunk({ content: 'Hello.' }),
        chunk({}, 'stop'),
        data({ choices: [], usage }),
        end,
      )(response, request);
  });
  closing.push(() => server.close());
  const hosts = {
    hosts: [{ id: 'lab', kind: 'openai', url: server.url, ...(prices !== null && { prices }) }],
  };
  writeFileSync(join(dir, 'data', 'hosts.json'), JSON.stringify(hosts));
  const host = await createHost(hostParts(dir));
  closing.push(() => host.close());
  const [windowEnd, hostEnd] = createTransportPair();
  host.connectWindow(hostEnd);
  const window = createRpcClient<typeof hostMethods>(windowEnd);
  const { session } = await window.call('session/create', {});
  await window.call('session/update', { sessionId: session.id, model: 'lab/big' });
  const { status } = await window.call('turn/run', { sessionId: session.id, text: 'Hello' });
  expect(status).toBe('finished');
  return window;
}

it('A request to a host with prices has its cost in the sums and in the CSV, by the name that was asked (I8)', async () => {
  const window = await asked({ currency: 'EUR', models: { big: { input: 2, cached: 0.2, output: 10 } } });
  const { totals, groups } = await window.call('usage/query', { groupBy: 'model' });
  // 400 tokens at 2, 600 at 0.2 and 20 at 10, each per million.
  expect(totals).toMatchObject({
    requests: 1,
    readTokens: 400,
    costs: [{ nano: 1_120_000, currency: 'EUR' }],
  });
  expect(groups.map(({ key }) => key)).toEqual(['lab/served']);
  const [row] = csvRows((await window.call('usage/export', {})).csv);
  expect(row).toMatchObject({ model: 'lab/served', cost: '0.00112', currency: 'EUR' });
});

it('A request to a host without prices has no cost, and its tokens are counted (I8)', async () => {
  const { totals } = await (await asked(null)).call('usage/query', {});
  expect(totals).toMatchObject({ inputTokens: 1_000, cachedTokens: 600, outputTokens: 20, costs: [] });
});

it('A simple message takes one request, no tool and 100 tokens, in the usage of its person (O2)', async () => {
  const window = await asked(null, { prompt_tokens: 80, completion_tokens: 20 });
  const { groups } = await window.call('usage/query', { groupBy: 'user' });
  expect(groups).toMatchObject([{ key: 'owner', requests: 1, inputTokens: 80, outputTokens: 20 }]);
});
