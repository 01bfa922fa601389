/**
 * The simulated Ollama as a process of its own. Started as a built file, never imported.
 *
 * `--port N` or ANDIRON_SIM_PORT (0 = any), `--dialect 0.33.2|0.40`, `--speed N`, `--demo`,
 * `--side-channel` (the truth, for tests). With `--demo` its runners tell their status, and `runnersUrl` where they are and what its GPU does.
 * Prints one JSON line when it listens; ends on SIGTERM, SIGINT, or when the process that started it goes away.
 */
import { fstatSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';

import { demoOptions } from './demo/index.ts';
import { closeServer, listen } from './http/listen.ts';
import { startSim } from './index.ts';
import { createRunnerDirectory, type GpuFigures } from './runner/directory.ts';

/** As a card reports that reads or writes. */
const busyPercent = 97;

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    dialect: { type: 'string' },
    speed: { type: 'string' },
    demo: { type: 'boolean', default: false },
    'side-channel': { type: 'boolean', default: false },
  },
});

const settings = z
  .object({
    port: z.coerce.number().int().min(0).max(65_535),
    dialect: z.enum(['0.33.2', '0.40']),
    speed: z.coerce.number().positive(),
  })
  .parse({
    port: values.port ?? process.env['ANDIRON_SIM_PORT'] ?? '0',
    dialect: values.dialect ?? '0.40',
    speed: values.speed ?? '1',
  });

const sim = await startSim({
  ...(values.demo ? demoOptions() : {}),
  ...settings,
  runnerStatus: values.demo,
  sideChannel: values['side-channel'],
});
const directory = values.demo ? createRunnerDirectory((model) => runnerOf(model), gpu) : undefined;
const runnersUrl = directory && `http://127.0.0.1:${await listen(directory, 0)}`;
process.stdout.write(`${JSON.stringify({ ready: true, url: sim.url, sideUrl: sim.sideUrl, runnersUrl })}\n`);

function gpu(): GpuFigures {
  const { totalBytes, freeBytes } = sim.vram();
  return {
    name: 'Simulated GPU',
    totalBytes,
    usedBytes: totalBytes - freeBytes,
    utilization: sim.isBusy() ? busyPercent : 0,
  };
}

/** Nothing for a model that the simulator does not have. */
function runnerOf(model: string): string | undefined {
  try {
    return sim.runnerUrl(model);
  } catch {
    return undefined;
  }
}

let closing = false;
async function close(): Promise<void> {
  if (closing) return;
  closing = true;
  await Promise.all([sim.close(), directory && closeServer(directory)]);
  process.exit(0);
}
process.once('SIGTERM', () => void close());
process.once('SIGINT', () => void close());
if (process.connected) {
  process.once('disconnect', () => void close());
} else if (isPipe(0)) {
  process.stdin.once('end', () => void close()).resume();
}

/** A terminal or /dev/null says nothing about the process that started this one. */
function isPipe(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    // A program without a terminal, as on Windows, may have no such descriptor.
    return false;
  }
}
