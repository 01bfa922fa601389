import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Workbench } from './testing.ts';
import { workbench } from './testing.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
  bench.write('src/a.ts', 'export const Alpha = 1;\nfoo(bar);\n');
  bench.write('src/deep/b.ts', 'import { Alpha } from "../a";\n');
  bench.write('README.md', 'alpha and beta\n');
  bench.write('.gitignore', 'dist/\n*.log\n');
  bench.write('dist/a.js', 'alpha\n');
  bench.write('debug.log', 'alpha\n');
  bench.write('node_modules/x/index.ts', 'alpha\n');
  bench.write('.git/config', 'alpha\n');
  bench.write('.github/ci.yml', 'alpha: 1\n');
});
afterEach(() => bench.remove());

const content = async (tool: string, args: unknown): Promise<string> =>
  (await bench.call(tool, args)).content;

describe('glob', () => {
  test.each([
    ['*.ts', 'src/a.ts\nsrc/deep/b.ts'],
    ['src/*.ts', 'src/a.ts'],
    ['./src/**/*.ts', 'src/a.ts\nsrc/deep/b.ts'],
    ['/README.md', 'README.md'],
    ['*.{md,yaml}', 'README.md'],
    ['.github/*', '.github/ci.yml'],
    ['.github/', '.github/ci.yml'],
    ['*.py', 'No file matches *.py.'],
    ['{a', 'No file matches {a.'],
    ['../*', 'No file matches ../*.'],
  ])('%s', async (pattern, expected) => {
    expect(await content('glob', { pattern })).toBe(expected);
  });

  test.each(['.', './', '/'])('%s stands for all that is there', async (pattern) => {
    expect(await content('glob', { pattern })).toBe(await content('glob', { pattern: '**' }));
  });

  test('a name is found whatever the spelling of its letters and the kind of its blanks', async () => {
    bench.write('Bücher/März 9.txt'.normalize('NFD').replace(' ', '\u202F'), '');
    const found = await content('glob', { pattern: '*März 9*' });
    expect(found.normalize('NFC')).toBe('Bücher/März\u202F9.txt');
    expect(await content('glob', { pattern: 'Bücher/M?rz\u00A09.txt'.normalize('NFD') })).toBe(found);
  });

  test('a word that is in no name is shown where it stands', async () => {
    expect(await content('glob', { pattern: 'beta' })).toBe(
      'No file has beta in its name. Lines with it:\nREADME.md:1: alpha and beta',
    );
    expect(await content('glob', { pattern: 'src/beta' })).toContain('README.md:1: alpha and beta');
    bench.write('.git/notes.txt', 'teapot\n');
    expect(await content('glob', { pattern: 'teapot' })).toBe('No file matches teapot.');
  });

  test('ignored files, node_modules and .git stay out, whatever the pattern', async () => {
    expect(await content('glob', { pattern: '**/*.js' })).toBe('No file matches **/*.js.');
    expect(await content('glob', { pattern: '*.log' })).toContain('No file');
    expect(await content('glob', { pattern: '**' })).not.toMatch(/node_modules|\.git\/|dist/);
  });

  test('links do not lead out', async () => {
    mkdirSync(join(bench.root, 'outside'));
    writeFileSync(join(bench.root, 'outside', 'secret.ts'), '');
    symlinkSync('../outside', join(bench.workspace, 'link'));
    expect(await content('glob', { pattern: '*.ts' })).not.toContain('secret');
  });

  test('very many files are counted and cut', async () => {
    for (let n = 0; n < 250; n++) bench.write(`many/f${String(n)}.c`, '');
    const result = await bench.call('glob', { pattern: '*.c' });
    expect(result.content.split('\n').at(-1)).toBe('... of 250 files. Use a narrower pattern.');
    expect(result.display).toMatchObject({ total: 250, truncated: true });
  });
});

describe('search', () => {
  test('gives path, number and line; lower case finds both cases, capitals only themselves', async () => {
    expect(await content('search', { pattern: 'alpha' })).toBe(
      [
        '.github/ci.yml:1: alpha: 1',
        'README.md:1: alpha and beta',
        'src/a.ts:1: export const Alpha = 1;',
        'src/deep/b.ts:1: import { Alpha } from "../a";',
      ].join('\n'),
    );
    expect(await bench.call('search', { pattern: 'Alpha', path: 'src' })).toMatchObject({
      display: { total: 2, files: 2, truncated: false, matches: [{ path: 'src/a.ts', line: 1 }, {}] },
    });
  });

  test('takes a file, and a folder that is otherwise left out when it is named', async () => {
    expect(await content('search', { pattern: 'alpha', path: 'README.md' })).toBe(
      'README.md:1: alpha and beta',
    );
    expect(await content('search', { pattern: 'alpha', path: 'node_modules/x' })).toBe(
      'node_modules/x/index.ts:1: alpha',
    );
    expect(await content('search', { pattern: 'alpha', path: 'dist' })).toBe('dist/a.js:1: alpha');
  });

  test('what is no regular expression is searched as it stands, and that is told', async () => {
    expect(await content('search', { pattern: 'foo(' })).toBe(
      '(not a regular expression: searched as plain text)\nsrc/a.ts:2: foo(bar);',
    );
    expect(await content('search', { pattern: 'nope(' })).toBe(
      'Nothing in . matches nope( (not a regular expression: searched as plain text).',
    );
  });

  test('a pattern that no line has is shown as a name of files, or by the lines with most of its words', async () => {
    expect(await content('search', { pattern: '*.ts' })).toBe(
      'No line has *.ts. Files by that name:\nsrc/a.ts\nsrc/deep/b.ts',
    );
    expect(await content('search', { pattern: 'the beta of alpha' })).toBe(
      'No line has all of the beta of alpha. 1 line has beta, alpha:\nREADME.md:1: alpha and beta',
    );
    expect(await content('search', { pattern: 'teapot kettle' })).toBe('Nothing in . matches teapot kettle.');
  });

  test('A guided model reads the lines around a few matches, and behind them where they stand', async () => {
    bench.write('lib/code.js', 'function teapot() {\n  pour(); // 9:30-x\n}\n\n\n\n\nkettle();\n');
    const { bare } = await bench.call('search', { pattern: 'pour', path: 'lib' });
    expect(bare).toBe('function teapot() {\n  pour(); // 9:30-x\n}\n\n\n(lib/code.js, line 2)');
    const both = await bench.call('search', { pattern: 'pour|kettle', path: 'lib' });
    expect(both.bare).toContain('kettle();\n(lib/code.js, lines 2, 8)');
    const near = await bench.call('search', { pattern: 'where to pour', path: 'lib' });
    expect(near.bare).toBe(bare);
  });

  test('A guided model reads many matches as a list, as others do', async () => {
    bench.write('lib/many.txt', 'needle\n'.repeat(4));
    const { content, bare = content } = await bench.call('search', { pattern: 'needle', path: 'lib' });
    expect(bare).toBe(content);
    expect(content).toContain('lib/many.txt:4: needle');
  });

  test('a pattern that no line has brings nothing from protected places', async () => {
    bench.write('.git/teapot.txt', 'kettle\n');
    expect(await content('search', { pattern: 'teapot' })).toBe('Nothing in . matches teapot.');
    expect(await content('search', { pattern: 'kettle teapot' })).toBe('Nothing in . matches kettle teapot.');
    bench.write('open.txt', 'harmless\n');
    bench.write('.git/near.txt', 'harmless\n');
    expect((await bench.call('search', { pattern: 'harmless', path: '.' })).bare).toBe(
      'harmless\n(open.txt, line 1)',
    );
  });

  test('a pattern or path that looks like an option is none', async () => {
    bench.write('--files', 'needle --version\n');
    expect(await content('search', { pattern: '--version' })).toBe('--files:1: needle --version');
    expect(await content('search', { pattern: 'needle', path: '--files' })).toBe(
      '--files:1: needle --version',
    );
  });

  test('names with a colon, a newline-free binary file and a long line do not confuse it', async () => {
    bench.write('a:1:b.txt', 'needle\n');
    bench.write('binary.bin', Buffer.concat([Buffer.from('needle\n'), Buffer.alloc(10)]));
    bench.write('min.js', `${'x'.repeat(3000)}needle${'y'.repeat(3000)}`);
    const result = await bench.call('search', { pattern: 'needle' });
    expect(result.content.split('\n')[0]).toBe('a:1:b.txt:1: needle');
    expect(result.content.length).toBeLessThan(1000);
  });

  test('outside and missing paths are refused', async () => {
    expect(await content('search', { pattern: 'x', path: '..' })).toContain('not inside the workspace');
    expect(await content('search', { pattern: 'x', path: 'sr' })).toBe(
      'Error: There is no sr. Close to it: src.',
    );
  });

  test('very many lines are counted and cut', async () => {
    bench.write('many.txt', 'needle\n'.repeat(5000));
    const result = await bench.call('search', { pattern: 'needle' });
    expect(result.content.split('\n')).toHaveLength(101);
    expect(result.content).toContain('... of 5000 lines.');
    expect(result.display).toMatchObject({ total: 5000, truncated: true });
  });

  test('the same question gives the same answer, byte for byte', async () => {
    for (let n = 0; n < 40; n++) bench.write(`d${String(n % 7)}/f${String(n)}.txt`, 'needle\n');
    const first = await content('search', { pattern: 'needle' });
    expect(await content('search', { pattern: 'needle' })).toBe(first);
  });

  test('a pattern that is too large to compile is refused at once, and says so (audit-S22)', async () => {
    bench.write('a.txt', 'alpha\n');
    const began = performance.now();
    expect(await content('search', { pattern: '(?s).{100000}' })).toContain('exceeds size limit');
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(await content('search', { pattern: '\\w{1,200}' })).toContain('a.txt:1: alpha');
  });

  test('Stop ends it', async () => {
    const controller = new AbortController();
    const result = bench.call('search', { pattern: 'alpha' }, { signal: controller.signal });
    controller.abort();
    expect((await result).content).toBe('operation cancelled by user');
  });
});
