/** The database of a first start, for the many who begin with one: to make it takes longer than what they do with it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFile, openStore } from '../../src/host/store/store.ts';
import { randomId } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';

const made: { bytes?: Buffer } = {};

/** A house writes a lot and waits for each write. In memory where the system offers that; what is kept is the same. */
export function fastFolder(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}

/** As a host of this version leaves it that has just made it. The data folder is made as well. */
export function beginDatabase(dataDir: string): void {
  made.bytes ??= makeDatabase();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, databaseFile), made.bytes, { mode: 0o600 });
}

function makeDatabase(): Buffer {
  const dataDir = mkdtempSync(join(fastFolder(), 'andiron-fresh-'));
  openStore({ dataDir, log: silentLog, newId: randomId }).close();
  const bytes = readFileSync(join(dataDir, databaseFile));
  rmSync(dataDir, { recursive: true });
  return bytes;
}
