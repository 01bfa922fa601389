import {
  chmodSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Workbench } from './testing.ts';
import { quietServices, workbench } from './testing.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.remove());

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${String(from + index)}`).join('\n');
const content = async (tool: string, args: unknown): Promise<string> =>
  (await bench.call(tool, args)).content;

describe('read_file', () => {
  test('gives the text as it is, below its range', async () => {
    bench.write('a.ts', 'const a = 1;\n\tconst b = 2;\n');
    expect(await bench.call('read_file', { path: 'a.ts' })).toEqual({
      ok: true,
      content: 'lines 1-2 of 2\nconst a = 1;\n\tconst b = 2;',
      display: {
        kind: 'file',
        path: 'a.ts',
        text: 'const a = 1;\n\tconst b = 2;',
        firstLine: 1,
        lastLine: 2,
        totalLines: 2,
      },
    });
  });

  test.each([
    [{ start_line: 3, end_line: 4 }, 'lines 3-4 of 10; read on with start_line 5\nline 3\nline 4'],
    [{ start_line: 9 }, 'lines 9-10 of 10\nline 9\nline 10'],
    [{ end_line: 1 }, 'lines 1-1 of 10; read on with start_line 2\nline 1'],
    [{ start_line: 0, end_line: -1 }, `lines 1-10 of 10\n${lines(1, 10)}`],
    [{ start_line: 5, end_line: 2 }, 'lines 5-5 of 10; read on with start_line 6\nline 5'],
    [{ start_line: 10, end_line: 99 }, 'lines 10-10 of 10\nline 10'],
    [{ start_line: 11 }, 'Error: ten.txt has only 10 lines.'],
  ])('%j gives that range', async (range, expected) => {
    bench.write('ten.txt', lines(1, 10));
    expect(await content('read_file', { path: 'ten.txt', ...range })).toBe(expected);
  });

  test('a long file comes in parts of whole lines that fit into a result and leave none out', async () => {
    bench.write('long.txt', `${lines(1, 3000)}\n`);
    const parts: string[] = [];
    for (let start = 1; start <= 3000;) {
      const result = await bench.call('read_file', { path: 'long.txt', start_line: start });
      expect(result.content.length).toBeLessThanOrEqual(8000);
      if (result.display?.kind !== 'file') throw new Error(result.content);
      parts.push(result.display.text);
      start = result.display.lastLine + 1;
    }
    expect(parts.join('\n')).toBe(lines(1, 3000));
    expect(parts.length).toBeLessThan(6);
  });

  test('one endless line is cut and says so', async () => {
    bench.write('min.js', `${'x'.repeat(500_000)}\nlast`);
    expect(await content('read_file', { path: 'min.js' })).toMatch(
      /^lines 1-1 of 2; line 1 is longer than shown; read on with start_line 2\nx{7800}$/,
    );
    expect(await content('read_file', { path: 'min.js', start_line: 2 })).toBe('lines 2-2 of 2\nlast');
  });

  test('characters that lie across two pieces of the file arrive whole', async () => {
    bench.write('wide.txt', `${'x'.repeat(65_535)}äöü\n`.repeat(3));
    const result = await content('read_file', { path: 'wide.txt', start_line: 4 });
    expect(result).toBe('Error: wide.txt has only 3 lines.');
    bench.write('wide2.txt', `${'x'.repeat(65_535)}\n`.repeat(1) + 'ääää 漢字 🎈');
    expect(await content('read_file', { path: 'wide2.txt', start_line: 2 })).toBe(
      'lines 2-2 of 2\nääää 漢字 🎈',
    );
  });

  test('Windows line ends and a byte order mark do not reach the model', async () => {
    bench.write('dos.txt', '\uFEFFone\r\ntwo\r\n');
    expect(await content('read_file', { path: 'dos.txt' })).toBe('lines 1-2 of 2\none\ntwo');
  });

  test('names in any script are found', async () => {
    bench.write('ünï/漢字 🎈.txt', 'hier');
    expect(await content('read_file', { path: 'ünï/漢字 🎈.txt' })).toBe('lines 1-1 of 1\nhier');
  });

  test('what cannot be read is refused with the next step', async () => {
    bench.write('empty', '');
    bench.write('image.png', new Uint8Array([137, 80, 78, 71, 0, 0, 1]));
    bench.write('src/index.ts', '');
    mkdirSync(join(bench.workspace, 'folder'));
    expect(await content('read_file', { path: 'empty' })).toBe('The file is empty.');
    expect(await content('read_file', { path: 'image.png' })).toMatch(
      /^Error: image\.png is not a text file, so .* Use a command/,
    );
    expect(await content('read_file', { path: 'folder' })).toBe(
      'Error: folder is a folder. Use list_files to see what is in it.',
    );
    expect(await content('read_file', { path: 'src/idnex.ts' })).toBe(
      'Error: There is no src/idnex.ts. Close to it: index.ts.',
    );
    expect(await content('read_file', { path: 'lib/x.ts' })).toContain('its folder does not exist either');
    expect(await content('read_file', { path: '/etc/passwd' })).toContain('not inside the workspace');
  });

  test('a file of 200 MB is refused before it is touched', async () => {
    bench.write('huge.log', '');
    truncateSync(join(bench.workspace, 'huge.log'), 200 * 1024 * 1024);
    const before = process.memoryUsage().arrayBuffers;
    expect(await content('read_file', { path: 'huge.log' })).toBe(
      'Error: huge.log is too large to read (200 MB). Use search to find the lines you need.',
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  });

  test('reading ends at Stop', async () => {
    bench.write('a', 'text');
    const result = await bench.call('read_file', { path: 'a' }, { signal: AbortSignal.abort() });
    expect(result.content).toBe('operation cancelled by user');
  });
});

describe('write_file', () => {
  test('says of its change whether something stood there before, an empty file too', async () => {
    const displayOf = async (path: string) =>
      (await bench.call('write_file', { path, content: 'one\n' })).display;
    bench.write('empty.ts', '');
    await bench.call('read_file', { path: 'empty.ts' });
    expect(await displayOf('new.ts')).toMatchObject({ kind: 'diff', added: 1, created: true });
    const emptied = await displayOf('empty.ts');
    expect(emptied).toMatchObject({ kind: 'diff', added: 1 });
    expect(emptied).not.toHaveProperty('created');
  });
});

const edit = (old_text: string, new_text: string, path = 'a.ts') =>
  content('edit_file', { path, old_text, new_text });

describe('edit_file', () => {
  test('replaces one exact piece and shows the difference', async () => {
    bench.write('a.ts', 'one\ntwo\nthree\n');
    await bench.call('read_file', { path: 'a.ts' });
    const result = await bench.call('edit_file', { path: 'a.ts', old_text: 'two', new_text: '2\n2.5' });
    expect(bench.read('a.ts')).toBe('one\n2\n2.5\nthree\n');
    expect(result).toEqual({
      ok: true,
      content: 'Edited a.ts at line 2 (+2 -1).',
      display: {
        kind: 'diff',
        path: 'a.ts',
        hunks: [{ oldStart: 1, newStart: 1, lines: [' one', '-two', '+2', '+2.5', ' three'] }],
        added: 2,
        removed: 1,
      },
    });
  });

  test('a file that this session has not read is not touched', async () => {
    bench.write('a.ts', 'one\n');
    expect(await edit('one', 'two')).toBe(
      'Error: a.ts exists and was not read yet. Read it with read_file first.',
    );
    await bench.call('read_file', { path: 'a.ts' }, { sessionId: 'another' });
    expect(await edit('one', 'two')).toContain('was not read yet');
    expect(bench.read('a.ts')).toBe('one\n');
  });

  test('a file that changed since is not touched, even with the same size and time', async () => {
    bench.write('a.ts', 'one\n');
    await bench.call('read_file', { path: 'a.ts' });
    const { atime, mtime } = statSync(join(bench.workspace, 'a.ts'));
    bench.write('a.ts', 'eno\n');
    utimesSync(join(bench.workspace, 'a.ts'), atime, mtime);
    expect(await edit('eno', 'two')).toContain('has changed since it was read');
    expect(bench.read('a.ts')).toBe('eno\n');
  });

  test('a file that was only touched may be edited, and again after the edit', async () => {
    bench.write('a.ts', 'one\n');
    await bench.call('read_file', { path: 'a.ts' });
    utimesSync(join(bench.workspace, 'a.ts'), new Date(), new Date(0));
    expect(await edit('one', 'two')).toContain('Edited');
    expect(await edit('two', 'three')).toContain('Edited');
    expect(bench.read('a.ts')).toBe('three\n');
  });

  test('mode and line ends of the file are kept', async () => {
    bench.write('run.sh', 'one\r\ntwo\r\n');
    chmodSync(join(bench.workspace, 'run.sh'), 0o755);
    await bench.call('read_file', { path: 'run.sh' });
    expect(await edit('one\ntwo', 'one\nand\ntwo', 'run.sh')).toContain('Edited');
    expect(bench.read('run.sh')).toBe('one\r\nand\r\ntwo\r\n');
    expect(statSync(join(bench.workspace, 'run.sh')).mode & 0o777).toBe(0o755);
  });

  test('what stands in the replacement is taken by the letter', async () => {
    bench.write('a.ts', 'price');
    await bench.call('read_file', { path: 'a.ts' });
    await edit('price', '$& $1 $$ \\n');
    expect(bench.read('a.ts')).toBe('$& $1 $$ \\n');
  });

  test('text that cannot be kept as it is refuses the edit', async () => {
    bench.write('latin.txt', new Uint8Array([0x66, 0xfc, 0x72]));
    await bench.call('read_file', { path: 'latin.txt' });
    expect(await edit('f', 'g', 'latin.txt')).toContain('is not UTF-8 text');
  });

  test('a missing file is told with its neighbours', async () => {
    bench.write('a.ts', '');
    expect(await edit('x', 'y', 'b.ts')).toBe('Error: There is no b.ts. Close to it: a.ts.');
  });

  test('is refused before the person is asked, and checked again when it runs', async () => {
    bench.write('a.ts', 'one\n');
    await bench.call('read_file', { path: 'a.ts' });
    expect(await edit('four', 'five')).toContain('a.ts was not changed: old_text is not in the file');
    expect(bench.read('a.ts')).toBe('one\n');
  });
});

const write = (path: string, text: string) => content('write_file', { path, content: text });

describe('write_file', () => {
  test('makes a file with its folders', async () => {
    expect(await bench.call('write_file', { path: 'new/deep/a.txt', content: 'one\ntwo' })).toMatchObject({
      ok: true,
      content: 'Created new/deep/a.txt (+2 -0).',
      display: { hunks: [{ lines: ['+one', '+two'] }] },
    });
    expect(bench.read('new/deep/a.txt')).toBe('one\ntwo');
    expect(readdirSync(join(bench.workspace, 'new/deep'))).toEqual(['a.txt']);
  });

  test('replaces only what was read and is as it was', async () => {
    bench.write('a.txt', 'precious');
    expect(await write('a.txt', 'x')).toContain('was not read yet');
    await bench.call('read_file', { path: 'a.txt' });
    bench.write('a.txt', 'edited by hand');
    expect(await write('a.txt', 'x')).toContain('has changed since it was read');
    expect(bench.read('a.txt')).toBe('edited by hand');
    await bench.call('read_file', { path: 'a.txt' });
    expect(await write('a.txt', 'x')).toBe('Replaced a.txt (+1 -1).');
    expect(await write('a.txt', 'y')).toContain('Replaced');
  });

  test('replaces a file only when all of its lines were shown, and names those that were not', async () => {
    bench.write('a.txt', lines(1, 40));
    await bench.call('read_file', { path: 'a.txt', start_line: 11, end_line: 20 });
    await bench.call('read_file', { path: 'a.txt', start_line: 30, end_line: 30 });
    expect(await write('a.txt', 'x')).toBe(
      'Error: a.txt was not replaced: you have not read all of it as it is now (not lines 1-10, lines 21-29, lines 31-40). To change a part, use edit_file. To replace all of it, read the rest with read_file first, from start_line 1.',
    );
    await bench.call('read_file', { path: 'a.txt', start_line: 18 });
    expect(await write('a.txt', 'x')).toContain('(not lines 1-10)');
    await bench.call('read_file', { path: 'a.txt', end_line: 10 });
    expect(await write('a.txt', 'x')).toBe('Replaced a.txt (+1 -40).');
  });

  test('does not replace a file of which a line was cut', async () => {
    bench.write('a.txt', 'x'.repeat(20_000));
    await bench.call('read_file', { path: 'a.txt' });
    expect(await write('a.txt', 'y')).toContain('(not line 1)');
  });

  test('does not replace a file of which a part was read and edited', async () => {
    bench.write('a.txt', lines(1, 40));
    await bench.call('read_file', { path: 'a.txt', end_line: 10 });
    await bench.call('edit_file', { path: 'a.txt', old_text: 'line 5\n', new_text: 'five\n' });
    expect(await write('a.txt', 'x')).toContain('(not lines 1-40)');
  });

  test('replaces what the model wrote, and edited where it knew all of it, without reading it', async () => {
    await write('a.txt', lines(1, 1_000));
    await bench.call('edit_file', { path: 'a.txt', old_text: 'line 5\n', new_text: 'five\n' });
    expect(await write('a.txt', 'x')).toBe('Replaced a.txt (+1 -1000).');
  });

  test('does not replace what another agent of the session has changed since', async () => {
    bench.write('a.txt', 'one\ntwo\n');
    await bench.call('read_file', { path: 'a.txt' });
    const agent = { data: { ...quietServices().data, agentId: 'item_1' } };
    const edit = { path: 'a.txt', old_text: 'two', new_text: 'three' };
    expect((await bench.call('edit_file', edit, agent)).content).toContain('Edited');
    expect(await write('a.txt', 'one\ntwo\nfour\n')).toContain('(not lines 1-2)');
    expect(bench.read('a.txt')).toBe('one\nthree\n');
    await bench.call('read_file', { path: 'a.txt' });
    expect(await write('a.txt', 'one\nthree\nfour\n')).toContain('Replaced');
  });

  test('a file read from behind its last line is not known', async () => {
    bench.write('a.txt', 'one\n');
    expect(await content('read_file', { path: 'a.txt', start_line: 5 })).toContain('has only 1 lines');
    expect(await write('a.txt', 'x')).toContain('was not read yet');
  });

  test('does not empty a file, nor write what is there', async () => {
    bench.write('a.txt', 'precious');
    await bench.call('read_file', { path: 'a.txt' });
    expect(await write('a.txt', '')).toContain('would empty a.txt');
    expect(await write('a.txt', 'precious')).toContain('already has exactly this content');
    expect(await write('new.txt', '')).toContain('Created');
  });

  test('keeps the Windows line ends and the byte order mark of the file that it replaces', async () => {
    bench.write('dos.txt', '\uFEFFone\r\ntwo\r\nthree\r\n');
    await bench.call('read_file', { path: 'dos.txt' });
    expect(await bench.call('write_file', { path: 'dos.txt', content: 'one\nTWO\nthree\n' })).toMatchObject({
      content: 'Replaced dos.txt (+1 -1).',
      display: { hunks: [{ lines: [' \uFEFFone', '-two', '+TWO', ' three'] }] },
      files: [{ bytes: 20 }],
    });
    expect(bench.read('dos.txt')).toBe('\uFEFFone\r\nTWO\r\nthree\r\n');
  });

  test('does not write what was shown of a file with Windows line ends and a byte order mark', async () => {
    bench.write('dos.txt', '\uFEFFone\r\ntwo\r\n');
    await bench.call('read_file', { path: 'dos.txt' });
    expect(await write('dos.txt', 'one\ntwo\n')).toContain('already has exactly this content');
  });

  test.each([
    ['mixed line ends in the file', 'one\r\ntwo\n', 'one\nTWO\n', 'one\nTWO\n'],
    ['returns that it was given', 'one\r\ntwo\r\n', 'one\nTWO\r\n', 'one\nTWO\r\n'],
    ['a file of one line', 'one', 'one\ntwo\n', 'one\ntwo\n'],
    ['a mark that it was given', '\uFEFFone', '\uFEFFtwo', '\uFEFFtwo'],
  ])('writes line ends and mark as they are in the content with %s', async (_, before, text, after) => {
    bench.write('a.txt', before);
    await bench.call('read_file', { path: 'a.txt' });
    expect(await write('a.txt', text)).toContain('Replaced');
    expect(bench.read('a.txt')).toBe(after);
  });

  test('does not empty a file with a byte order mark', async () => {
    bench.write('a.txt', '\uFEFFone');
    await bench.call('read_file', { path: 'a.txt' });
    expect(await write('a.txt', '')).toContain('would empty a.txt');
  });

  test('stays out of folders, of Git and of what lies outside', async () => {
    mkdirSync(join(bench.workspace, '.git'));
    mkdirSync(join(bench.root, 'outside'));
    symlinkSync('../outside', join(bench.workspace, 'link'));
    expect(await write('.', 'x')).toContain('is a folder');
    expect(await write('.git/hooks/pre-commit', 'x')).toContain('belongs to Git');
    expect(await write('sub/.GIT/config', 'x')).toContain('belongs to Git');
    expect(await write('link/a', 'x')).toContain('not inside the workspace');
    expect(await write('../outside/a', 'x')).toContain('not inside the workspace');
    expect(readdirSync(join(bench.root, 'outside'))).toEqual([]);
    expect(await write('.gitignore', 'x')).toContain('Created');
  });

  test('a path through a file is no folder', async () => {
    bench.write('a', 'text');
    expect((await bench.call('write_file', { path: 'a/b', content: 'x' })).ok).toBe(false);
    expect(bench.read('a')).toBe('text');
  });
});

describe('list_files', () => {
  test('names folders first, marks links, and says when it is empty', async () => {
    bench.write('b.txt', '');
    bench.write('a/inner', '');
    bench.write('.env', '');
    symlinkSync('b.txt', join(bench.workspace, 'link'));
    mkdirSync(join(bench.workspace, 'z'));
    expect(await bench.call('list_files', {})).toEqual({
      ok: true,
      content: 'a/\nz/\n.env\nb.txt\nlink (link)',
      display: {
        kind: 'list',
        entries: ['a/', 'z/', '.env', 'b.txt', 'link (link)'],
        total: 5,
        truncated: false,
      },
    });
    expect(await content('list_files', { path: 'z' })).toBe('z is empty.');
    expect(await content('list_files', { path: '' })).toContain('a/');
    expect(await content('list_files', { path: 'b.txt' })).toBe(
      'Error: b.txt is a file. Use read_file to read it.',
    );
    expect(await content('list_files', { path: 'aa' })).toBe('Error: There is no aa. Close to it: a, z.');
  });

  test('a folder with very many files is cut with a hint', async () => {
    for (let n = 0; n < 205; n++) writeFileSync(join(bench.workspace, `f${String(n).padStart(3, '0')}`), '');
    const result = await bench.call('list_files', {});
    expect(result.content).toMatch(/^f000\n.*f199\n\.\.\. and 5 more\. Use glob to find names\.$/s);
    expect(result.display).toMatchObject({ total: 205, truncated: true });
  });
});
