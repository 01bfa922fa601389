/** Where a bridge's process begins (`out/main/bridge.js`): main or the headless server starts one for each that is on. */

import { acceptBridgeChannel, type FromBridge } from '../platform/bridge-channel.ts';
import { systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { ChildSide } from '../platform/parent-channel.ts';
import type { Pipe } from '../platform/pipe.ts';
import { becomePrivate } from '../platform/umask.ts';
import { toWireError } from '../protocol/errors.ts';
import { bridgeSettingsSchema, type BridgeSettings } from '../protocol/bridge-settings.ts';
import { createCarrier } from './carrier.ts';
import type { PlatformBridge } from './platform-bridge.ts';
import { createTelegramBridge } from './telegram/telegram-bridge.ts';
import { createWebhookBridge } from './webhook/webhook-bridge.ts';

function main(side: ChildSide): void {
  becomePrivate();
  let carrier: ReturnType<typeof createCarrier> | undefined;
  const hosts: Pipe[] = [];
  const post = acceptBridgeChannel(
    {
      onInit(settings) {
        carrier = createCarrier({
          bridge: createBridge(bridgeSettingsSchema.parse(settings)),
          clock: systemClock,
          log,
        });
        for (const pipe of hosts.splice(0)) carrier.connect(pipe);
        carrier.start().then((at) => report({ type: 'listening', at }), fail);
      },
      onHost(pipe) {
        if (carrier) carrier.connect(pipe);
        else hosts.push(pipe);
      },
      onStop: async () => carrier?.stop(),
    },
    side,
  );
  const report = (message: FromBridge): void => post(message);
  const write = (level: 'warn' | 'error', text: string, about: object): void =>
    report({ type: 'log', level, text: `${text} ${JSON.stringify(about)}` });
  const log: Log = {
    info: () => undefined,
    warn: (text, about = {}) => write('warn', text, about),
    error: (text, error, about = {}) => write('error', text, { ...about, error: String(error) }),
  };
  const fail = (error: unknown): void => {
    const { message, advice = '' } = toWireError(error);
    report({ type: 'failed', message, advice });
  };

  const createBridge = (settings: BridgeSettings): PlatformBridge => {
    const { kind } = settings;
    switch (kind) {
      case 'webhook':
        return createWebhookBridge({
          ...settings,
          clock: systemClock,
          onInternalError: (error) => log.error('A request could not be served', error),
        });
      case 'telegram': {
        const { token, apiRoot } = settings;
        return createTelegramBridge({
          token,
          ...(apiRoot !== null && { apiRoot }),
          clock: systemClock,
          log,
          onFailed: fail,
        });
      }
    }
  };
}

main(process);
