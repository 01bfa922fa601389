/** The engine bar and its panel on other machines than the usual one. */
import { useEffect, type ReactNode } from 'react';
import { Shell } from '../app/shell.tsx';
import { crowdedEngine, sharedEngine } from './engine-fixtures.ts';
import { engineState, gpu, loaded } from './fixtures.ts';
import { scene, window, type Scene } from './scene.tsx';
import { stoppedSession } from './session-fixtures.ts';
import styles from '../features/engine-room/panels.module.css';

const gib = 1024 ** 3;

/** As Apple silicon tells: one memory for all, and no figures of heat and power. */
const apple = { name: 'Apple M4 Max', vramTotalBytes: 48 * gib, temperatureC: null, powerW: null };

/** A model from elsewhere, as long as their names are. */
const longName = 'hf.co/unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF:UD-Q4_K_XL';

/** Presses what makes room as soon as the panel is there, as a person would. */
function RoomMade({ children }: { children: ReactNode }) {
  useEffect(() => {
    const observer = new MutationObserver(() => {
      const button = document.querySelector<HTMLElement>(`.${styles.makeRoom}`);
      if (!button) return;
      observer.disconnect();
      button.click();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return children;
}

export const engineScenes: Scene[] = [
  window('engine-crowded', (now) => ({
    session: stoppedSession(now),
    engine: crowdedEngine(now),
    ui: { view: 'engine' },
  })),
  window('engine-long-name', (now) => ({
    session: { ...stoppedSession(now), session: { ...stoppedSession(now).session, model: longName } },
    engine: { ...sharedEngine(now), loaded: [{ ...loaded, name: longName }] },
    ui: { view: 'engine' },
  })),
  scene(
    'window-engine-room-made',
    (now) => ({ session: stoppedSession(now), engine: sharedEngine(now), ui: { view: 'engine' } }),
    (app) => (
      <RoomMade>
        <Shell services={app.services} />
      </RoomMade>
    ),
  ),
  window('engine-nogpu', (now) => ({
    session: stoppedSession(now),
    engine: engineState(now, {
      gpus: [],
      memory: { totalBytes: 32 * gib, usedBytes: 26.4 * gib, cpuLoad: 97 },
      loaded: [{ ...loaded, vramBytes: 0 }],
    }),
    ui: { view: 'engine' },
  })),
  window('engine-two-gpus', (now) => ({
    session: stoppedSession(now),
    engine: engineState(now, {
      gpus: [
        gpu(now, 18.2),
        gpu(now, 7.1, { name: 'NVIDIA GeForce RTX 3060', vramTotalBytes: 12 * gib, powerW: 168 }),
      ],
    }),
    ui: { view: 'engine' },
  })),
  window('engine-apple', (now) => ({
    session: stoppedSession(now),
    engine: engineState(now, { gpus: [gpu(now, 29.6, apple)] }),
    ui: { view: 'engine' },
  })),
  window('engine-unread', (now) => ({
    session: stoppedSession(now),
    engine: engineState(now, {
      gpus: [gpu(now, 0, { vramUsedBytes: null, utilization: null, temperatureC: null, powerW: null })],
    }),
    ui: { view: 'engine' },
  })),
];
