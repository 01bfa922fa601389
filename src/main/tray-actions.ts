/** The tray of the running app: what it shows of host and engine, and what its entries do. */
import { app } from 'electron';
import type { Log } from '../platform/log.ts';
import type { DesktopHost } from './desktop-host.ts';
import type { MainEngine } from './main-engine.ts';
import { showFailure } from './show-failure.ts';
import { texts } from './texts.ts';
import { createTray, type AppTray } from './tray.ts';

export interface OpenTrayOptions {
  icon: string;
  platform: NodeJS.Platform;
  host: DesktopHost;
  engine: MainEngine;
  openWindow: () => void;
  log: Log;
}

/** Follows host and engine until it is removed. */
export function openTray({ icon, platform, host, engine, openWindow, log }: OpenTrayOptions): AppTray {
  const askEngine = (method: 'engine/lend' | 'engine/take-back'): void => {
    engine
      .call(method)
      .catch((error: unknown) =>
        showFailure(texts.releaseFailed, error instanceof Error ? error.message : String(error)),
      );
  };
  const tray = createTray(icon, platform, {
    open: openWindow,
    stop() {
      host.stopAllTurns().catch((error: unknown) => log.error('the tray could not stop the turns', error));
    },
    stopOne(sessionId) {
      host
        .stopTurn(sessionId)
        .catch((error: unknown) => log.error('the tray could not stop the turn', error));
    },
    releaseGpu: () => askEngine('engine/lend'),
    reclaimGpu: () => askEngine('engine/take-back'),
    quit: () => app.quit(),
  });

  const refresh = (): void =>
    tray.show({ engine: engine.state(), runningTurns: host.runningTurns(), busy: host.busy() });
  host.onChange(refresh);
  engine.onChange(refresh);
  refresh();
  return tray;
}
