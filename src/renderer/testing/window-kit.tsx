/** A window for tests: real stores, commands and connections, with a test at the other end. */
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { EngineMethods } from '../../protocol/engine-methods.ts';
import type { HostMethods } from '../../protocol/host-methods.ts';
import type { DesktopBridge } from '../../protocol/desktop.ts';
import type { Services } from '../commands/command.ts';
import { CommandsContext, createCommands, type Commands } from '../commands/commands.ts';
import { Connection, type ConnectionClock } from '../connection/connection.ts';
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
}

export interface TestWindow {
  host: FakeServer;
  engine: FakeServer;
  stores: Stores;
  services: Services;
  commands: Commands;
  clock: HandClock;
}

/** Connected on both sides; nothing is subscribed. */
export async function openTestWindow(desktop: DesktopBridge | null = null): Promise<TestWindow> {
  const host = new FakeServer();
  const engine = new FakeServer();
  const clock = new HandClock();
  const stores = createStores(new MemoryStorage());
  const services: Services = {
    host: new Connection<HostMethods>(host.connect, clock),
    engine: new Connection<EngineMethods>(engine.connect, clock),
    stores,
    desktop,
    now: () => noon,
  };
  services.host.start();
  services.engine.start();
  await settled();
  return { host, engine, stores, services, commands: createCommands(services, false), clock };
}

export function renderIn({ stores, commands }: TestWindow, children: ReactNode) {
  return render(
    <StoresContext value={stores}>
      <CommandsContext value={commands}>{children}</CommandsContext>
    </StoresContext>,
  );
}
