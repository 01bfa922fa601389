/** A bridge's process that is killed with kill -9, at any moment, loses no message and answers none twice. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { FromBridge } from '../../src/platform/bridge-channel.ts';
import { forkBridge } from '../../src/platform/fork-bridge.ts';
import type { BridgeProcess } from '../../src/platform/kept-bridge.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';
import { botToken, TelegramStandIn } from '../helpers/telegram-stand-in.ts';
import { drawnBelow, isThorough } from '../helpers/thorough.ts';

const rounds = isThorough ? 100 : 6;
const root = fileURLToPath(new URL('../..', import.meta.url));
const entry = fileURLToPath(new URL('../../src/bridges/entry.ts', import.meta.url));
const repeatMark = '<i>Sent again after a restart:</i>\n\n';

function startBridge(world: World, apiRoot: string): BridgeProcess {
  const bridge = forkBridge({ entry, readable: root });
  bridge.post({ type: 'init', settings: { kind: 'telegram', token: botToken, apiRoot } });
  const [bridgeEnd, hostEnd] = createTransportPair();
  world.host.connectBridge(hostEnd, 'telegram');
  bridge.connect(bridgeEnd);
  return bridge;
}

const exited = (bridge: BridgeProcess): Promise<void> =>
  new Promise((resolve) => bridge.onExit(() => resolve()));

test(
  `${String(rounds)} bridges killed while they bring and send leave each message answered once (X12, X10)`,
  { timeout: 100_000 * rounds },
  async () => {
    const answers = script([
      rule({}, ({ lastUser }) => reply().text(`Answer to ${/message \d+\./.exec(lastUser)?.[0] ?? ''}`)),
    ]);
    const world = await World.start({ sim: { script: answers } });
    const telegram = await TelegramStandIn.start();
    // A hundred messages are more than a guest may send at first.
    const rules = { guestTokens: null, isCacheFree: false };
    await world.openWindow().rpc.call('people/set-budget-rules', { rules });
    try {
      let bridge = startBridge(world, telegram.url);
      for (let round = 0; round < rounds; round += 1) {
        telegram.write({ text: `message ${String(round)}.` });
        // From before it is fetched to after its answer was sent.
        const requests = telegram.requests + 1 + drawnBelow(3);
        await telegram.until(() => telegram.requests >= requests);
        bridge.kill();
        await exited(bridge);
        bridge = startBridge(world, telegram.url);
        const isAnswered = (): boolean =>
          telegram.texts().some((text) => text.endsWith(`Answer to message ${String(round)}.`));
        await telegram.until(isAnswered);
      }
      const other = world.openBridge('telegram');
      while ((await other.call('bridge/open', {})).waiting.length > 0);
      bridge.post({ type: 'stop' });
      await exited(bridge);
      const first = telegram.texts().filter((text) => !text.startsWith(repeatMark));
      const repeated = telegram.texts().filter((text) => text.startsWith(repeatMark));
      // Nobody knows whether a piece arrived whose bridge was killed while it was sent: sent again, it says so.
      const all = new Set([...first, ...repeated.map((text) => text.slice(repeatMark.length))]);
      expect(all).toEqual(
        new Set(Array.from({ length: rounds }, (_, n) => `Answer to message ${String(n)}.`)),
      );
      expect(first).toHaveLength(new Set(first).size);
      const chats = world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');
      expect(chats).toHaveLength(rounds);
    } finally {
      await world.close();
      await telegram.close();
    }
  },
);

test('A bridge’s process cannot read a file outside of the app, start a program or write (X2)', async () => {
  const bridge = forkBridge({
    entry: fileURLToPath(new URL('../helpers/prying-bridge.ts', import.meta.url)),
    readable: root,
  });
  const message = await new Promise<FromBridge>((resolve) => bridge.onMessage(resolve));
  expect(message).toEqual({ type: 'log', level: 'warn', text: 'ERR_ACCESS_DENIED '.repeat(3).trim() });
  bridge.kill();
});
