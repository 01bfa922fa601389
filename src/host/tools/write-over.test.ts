import { chmodSync, chownSync, linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemFiles } from '../../platform/files.ts';
import { workbench, type Workbench } from './testing.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.remove());

const at = (path: string): string => join(bench.workspace, path);

async function edit(path: string): Promise<string> {
  await bench.call('read_file', { path });
  return (await bench.call('edit_file', { path, old_text: 'old', new_text: 'new' })).content;
}

describe('a file with hard links', () => {
  test('is changed under all of its names where all are in the workspace (audit-S18)', async () => {
    bench.write('a.txt', 'old\n');
    mkdirSync(at('deep/er'), { recursive: true });
    linkSync(at('a.txt'), at('deep/er/b.txt'));
    expect(await edit('a.txt')).toBe('Edited a.txt at line 1 (+1 -1).');
    expect(bench.read('deep/er/b.txt')).toBe('new\n');
    expect(statSync(at('a.txt')).nlink).toBe(2);
  });

  test('leaves a name outside the workspace its content, and the model is told (audit-S18)', async () => {
    const outside = join(bench.root, 'outside.txt');
    writeFileSync(outside, 'old\n');
    linkSync(outside, at('a.txt'));
    linkSync(outside, at('b.txt'));
    expect(await edit('a.txt')).toBe(
      'Edited a.txt at line 1 (+1 -1).\n' +
        'Other names of this file (hard links) were not all found in the workspace and keep the old content.',
    );
    expect(readFileSync(outside, 'utf8')).toBe('old\n');
    expect(bench.read('a.txt')).toBe('new\n');
  });

  test('is replaced where the workspace is too large to look for its names (audit-S18)', async () => {
    const endless = Array.from({ length: 20_000 }, (_, n) => ({ name: String(n), kind: 'other' as const }));
    const desk = workbench({ ...systemFiles, readRealFolder: () => Promise.resolve(endless) });
    desk.write('a.txt', 'old\n');
    linkSync(join(desk.workspace, 'a.txt'), join(desk.workspace, 'b.txt'));
    await desk.call('read_file', { path: 'a.txt' });
    const edited = await desk.call('edit_file', { path: 'a.txt', old_text: 'old', new_text: 'new' });
    expect(edited.content).toContain('keep the old content');
    expect(desk.read('b.txt')).toBe('old\n');
    desk.remove();
  });
});

test('a setuid program that is edited is one no more, and the model is told (audit-S18)', async () => {
  bench.write('tool', '#!/bin/sh\necho old\n');
  chmodSync(at('tool'), 0o4755);
  expect(await edit('tool')).toBe(
    'Edited tool at line 2 (+1 -1).\n' +
      'It runs with the rights of whoever starts it now: setuid and setgid were removed.',
  );
  expect(statSync(at('tool')).mode & 0o7777).toBe(0o755);
});

// Only root can give a file away.
test.runIf(process.getuid?.() === 0)(
  'a file that is edited keeps its owner and group (audit-S18)',
  async () => {
    bench.write('a.txt', 'old\n');
    chownSync(at('a.txt'), 65_534, 1_234);
    chmodSync(at('a.txt'), 0o640);
    await edit('a.txt');
    const { uid, gid, mode } = statSync(at('a.txt'));
    expect([uid, gid, mode & 0o7777]).toEqual([65_534, 1_234, 0o640]);
  },
);
