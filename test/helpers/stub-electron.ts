/** A folder that electron-builder takes for an Electron: enough to pack the app where the real one cannot be had. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What @electron/fuses looks for in the program: its mark, version 1, nine fuses, all off. */
const fuseWire = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('000000000'),
]);

export function writeStubElectron(folder: string): void {
  const { version } = createRequire(import.meta.url)('electron/package.json') as { version: string };
  for (const inside of ['locales', 'resources']) mkdirSync(join(folder, inside), { recursive: true });
  writeFileSync(join(folder, 'version'), version);
  for (const name of ['LICENSE', 'LICENSES.chromium.html']) writeFileSync(join(folder, name), 'stub');
  for (const program of ['electron', 'chrome-sandbox', 'chrome_crashpad_handler']) {
    writeFileSync(join(folder, program), Buffer.concat([Buffer.from('#!/bin/false\n'), fuseWire]));
    chmodSync(join(folder, program), 0o755);
  }
}
