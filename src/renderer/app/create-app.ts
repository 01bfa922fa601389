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
import { browserStorage } from '../stores/storage.ts';
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
  const services: Services = {
    host: new Connection<HostMethods>(connectHost, clock),
    engine: new Connection<WindowEngineMethods>(connectEngine, clock),
    stores: createStores(browserStorage(page)),
    desktop,
    signOut,
    files: pageFiles(page, desktop),
    notifier: pageNotifier(page, desktop),
    now: Date.now,
  };
  const commands = createCommands(
    services,
    /mac/i.test(desktop?.platform ?? page.navigator.platform) || desktop?.platform === 'darwin',
  );
  startPageEffects(page, services, commands);
  startSync(services, pageFrameClock(page));
  const startWorker = createWorkerStarter(page);
  return {
    services,
    commands,
    highlighter: pageHighlighter(page, startWorker),
    markdown: pageLexer(page, startWorker),
    drawings: pageDrawings(page, startWorker),
  };
}
