/** Files, folders and patterns that are too much: refused or taken in time and memory that do not grow with them. */
import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemFiles } from '../../src/platform/files.ts';
import { workbench, type Workbench } from '../../src/host/tools/testing.ts';
import { costOf } from '../helpers/cost.ts';
import { isThorough } from '../helpers/thorough.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench(systemFiles, { base: existsSync('/dev/shm') ? '/dev/shm' : tmpdir() });
});
afterEach(() => bench.remove());

test('a text of 200 MB: refused for reading and changing, found by search, in little memory', async () => {
  const path = join(bench.workspace, 'huge.log');
  const block = '2026-01-01 00:00:00 something happened, as always\n'.repeat(20_000);
  for (let written = 0; written < 200 * 1024 * 1024; written += block.length) appendFileSync(path, block);
  appendFileSync(path, 'the needle\n');

  const { results, heapMb, lagMs } = await costOf(async () => [
    await bench.call('read_file', { path: 'huge.log' }),
    await bench.call('write_file', { path: 'huge.log', content: 'x' }),
    await bench.call('edit_file', { path: 'huge.log', old_text: 'a', new_text: 'b' }),
    await bench.call('search', { pattern: 'needle', path: 'huge.log' }),
    await bench.call('search', { pattern: 'happened', path: 'huge.log' }),
  ]);
  const [read, write, edit, needle, all] = results.map(({ content }) => content);
  expect(read).toMatch(/too large to read \(200 MB\)\. Use search/);
  expect(write).toMatch(/too large to change with this tool\. Use a command/);
  expect(edit).toMatch(/too large to change with this tool\. Use a command/);
  expect(needle).toMatch(/^huge\.log:\d+: the needle$/);
  expect(all?.length).toBeLessThan(10_000);
  expect(heapMb).toBeLessThan(60);
  expect(lagMs).toBeLessThan(1_000);
});

/** ripgrep where it can have no more than this, so that it ends when it wants more. */
function ripgrepWithin(mb: number): string {
  const script = join(bench.root, 'rg');
  writeFileSync(script, `#!/bin/sh\nulimit -v ${String(mb * 1024)}\nexec '${rgPath}' "$@"\n`, {
    mode: 0o755,
  });
  return script;
}

test.runIf(process.platform === 'linux')(
  'a search leaves out what is too large to be held, and says what that was (audit-S22)',
  async () => {
    const limited = workbench(systemFiles, { base: bench.root, ripgrepPath: ripgrepWithin(150) });
    const line = (path: string, mb: number): void => limited.write(path, 'x'.repeat(mb * 1024 * 1024));
    line('line.txt', 19);
    limited.write('note.txt', 'the needle\n');
    expect((await limited.call('search', { pattern: 'needle' })).content).toBe('note.txt:1: the needle');

    line('one.txt', 150);
    for (const name of ['two', 'thr\u202eee', 'four\n', 'five', 'six', '.env']) line(`more/${name}`, 21);
    const { content } = await limited.call('search', { pattern: 'needle' });
    expect(content).toBe(
      [
        'note.txt:1: the needle',
        '1 file in a protected place is left out. To look there, name the place as path: the person is asked.',
        '6 files larger than 20 MB are left out: more/five, more/four\\n, more/six, more/thr\\u202eee, more/two, and 1 more. To search one, name it as path.',
      ].join('\n'),
    );
    expect((await limited.call('search', { pattern: 'absent', path: 'one.txt' })).content).toBe(
      'Error: one.txt was not searched: it has a line longer than 20 MB. Use a command.',
    );
    limited.write('log.txt', `${'happened\n'.repeat(3_000_000)}the needle`);
    expect((await limited.call('search', { pattern: 'needle', path: 'log.txt' })).content).toBe(
      'log.txt:3000001: the needle',
    );
  },
  60_000,
);

test('the largest text that is read, and one endless line, pass in little memory', async () => {
  appendFileSync(join(bench.workspace, 'lines.txt'), 'a line of text\n'.repeat(3_400_000));
  appendFileSync(join(bench.workspace, 'line.txt'), 'x'.repeat(50 * 1024 * 1024));
  const { results, heapMb, lagMs } = await costOf(async () => [
    await bench.call('read_file', { path: 'lines.txt', start_line: 3_399_999 }),
    await bench.call('read_file', { path: 'line.txt' }),
  ]);
  expect(results[0]?.content).toBe('lines 3399999-3400000 of 3400000\na line of text\na line of text');
  expect(results[1]?.content).toMatch(/^lines 1-1 of 1; line 1 is longer than shown\nx{7800}$/);
  expect(heapMb).toBeLessThan(60);
  expect(lagMs).toBeLessThan(1_000);
});

test('an edit that matches everywhere, or nowhere among alike lines, is answered at once', async () => {
  bench.write('same.txt', '='.repeat(4_000_000));
  bench.write('lines.txt', 'x\n'.repeat(1_000_000));
  await bench.call('read_file', { path: 'same.txt' });
  await bench.call('read_file', { path: 'lines.txt' });
  const { results, lagMs } = await costOf(async () => [
    await bench.call('edit_file', { path: 'same.txt', old_text: '='.repeat(50_000), new_text: '-' }),
    await bench.call('edit_file', { path: 'lines.txt', old_text: `${'x\n'.repeat(3_000)}y`, new_text: 'z' }),
  ]);
  expect(results[0]?.content).toMatch(/is in the file more than 10 times .* Add the lines around it/);
  expect(results[1]?.content).toContain('old_text is not in the file.');
  expect(lagMs).toBeLessThan(1_000);
});

test('an edit of a minified file is a card of a few lines, not of megabytes', async () => {
  bench.write('min.js', `${'a'.repeat(2_000_000)};one;${'b'.repeat(2_000_000)}`);
  await bench.call('read_file', { path: 'min.js' });
  const { display, ok } = await bench.call('edit_file', {
    path: 'min.js',
    old_text: ';one;',
    new_text: ';two;',
  });
  expect(ok).toBe(true);
  expect(JSON.stringify(display).length).toBeLessThan(5_000);
});

const files = isThorough ? 100_000 : 30_000;

test('a folder with tens of thousands of files is listed, found in, searched and missed in without holding anything up', async () => {
  mkdirSync(join(bench.workspace, 'many'));
  for (let n = 0; n < files; n += 1) {
    closeSync(
      openSync(join(bench.workspace, 'many', `${'f'.repeat(60)}${String(n).padStart(6, '0')}.txt`), 'w'),
    );
  }
  writeFileSync(join(bench.workspace, 'many', 'needle.txt'), 'the needle\n');
  const { results, heapMb, lagMs } = await costOf(async () => [
    await bench.call('list_files', { path: 'many' }),
    await bench.call('glob', { pattern: '*.txt' }),
    await bench.call('glob', { pattern: 'needle*' }),
    await bench.call('search', { pattern: 'needle' }),
    await bench.call('read_file', { path: `many/${'f'.repeat(61)}00007.txt` }),
    await bench.call('read_file', { path: `many/${'g'.repeat(200)}` }),
  ]);
  const [list, all, found, search, close, far] = results.map(({ content }) => content);
  expect(Number(/\.\.\. and (\d+) more\. Use glob to find names\.$/.exec(list ?? '')?.[1])).toBeGreaterThan(
    files - 1_000,
  );
  expect(list?.length).toBeLessThanOrEqual(8_000);
  expect(all).toMatch(new RegExp(`\\.\\.\\. of ${files + 1} files\\. Use a narrower pattern\\.$`));
  expect(found).toBe('many/needle.txt');
  expect(search).toBe('many/needle.txt:1: the needle');
  expect(close).toMatch(/^Error: There is no many\/f+00007\.txt\. Close to it: f+/);
  expect(far).toMatch(/^Error: There is no many\/g+\. Use list_files or glob to find it\.$/);
  expect(heapMb).toBeLessThan(150);
  expect(lagMs).toBeLessThan(2_000);
});

test.each(['*a'.repeat(20), '{a,b}'.repeat(40), '{1..999999999}', '**/'.repeat(100), `${'+('.repeat(50)}a`])(
  'the pattern %j is answered at once',
  async (pattern) => {
    bench.write(`${'a'.repeat(50)}/${'a'.repeat(200)}`, '');
    const { results, lagMs } = await costOf(async () => [
      await bench.call('glob', { pattern: `${pattern}!` }),
    ]);
    expect(results[0]?.content).toMatch(/^No file matches/);
    expect(lagMs).toBeLessThan(1_000);
  },
);
