/** The engine bar and its panel on other machines than the usual one. */
import { engineState, gpu, loaded } from './fixtures.ts';
import { window, type Scene } from './scene.tsx';
import { stoppedSession } from './session-fixtures.ts';

const gib = 1024 ** 3;

/** As Apple silicon tells: one memory for all, and no figures of heat and power. */
const apple = { name: 'Apple M4 Max', vramTotalBytes: 48 * gib, temperatureC: null, powerW: null };

export const engineScenes: Scene[] = [
  window('engine-nogpu', (now) => ({
    session: stoppedSession(now),
    engine: engineState(now, {
      gpus: [],
      memory: { totalBytes: 32 * gib, usedBytes: 26.4 * gib, cpuLoad: 97 },
      loaded: [{ ...loaded, vramBytes: 0 }],
    }),
    ui: { enginePanel: true },
  })),
  window('engine-two-gpus', (now) => ({
    session: stoppedSession(now),
    engine: engineState(now, {
      gpus: [
        gpu(now, 18.2),
        gpu(now, 7.1, { name: 'NVIDIA GeForce RTX 3060', vramTotalBytes: 12 * gib, powerW: 168 }),
      ],
    }),
    ui: { enginePanel: true },
  })),
  window('engine-apple', (now) => ({
    session: stoppedSession(now),
    engine: engineState(now, { gpus: [gpu(now, 29.6, apple)] }),
    ui: { enginePanel: true },
  })),
  window('engine-unread', (now) => ({
    session: stoppedSession(now),
    engine: engineState(now, {
      gpus: [gpu(now, 0, { vramUsedBytes: null, utilization: null, temperatureC: null, powerW: null })],
    }),
    ui: { enginePanel: true },
  })),
];
