import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { app, resetElectron } from '../../../test/helpers/electron-stub.ts';
import { silentLog } from '../../platform/log.ts';
import { installAtEnd, readyUpdateOf } from './install.ts';
import { openUpdateMemory, type TriedInstall } from './update-record.ts';
import type { StartAfterEnd } from './start-after-end.ts';

let dir = '';
beforeEach(() => {
  resetElectron();
  dir = mkdtempSync(join(tmpdir(), 'andiron-install-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const memoryFile = (): string => join(dir, 'updates.json');

/** The deb, whose installer answers so. */
function installDeb(runInstaller: () => boolean, restart: boolean) {
  const path = join(dir, 'andiron.deb');
  writeFileSync(path, 'a package');
  const sha512 = createHash('sha512').update('a package').digest('base64');
  const started: StartAfterEnd[] = [];
  installAtEnd({
    kind: 'deb',
    update: { version: '0.2.0', path, size: 9, sha512 },
    restart,
    runInstaller,
    startAfterEnd: (each) => started.push(each),
    memory: openUpdateMemory(memoryFile()),
    dir,
    args: ['--demo'],
    log: silentLog,
  });
  return { started, tried: openUpdateMemory(memoryFile()).lastInstall() };
}
const again = { pid: process.pid, program: '/home/anna/exe', args: ['--demo'] };
const tried = (failure: string | null): TriedInstall => ({ from: '0.1.0', to: '0.2.0', failure });

test.each<[string, () => boolean, boolean, string | null]>([
  ['did its work', () => true, true, null],
  ['did its work and nobody asked for a restart', () => true, false, null],
  ['was refused the password', () => false, true, 'not-replaced'],
  ['was refused and nobody asked for a restart', () => false, false, 'not-replaced'],
  [
    'threw',
    () => {
      throw new Error('pkexec is not there');
    },
    true,
    'failed',
  ],
])(
  'After an installer of the deb that %s an Andiron starts if one was asked for',
  (_name, run, restart, failure) => {
    const outcome = installDeb(run, restart);
    expect(outcome.tried).toEqual(tried(failure));
    expect(outcome.started).toMatchObject(restart ? [again] : []);
    // It would lose the right to become another user, and so would each command.
    expect(app.relaunched).toBeUndefined();
  },
);

test('An install that cannot be noted is tried all the same, and nothing is thrown', () => {
  rmSync(dir, { recursive: true });
  writeFileSync(dir, 'a file is in the way');
  const memory = openUpdateMemory(memoryFile());
  expect(() => memory.noteInstall(tried(null))).toThrow(/ENOTDIR/);
  const update = { version: '0.2.0', path: join(dir, 'x'), size: 1, sha512: '' };
  const rest = { restart: false, runInstaller: () => true, startAfterEnd: () => undefined, args: [] };
  expect(() => installAtEnd({ kind: 'deb', update, memory, dir, log: silentLog, ...rest })).not.toThrow();
});

test('A noted install is forgotten once this version was remembered, and only then', async () => {
  const memory = openUpdateMemory(memoryFile());
  await memory.rememberVersion('0.1.0');
  memory.noteInstall(tried('not-replaced'));
  const next = openUpdateMemory(memoryFile());
  expect([next.lastInstall(), next.lastVersion()]).toEqual([tried('not-replaced'), '0.1.0']);
  await next.rememberVersion('0.1.0');
  expect(openUpdateMemory(memoryFile()).lastInstall()).toBeNull();
});

test('A downloaded file that the signed feed does not name is no update', () => {
  const files = [{ url: 'Andiron-0.2.0.deb', sha512: 'a', size: 3 }];
  const event = { version: '0.2.0', files, path: '', sha512: '', releaseDate: '' };
  const of = (downloadedFile: string) => readyUpdateOf({ ...event, downloadedFile });
  expect(of('/cache/Andiron-0.2.0.deb')).toEqual({
    version: '0.2.0',
    path: '/cache/Andiron-0.2.0.deb',
    size: 3,
    sha512: 'a',
  });
  expect(of('/cache/other.deb')).toBeNull();
});
