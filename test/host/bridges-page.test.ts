/** What docs/bridges.md tells people to run is run here as it stands there. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCarrier } from '../../src/bridges/carrier.ts';
import { createWebhookBridge } from '../../src/bridges/webhook/webhook-bridge.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { freePort } from '../helpers/free-port.ts';
import { World } from '../helpers/host-world.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/bridges.md', import.meta.url)), 'utf8');
const blockOf = (language: string): string => page.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';

let world: World;
let carrier: ReturnType<typeof createCarrier>;
let env: Record<string, string | undefined>;
beforeEach(async () => {
  const answers = script([rule({}, reply().text('Good day.'))]);
  world = await World.start({ sim: { script: answers } });
  const bridge = createWebhookBridge({
    port: 0,
    secret: 'a "secret" of $ours',
    answerUrl: null,
    clock: systemClock,
    onInternalError: () => undefined,
  });
  carrier = createCarrier({ bridge, clock: systemClock, log: silentLog });
  const [bridgeEnd, hostEnd] = createTransportPair();
  world.host.connectBridge(hostEnd, 'webhook');
  carrier.connect(bridgeEnd);
  env = { ...process.env, ANDIRON_URL: await carrier.start(), ANDIRON_SECRET: 'a "secret" of $ours' };
});
afterEach(async () => {
  await carrier.stop();
  await world.close();
});

test.skipIf(process.platform === 'win32')(
  'The curl and openssl of docs/bridges.md bring a message and get its answer (X10)',
  async () => {
    const { stdout } = await promisify(execFile)('sh', ['-ec', blockOf('sh')], { env });
    expect(JSON.parse(stdout)).toMatchObject({ id: '1', status: 'answered', content: 'Good day.' });
  },
);

test('The relay of docs/bridges.md takes a message in Slack’s form and answers in it (X10)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'andiron-relay-'));
  const file = join(folder, 'relay.mjs');
  await writeFile(file, blockOf('js'));
  const port = await freePort();
  const relay = spawn(process.execPath, [file], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(relay.stdout, 'data');
    const form = new URLSearchParams({
      team_id: 'T1',
      channel_id: 'C1',
      user_id: 'U1',
      user_name: 'ann',
      timestamp: '1355517523.000005',
      text: 'andiron: hello & good day?',
    });
    const response = await fetch(`http://127.0.0.1:${String(port)}/`, { method: 'POST', body: form });
    expect(await response.json()).toEqual({ text: 'Good day.' });
    const { sessions } = await world.openWindow().rpc.call('host/subscribe', {});
    expect(sessions[0]?.place).toMatchObject({ platform: 'webhook', channel: 'C1' });
  } finally {
    relay.kill('SIGKILL');
    await rm(folder, { recursive: true });
  }
});
