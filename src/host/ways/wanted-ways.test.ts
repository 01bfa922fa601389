import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { systemFiles } from '../../platform/files.ts';
import type { Keychain } from '../../platform/keychain.ts';
import { silentLog } from '../../platform/log.ts';
import { gatewaySettingsSchema } from '../../protocol/bridge-settings.ts';
import { storeFolder, type StoreFolder } from '../store/testing.ts';
import { createGatewayAuthority } from './gateway-authority.ts';
import { createWaySecrets } from './way-secrets.ts';
import { createWays, type Ways, type WaysDeps } from './wanted-ways.ts';

let folder: StoreFolder;
let wanted: Parameters<WaysDeps['onWanted']>[0][];
let changes: number;
beforeEach(() => {
  folder = storeFolder();
  wanted = [];
  changes = 0;
});
afterEach(() => folder.remove());

const openWays = (keychain: Keychain | null = null, clock: Pick<Clock, 'now'> = systemClock) => {
  const files = systemFiles;
  const dataDir = folder.path;
  const secrets = createWaySecrets({ files, dataDir, keychain });
  return createWays({
    store: folder.open(),
    secrets,
    authority: createGatewayAuthority({ secrets, files, dataDir, clock }),
    onWanted: (each) => void wanted.push(each),
    onChange: () => void (changes += 1),
    log: silentLog,
  });
};
const secretsFile = (): string => readFileSync(join(folder.path, 'way-secrets.json'), 'utf8');

/** Its seal is no secret, but it shows that it was asked. */
const keychain: Keychain = {
  name: 'gnome',
  seal: (text) => Promise.resolve(`sealed ${String(text.length)}`),
  open: (sealed) => (sealed === 'sealed 5' ? Promise.resolve('12345') : Promise.reject(new Error('locked'))),
};

test('Every way is off at first and wants nothing', async () => {
  const ways = openWays();
  await ways.start();
  expect(wanted).toEqual([[]]);
  expect((await ways.list()).map(({ id, isOn, hasSecret }) => [id, isOn, hasSecret])).toEqual([
    ['gateway', false, true],
    ['webhook', false, false],
    ['telegram', false, false],
  ]);
});

test('A way is turned on only with its secret, and runs with it from then on', async () => {
  const ways = openWays();
  await expect(ways.change('telegram', { settings: { isOn: true } })).rejects.toMatchObject({
    code: 'invalid_params',
  });
  await ways.change('telegram', { settings: { isOn: true }, secret: '42:token' });
  expect(wanted.at(-1)).toEqual([
    { id: 'telegram', settings: { kind: 'telegram', token: '42:token', apiRoot: null } },
  ]);
  expect(changes).toBeGreaterThan(0);
});

test('The gateway is turned on without a secret, at its own port, and takes none', async () => {
  const ways = openWays();
  await ways.change('gateway', { settings: { isOn: true } });
  expect(wanted.at(-1)).toEqual([
    {
      id: 'gateway',
      settings: { kind: 'gateway', port: 11_480, authority: null },
    },
  ]);
  await expect(ways.change('gateway', { settings: {}, secret: 'x' })).rejects.toMatchObject({
    code: 'invalid_params',
  });
  await ways.change('gateway', { settings: { isOn: false } });
  expect(wanted.at(-1)).toEqual([]);
});

test('What was chosen holds after a restart, and a secret that is taken away turns its way off', async () => {
  const before = openWays();
  const settings = { isOn: true, port: 8_000, answerUrl: 'https://example.com/in' };
  await before.change('webhook', { settings, secret: 's' });
  const ways = openWays();
  await ways.start();
  expect(wanted.at(-1)).toEqual([
    {
      id: 'webhook',
      settings: { kind: 'webhook', port: 8_000, secret: 's', answerUrl: 'https://example.com/in' },
    },
  ]);
  expect(await ways.change('webhook', { settings: {}, secret: null })).toMatchObject({
    isOn: false,
    hasSecret: false,
    port: 8_000,
  });
  expect(wanted.at(-1)).toEqual([]);
});

test('A secret is never in what is shown, and lies sealed where there is a keychain', async () => {
  const ways = openWays(keychain);
  await ways.change('telegram', { settings: { isOn: true }, secret: '12345' });
  expect(JSON.stringify(await ways.list())).not.toContain('12345');
  expect(secretsFile()).not.toContain('12345');
  expect(wanted.at(-1)?.[0]?.settings).toMatchObject({ token: '12345' });
});

test.skipIf(process.platform === 'win32')(
  'Without a keychain the secret lies in a file of this person alone',
  async () => {
    await openWays().change('webhook', { settings: {}, secret: 'abc' });
    expect(secretsFile()).toContain('abc');
    expect(statSync(join(folder.path, 'way-secrets.json')).mode & 0o077).toBe(0);
  },
);

test('A keychain that refuses keeps one way from starting, with its reason, and not the other', async () => {
  const ways = openWays(keychain);
  await ways.change('telegram', { settings: { isOn: true }, secret: '12345' });
  await ways.change('webhook', { settings: { isOn: true }, secret: 'other' });
  await ways.change('webhook', { settings: {}, secret: 'longer than five' });
  expect(wanted.at(-1)?.map(({ id }) => id)).toEqual(['telegram']);
  const webhook = (await ways.list()).find(({ id }) => id === 'webhook');
  expect(webhook?.state).toEqual({
    state: 'failed',
    message: 'The system keychain refused: locked.',
    advice: 'Unlock your keychain, or set the secret again.',
  });
});

/** Of the gateway, as its process would get it. */
const authority = () => gatewaySettingsSchema.parse(wanted.at(-1)?.[0]?.settings).authority;

test('The local network that is turned on and off at once is not served', async () => {
  const ways = openWays();
  await ways.change('gateway', { settings: { isOn: true } });
  const on = ways.change('gateway', { settings: { isOnNetwork: true } });
  const off = ways.change('gateway', { settings: { isOnNetwork: false } });
  await Promise.all([on, off]);
  expect(authority()).toBeNull();
});

test('A way that is turned off while another change of it is under way stays off', async () => {
  const ways = openWays();
  await ways.change('gateway', { settings: { isOn: true } });
  const moved = ways.change('gateway', { settings: { port: 8_000 } });
  const off = ways.change('gateway', { settings: { isOn: false } });
  await Promise.all([moved, off]);
  expect((await ways.list())[0]).toMatchObject({ isOn: false, port: 8_000 });
  expect(wanted.at(-1)).toEqual([]);
});

/** A start that waits for the keychain, after a secret was set with one that was open. */
async function startWaiting() {
  await openWays(keychain).change('telegram', { settings: { isOn: true }, secret: '12345' });
  const answer = Promise.withResolvers<string>();
  const asked = Promise.withResolvers<void>();
  const open = (): Promise<string> => {
    asked.resolve();
    return answer.promise;
  };
  const ways = openWays({ ...keychain, open });
  const started = ways.start();
  await asked.promise;
  return { ways, started, answer };
}

test('A way that is turned off while the keychain waits for the person does not start once it is unlocked', async () => {
  const { ways, started, answer } = await startWaiting();
  await ways.change('telegram', { settings: { isOn: false } });
  answer.resolve('12345');
  await started;
  expect(wanted.at(-1)).toEqual([]);
});

const telegramOf = async (ways: Ways) => (await ways.list()).find(({ id }) => id === 'telegram');

test('A refusal of the keychain after its way was turned off is not shown', async () => {
  const { ways, started, answer } = await startWaiting();
  await ways.change('telegram', { settings: { isOn: false } });
  answer.reject(new Error('locked'));
  await started;
  expect((await telegramOf(ways))?.state).toEqual({ state: 'off' });
});

test('A way that could not be started is off once it is turned off', async () => {
  const { ways, started, answer } = await startWaiting();
  answer.reject(new Error('locked'));
  await started;
  expect((await telegramOf(ways))?.state.state).toBe('failed');
  expect(await ways.change('telegram', { settings: { isOn: false } })).toMatchObject({
    state: { state: 'off' },
  });
});

test('What becomes of a way is shown, and of one that nobody knows nothing is', async () => {
  const ways = openWays();
  ways.stateChanged('telegram', { state: 'listening', at: '@bot' });
  ways.stateChanged('owner', { state: 'listening', at: 'x' });
  expect((await ways.list()).map(({ state }) => state)).toEqual([
    { state: 'off' },
    { state: 'off' },
    { state: 'listening', at: '@bot' },
  ]);
});

test('The gateway serves the network with one authority for years, whose key is in no file that others read', async () => {
  const day = 24 * 60 * 60 * 1000;
  let now = Date.UTC(2026, 0, 1);
  const at = { now: () => now };
  const before = openWays(null, at);
  await before.change('gateway', { settings: { isOn: true } });
  expect(authority()).toBeNull();
  const { certificatePath } = await before.change('gateway', { settings: { isOnNetwork: true } });
  const first = authority();
  expect(readFileSync(certificatePath ?? '', 'utf8')).toBe(first?.certificate);
  now += 8 * 365 * day;
  await openWays(null, at).start();
  expect(authority()).toEqual(first);
  now += 365 * day;
  await openWays(null, at).start();
  expect(authority()?.key).not.toBe(first?.key);
  expect(readFileSync(certificatePath ?? '', 'utf8')).toBe(authority()?.certificate);
});
