import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runGateway } from './run-gateway.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'andiron-gateway-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** In the gateway's place: writes down what it was told by, and then does this. */
const standIn = (then: string): string => `
  import { writeFileSync } from 'node:fs';
  const told = (by) => {
    writeFileSync(${JSON.stringify(join(dataDir, 'told'))}, by, { flag: 'a' });
    ${then}
  };
  process.on('disconnect', () => told('disconnect '));
  process.on('SIGTERM', () => told('SIGTERM '));
  setTimeout(() => undefined, 300_000);
  process.send({ type: 'listening', port: 1 });
`;

/** Starts the stand-in, and interrupts it once it listens. */
async function interrupt(then: string) {
  const entry = join(dataDir, 'gateway.mjs');
  writeFileSync(entry, standIn(then));
  const controller = new AbortController();
  const timers = new Set<() => void>();
  const listening = Promise.withResolvers<number>();
  const ended = runGateway({
    dataDir,
    entry,
    port: 0,
    onListening: listening.resolve,
    signal: controller.signal,
    clock: {
      after(_ms, run) {
        timers.add(run);
        return { cancel: () => void timers.delete(run) };
      },
    },
  });
  await listening.promise;
  controller.abort();
  return { ended, timers };
}

test('A gateway that is interrupted is told by its channel, so it ends in order on every system', async () => {
  const { ended, timers } = await interrupt('process.exit(0);');
  await ended;
  expect(readFileSync(join(dataDir, 'told'), 'utf8')).toBe('disconnect ');
  expect(timers.size).toBe(0);
});

test('A gateway that does not end when it is told is ended a little later', async () => {
  const { ended, timers } = await interrupt('');
  for (const run of timers) run();
  await expect(ended).resolves.toBeUndefined();
});
