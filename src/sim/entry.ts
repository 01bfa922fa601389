/**
 * The simulated Ollama as a process of its own. Started as a built file, never imported.
 *
 * `--port N` or ANDIRON_SIM_PORT (0 = any), `--dialect 0.33.2|0.40`, `--speed N`, `--demo`,
 * `--side-channel` (the truth, for tests). Prints one JSON line when it listens; ends on SIGTERM, SIGINT, or when the process that started it goes away.
 */
import { fstatSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';

import { demoOptions } from './demo/index.ts';
import { startSim } from './index.ts';

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
  sideChannel: values['side-channel'],
});
process.stdout.write(`${JSON.stringify({ ready: true, url: sim.url, sideUrl: sim.sideUrl })}\n`);

let closing = false;
async function close(): Promise<void> {
  if (closing) return;
  closing = true;
  await sim.close();
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
