/**
 * Data folders whose first start is behind them. One compiles the whole host and tries out the sandbox of this machine, which
 * takes longer than what most tests do with the app; what it leaves there is the same in every folder.
 */
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxFileName } from '../../src/platform/sandbox/known-sandbox.ts';
import { projectRoot, startServerProcess, temporaryFolder } from './server-process.ts';

/** Where the one folder of this run is; who runs no vitest has none, and begins as everybody does. */
const variable = 'ANDIRON_BEGUN_FOLDER';
const codeCache = 'andiron.code-cache';

/** Once before all files, in vitest's own process. */
export async function setup(): Promise<(() => void) | undefined> {
  // The tests say that it has to be built.
  if (!existsSync(join(projectRoot, 'out', 'main', 'server.js'))) return undefined;
  const folder = temporaryFolder();
  const server = await startServerProcess([`--data-dir=${folder.path}`, '--demo']);
  await server.stop();
  process.env[variable] = folder.path;
  return folder.remove;
}

/**
 * What the hosts of this run compiled is read there, and what another compiles is added.
 * @param isUsual the programs of this machine are found as they were at the first start
 */
export function beginFolder(dataDir: string, isUsual = true): void {
  const begun = process.env[variable];
  if (begun === undefined || existsSync(join(dataDir, codeCache))) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  symlinkSync(join(begun, codeCache), join(dataDir, codeCache));
  const sandbox = join(begun, sandboxFileName);
  // A machine without a sandbox has none, and looks for one at each start.
  if (isUsual && existsSync(sandbox)) copyFileSync(sandbox, join(dataDir, sandboxFileName));
}
