/** The desktop app over the stub of Electron, as its tests drive it. Import only in test files. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import {
  electron,
  ipcMain,
  resetElectron,
  type BrowserWindow,
  type FakeUtilityProcess,
  type MessagePortMain,
} from './electron-stub.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { Pipe } from '../../src/platform/pipe.ts';
import { channels } from '../../src/protocol/desktop.ts';
import { initialState } from '../../src/engine/base/state.ts';
import type { EngineState } from '../../src/protocol/model.ts';
import { startDesktop, type DesktopDeps } from '../../src/main/app.ts';
import { speakIn } from '../../src/main/texts.ts';
import { openDesktopSettings } from '../../src/main/desktop-settings.ts';
import { queueSecondStarts } from '../../src/main/start-queue.ts';

export const engineState: EngineState = { ...initialState, keepAlive: 'never' };

/** Electron reads it when the tray is made, so it is a real one. */
export const trayIcon = resolve('resources/icons/tray.png');

/** A data folder per test and an Electron that forgot the test before. */
export function useDesktop(): {
  start: (platform?: NodeJS.Platform, more?: Partial<DesktopDeps>) => FakeEngine;
  dir: () => string;
} {
  let dir = '';
  beforeEach(() => {
    resetElectron();
    dir = mkdtempSync(join(tmpdir(), 'andiron-app-'));
  });
  afterEach(() => {
    const { faults } = electron;
    speakIn('en');
    resetElectron();
    rmSync(dir, { recursive: true, force: true });
    expect(faults).toEqual([]);
  });
  return { start: (platform = 'linux', more = {}) => startIn(dir, platform, more), dir: () => dir };
}

export interface FakeEngine {
  pipes: Pipe[];
  made: number;
  stopped: number;
  stopFails: boolean;
  tell: (state: EngineState) => void;
}

function startIn(dir: string, platform: NodeJS.Platform, more: Partial<DesktopDeps>): FakeEngine {
  const engine: FakeEngine = { pipes: [], made: 0, stopped: 0, stopFails: false, tell: () => undefined };
  startDesktop({
    init: { dataDir: dir, workspace: '/work', resourcesDir: '/resources' },
    files: {
      host: '/out/host.js',
      bridge: '/out/bridge.js',
      gateway: '/out/gateway.js',
      preload: '/out/preload.cjs',
      rendererDir: dir,
      icon: '/icon.png',
      trayIcon,
      windowState: join(dir, 'window.json'),
    },
    createEngine() {
      engine.made++;
      let state = engineState;
      return {
        connect: (pipe) => void engine.pipes.push(pipe),
        state: () => state,
        onChange(listener) {
          engine.tell = (next) => {
            state = next;
            listener(next);
          };
          return () => undefined;
        },
        stop() {
          engine.stopped++;
          return engine.stopFails ? Promise.reject(new Error('The disk is full.')) : Promise.resolve();
        },
      };
    },
    kind: 'window',
    settings: openDesktopSettings(join(dir, 'desktop', 'settings.json')),
    secondStarts: queueSecondStarts(),
    onSignal: () => undefined,
    updateKey: '',
    installCommand: null,
    demo: false,
    clock: systemClock,
    log: silentLog,
    platform,
    ...more,
  });
  return engine;
}

export function last<T>(list: readonly T[]): T {
  const item = list.at(-1);
  if (item === undefined) throw new Error('there is none');
  return item;
}

export const host = (): FakeUtilityProcess => last(electron.utilities);
export const page = (): BrowserWindow => last(electron.windows);
export const becomesReady = (): boolean => host().emit('message', { type: 'ready' });
export const asksForPorts = (): boolean => ipcMain.emit(channels.requestPorts, fromPage());
export const fromPage = () => ({ sender: page().webContents, senderFrame: page().webContents.mainFrame });
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What the page was handed: name → ports, oldest first. */
export function handed(): Record<string, MessagePortMain[]> {
  const ports: Record<string, MessagePortMain[]> = {};
  for (const { channel, message, ports: sent } of page().webContents.posted) {
    if (channel !== channels.port) continue;
    const { name } = message as { name: string };
    ports[name] = [...(ports[name] ?? []), ...sent];
  }
  return ports;
}

/** What the host was handed, by name. */
export const connections = (process: FakeUtilityProcess, name: string): MessagePortMain[] =>
  process.posted
    .filter(({ message }) => JSON.stringify(message) === JSON.stringify({ type: 'connect', name }))
    .flatMap(({ ports }) => ports);

/** Is what is posted into one end heard at the other? */
export async function joined(
  a: MessagePortMain | undefined,
  b: MessagePortMain | undefined,
): Promise<boolean> {
  const heard: unknown[] = [];
  b?.on('message', ({ data }) => heard.push(data));
  b?.start();
  a?.postMessage('knock', []);
  await settled();
  return heard.includes('knock');
}
