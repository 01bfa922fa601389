/** A window for tests: real stores, commands and connections, with a test at the other end. */
import { render } from '@testing-library/react';
import { useEffect, type ReactNode } from 'react';
import { followKeys } from '../app/page-effects.ts';
import type { WindowEngineMethods } from '../connection/engine-methods.ts';
import type { HostMethods } from '../../protocol/host-methods.ts';
import type { DesktopBridge } from '../../protocol/desktop.ts';
import type { Services } from '../commands/command.ts';
import type { Notifier } from '../commands/notifier.ts';
import type { PageFiles, SaveOutcome } from '../commands/page-files.ts';
import { CommandsContext, createCommands, type Commands } from '../commands/commands.ts';
import { SightContext, type WatchSight } from '../components/sight.ts';
import { Connection, type ConnectionClock } from '../connection/connection.ts';
import { createOutbox } from '../stores/outbox.ts';
import type { KeyValueStorage } from '../stores/storage.ts';
import { createStores, StoresContext, type Stores } from '../stores/stores.ts';
import { FakeServer, settled } from './fake-server.ts';
import { noon } from './fixtures.ts';

/** Timers that run when the test says so. */
export class HandClock implements ConnectionClock {
  waiting: { ms: number; callback: () => void }[] = [];

  after(ms: number, callback: () => void): () => void {
    const entry = { ms, callback };
    this.waiting.push(entry);
    return () => {
      this.waiting = this.waiting.filter((other) => other !== entry);
    };
  }

  random(): number {
    return 0;
  }

  /** Runs what waits, and tells how long it would have taken. */
  run(): number[] {
    const due = this.waiting;
    this.waiting = [];
    for (const { callback } of due) callback();
    return due.map(({ ms }) => ms);
  }
}

export class MemoryStorage implements KeyValueStorage {
  readonly values = new Map<string, string>();

  read(key: string): string | null {
    return this.values.get(key) ?? null;
  }

  write(key: string, value: string): void {
    this.values.set(key, value);
  }

  update(key: string, value: () => string, onWritten: () => void): void {
    this.write(key, value());
    onWritten();
  }

  flush(): void {
    // All of it is written at once.
  }
}

/** Files as the person would save and choose them. */
class MemoryFiles implements PageFiles {
  readonly saved: { name: string; content: string; type: string }[] = [];
  /** What will be chosen; null = nothing. */
  chosen: string | null = null;

  /** What becomes of the next ones, in this order; then of all. */
  readonly outcomes: SaveOutcome[] = [];
  outcome: SaveOutcome = 'handed-over';

  /** `saved` has those alone that were. */
  readonly save: PageFiles['save'] = (name, content, type) => {
    const outcome = this.outcomes.shift() ?? this.outcome;
    if (outcome === 'cancelled' || outcome === 'interrupted') return Promise.resolve(outcome);
    const text =
      content instanceof Uint8Array ? new TextDecoder().decode(content) : [content].flat().join('');
    this.saved.push({ name, content: text, type });
    return Promise.resolve(outcome);
  };

  readonly pick = (): Promise<File | null> =>
    Promise.resolve(this.chosen === null ? null : new File([this.chosen], 'chosen.json'));

  /** Absent = the page cannot. */
  reduce?: NonNullable<PageFiles['reduce']>;

  /** What will be chosen to go with a message. */
  chosenFiles: File[] = [];

  readonly choose = (): Promise<File[]> => Promise.resolve(this.chosenFiles);
}

export interface TestWindow {
  host: FakeServer;
  engine: FakeServer;
  stores: Stores;
  services: Services;
  commands: Commands;
  clock: HandClock;
  files: MemoryFiles;
  /** When everybody was signed out. */
  signOuts: number[];
}

/** The same again = the same window, loaded again. */
interface KeptByPage {
  storage?: KeyValueStorage;
  windowId?: string;
}

/** Connected on both sides; nothing is subscribed. */
export async function openTestWindow(
  desktop: DesktopBridge | null = null,
  notifier: Notifier | null = null,
  { storage = new MemoryStorage(), windowId = 'window-1' }: KeptByPage = {},
): Promise<TestWindow> {
  const host = new FakeServer();
  const engine = new FakeServer();
  const clock = new HandClock();
  const files = new MemoryFiles();
  const stores = createStores(storage);
  let turns = 0;
  const signOuts: number[] = [];
  const services: Services = {
    host: new Connection<HostMethods>(host.connect, clock),
    engine: new Connection<WindowEngineMethods>(engine.connect, clock),
    stores,
    desktop,
    signOut: desktop ? null : () => Promise.resolve(void signOuts.push(noon)),
    files,
    notifier,
    outbox: createOutbox(storage, windowId),
    newTurnId: () => `turn_${String((turns += 1))}`,
    now: () => noon,
  };
  services.host.start();
  services.engine.start();
  await settled();
  stores.host.setState({ connection: 'live', defaults: { profileId: 'developer', workspace: '/w' } });
  return {
    host,
    engine,
    stores,
    services,
    commands: createCommands(services, false),
    clock,
    files,
    signOuts,
  };
}

export function renderIn({ stores, commands }: TestWindow, children: ReactNode) {
  return render(children, {
    wrapper: ({ children: inner }: { children: ReactNode }) => (
      <StoresContext value={stores}>
        <CommandsContext value={commands}>
          <SightContext value={inSight}>{inner}</SightContext>
          <Keys commands={commands} />
        </CommandsContext>
      </StoresContext>
    ),
  });
}

/** Nothing is laid out in tests: everything is in sight. */
export const inSight: WatchSight = (_element, onSight) => {
  onSight(true);
  return () => undefined;
};

function Keys({ commands }: { commands: Commands }) {
  useEffect(() => followKeys(window, commands), [commands]);
  return null;
}
