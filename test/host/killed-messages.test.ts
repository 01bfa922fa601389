/** A host that dies at any write loses no message of a bridge and answers none twice. */
import { expect, test } from 'vitest';
import type { PlatformBridge, Receiver } from '../../src/bridges/platform-bridge.ts';
import { createCarrier } from '../../src/bridges/carrier.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import { reply, rule, script, type Rule } from '../../src/sim/index.ts';
import { MortalHouse } from '../helpers/mortal-house.ts';
import { drawnBelow, isThorough } from '../helpers/thorough.ts';

const rounds = isThorough ? 100 : 8;
/** About as many writes as two messages need. */
const maxWrites = 60;
const messageIds = ['m0', 'm1'];

/** Whole words: the first message of a session brings the name of its folder, which is drawn and may hold an id. */
const answerTo = (id: string): Rule =>
  rule({ user: new RegExp(`Message ${id}\\.`, 'v') }, reply().text(`Answer ${id}.`));

/** A platform that gives each of its messages to the bridge twice, and keeps what it is sent. */
function platform() {
  const sent: [string, string][] = [];
  const complete = Promise.withResolvers<void>();
  const started = Promise.withResolvers<Receiver>();
  const bridge: PlatformBridge = {
    start(given) {
      started.resolve(given);
      return Promise.resolve('');
    },
    pieces: ({ content }) => [{ text: content }],
    send({ messageId }, piece) {
      sent.push([messageId, 'text' in piece ? piece.text : '']);
      if (new Set(sent.map(([id]) => id)).size === messageIds.length) complete.resolve();
      return Promise.resolve();
    },
    stop: () => Promise.resolve(),
  };
  const bring = async (): Promise<void> => {
    const receiver = await started.promise;
    await Promise.all(
      [...messageIds, ...messageIds].map((messageId) =>
        receiver.receive({
          messageId,
          platformUserId: '42',
          userName: '',
          server: '',
          channel: 'c',
          thread: '',
          isDirect: true,
          text: `Message ${messageId}.`,
          files: [],
        }),
      ),
    );
  };
  return { bridge, bring, sent, complete: complete.promise };
}

test(
  `Of ${String(rounds)} hosts that die at some write, none loses a message or answers it twice (X12, B10)`,
  { timeout: 80_000 * rounds },
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const house = await MortalHouse.start({
        sim: { script: script(messageIds.map(answerTo)) },
      });
      const { bridge, bring, sent, complete } = platform();
      const carrier = createCarrier({ bridge, clock: systemClock, log: silentLog });
      try {
        await carrier.start();
        house.doom(drawnBelow(maxWrites));
        carrier.connect(house.openBridge('telegram'));
        const brought = bring();
        await Promise.race([house.died, complete]);
        house.kill();
        await house.birth();
        carrier.connect(house.openBridge('telegram'));
        await brought;
        await bring();
        await complete;
        expect(sent).toHaveLength(messageIds.length);
        expect(Object.fromEntries(sent)).toEqual({ m0: 'Answer m0.', m1: 'Answer m1.' });
      } finally {
        await carrier.stop();
        await house.close();
      }
    }
  },
);
