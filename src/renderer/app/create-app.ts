/** The composition root of the window: connections, stores, commands. */
import type { DesktopBridge } from '../../protocol/desktop.ts';
import type { WindowEngineMethods } from '../connection/engine-methods.ts';
import type { HostMethods } from '../../protocol/host-methods.ts';
import type { Services } from '../commands/command.ts';
import { createCommands, type Commands } from '../commands/commands.ts';
import { pageHighlighter, type Highlighter } from '../components/code/highlighter.ts';
import { pageLexer } from '../components/markdown/page-lexer.ts';
import type { MarkdownLexer } from '../components/markdown/reader.ts';
import { pageDrawings, type Drawings } from '../components/drawings/drawings.ts';
import { createWorkerStarter } from '../components/page-worker.ts';
import { Connection, type ConnectionClock } from '../connection/connection.ts';
import type { Connect } from '../connection/transports.ts';
import { pageFrameClock } from '../stores/frame-batch.ts';
import { createOutbox } from '../stores/outbox.ts';
import { browserStorage, windowIdOf } from '../stores/storage.ts';
import { createStores } from '../stores/stores.ts';
import { pageFiles } from './browser-files.ts';
import { startPageEffects } from './page-effects.ts';
import { pageNotifier } from './page-notifier.ts';
import { startSync } from './sync.ts';

export interface AppOptions {
  page: Window;
  connectHost: Connect;
  connectEngine: Connect;
  desktop: DesktopBridge | null;
  /** Of every browser; null = this window needs no sign-in. */
  signOut: (() => Promise<void>) | null;
}

export interface App {
  services: Services;
  commands: Commands;
  highlighter: Highlighter;
  markdown: MarkdownLexer;
  drawings: Drawings;
}

export function createApp({ page, connectHost, connectEngine, desktop, signOut }: AppOptions): App {
  const clock: ConnectionClock = {
    after(ms, callback) {
      const timer = page.setTimeout(callback, ms);
      return () => page.clearTimeout(timer);
    },
    random: Math.random,
  };
  const storage = browserStorage(page);
  const services: Services = {
    host: new Connection<HostMethods>(connectHost, clock),
    engine: new Connection<WindowEngineMethods>(connectEngine, clock),
    stores: createStores(storage, browserStorage(page, 'sessionStorage')),
    desktop,
    signOut,
    files: pageFiles(page, desktop),
    notifier: pageNotifier(page, desktop),
    outbox: createOutbox(
      storage,
      windowIdOf(page, () => randomHex(page)),
    ),
    newTurnId: () => `turn_${randomHex(page)}`,
    now: Date.now,
  };
  const commands = createCommands(
    services,
    /mac/i.test(desktop?.platform ?? page.navigator.platform) || desktop?.platform === 'darwin',
  );
  startPageEffects(page, services, commands);
  startSync(services, pageFrameClock(page));
  void commands.run('turn/send-left');
  const startWorker = createWorkerStarter(page);
  return {
    services,
    commands,
    highlighter: pageHighlighter(page, startWorker),
    markdown: pageLexer(page, startWorker),
    drawings: pageDrawings(page, startWorker),
  };
}

/** Also in a page that is reached without TLS, where `randomUUID` is missing. */
function randomHex(page: Window): string {
  const bytes = page.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
