/** A disk that takes no more: whatever Andiron was writing, nothing half written stays behind. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { draftFor, systemFiles } from '../../src/platform/files.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import { createProfiles } from '../../src/host/profiles/profiles.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'andiron-drafts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const source = (path: string): string => new URL(`../../src/${path}`, import.meta.url).href;

/** A process that may write no file over 8 kB runs the program; returns what it printed. */
function runWithoutRoom(program: string): string {
  const args = [
    '-c',
    'ulimit -f 16; exec "$0" "$@"',
    process.execPath,
    '--input-type=module',
    '-e',
    program,
    folder,
  ];
  const { stdout, stderr } = spawnSync('/bin/sh', args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim();
}

const attempt = (call: string): string =>
  `const folder = process.argv[1]; const large = 'x'.repeat(100_000);
   try { await ${call}; } catch (error) { console.log(error.code); }`;

test.skipIf(process.platform === 'win32').each([
  [
    'the engine’s settings',
    `import { nodeFiles } from '${source('engine/node-deps.ts')}';`,
    "nodeFiles.writeWhole(folder + '/kept.json', large)",
  ],
  [
    'the state of a window',
    `import { writeWindowState } from '${source('main/window-state.ts')}';`,
    "writeWindowState(folder + '/kept.json', { bounds: null, maximized: large })",
  ],
  [
    'a file of the person’s',
    `import { systemFiles } from '${source('platform/files.ts')}';`,
    "systemFiles.writeAtomic(folder + '/kept.json', large)",
  ],
])('a full disk keeps %s as before and leaves no draft (audit-S26)', (_what, imports, call) => {
  writeFileSync(join(folder, 'kept.json'), 'before');
  expect(runWithoutRoom(`${imports}\n${attempt(call)}`)).toBe('EFBIG');
  expect(readdirSync(folder)).toEqual(['kept.json']);
});

test.skipIf(process.platform === 'win32')(
  'a full disk leaves no half copied file of the demo (audit-S26)',
  () => {
    const imports = `import { copyDemoWorkspace } from '${source('platform/demo.ts')}';
    import { mkdirSync, writeFileSync } from 'node:fs';
    mkdirSync(process.argv[1] + '/from/demo-workspace', { recursive: true });`;
    const large = join(folder, 'large');
    writeFileSync(large, 'x'.repeat(100_000));
    const link = `import { linkSync } from 'node:fs'; linkSync('${large}', process.argv[1] + '/from/demo-workspace/large');`;
    expect(
      runWithoutRoom(`${imports}\n${link}\n${attempt("copyDemoWorkspace(folder + '/from', folder)")}`),
    ).toBe('EFBIG');
    expect(readdirSync(join(folder, 'demo-workspace'))).toEqual([]);
  },
);

test('what a crash left half written in a profile goes at the next start, and nothing else (audit-S26)', async () => {
  const mine = join(folder, 'mine');
  await systemFiles.makeFolder(mine);
  for (const name of ['profile.json', '.andiron-notes.tmp', 'x.tmp']) writeFileSync(join(mine, name), '{}');
  for (const path of [join(mine, 'profile.json'), join(folder, 'persona.md')])
    writeFileSync(draftFor(path), 'half');
  const profiles = await createProfiles({
    builtInDir: fileURLToPath(new URL('../../resources/profiles', import.meta.url)),
    userDir: folder,
    files: systemFiles,
    clock: systemClock,
    toolNames: new Set(),
    onChange: () => undefined,
    log: silentLog,
  });
  profiles.close();
  expect(readdirSync(folder)).toEqual(['mine']);
  expect(readdirSync(mine).toSorted()).toEqual(['.andiron-notes.tmp', 'profile.json', 'x.tmp']);
});
