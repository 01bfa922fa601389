/** What goes wrong around the tools, with the real tools on real folders: the model is told what happened and what to do. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Files } from '../../src/platform/files.ts';
import { systemFiles } from '../../src/platform/files.ts';
import { systemProcesses } from '../../src/platform/processes.ts';
import { workbench, type Workbench, type WorkbenchOptions } from '../../src/host/tools/testing.ts';
import { reply, sequence } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';

const open: { remove(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.remove();
});

function bench(files: Files = systemFiles, options: WorkbenchOptions = {}): Workbench {
  const made = workbench(files, options);
  open.push(made);
  return made;
}

const inMemory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const isWindows = process.platform === 'win32';

describe('calls that cannot be', () => {
  test('an unknown tool and broken arguments get a result each, and the turn goes on', async () => {
    const world = await World.start({
      files: { 'a.txt': 'hello\n' },
      sim: {
        script: sequence(
          reply()
            .toolCall('delete_everything', { path: 'a.txt' })
            .toolCall('read_file', { start_line: 1 })
            .toolCall('read_file', { path: 'a.txt', start_line: 'the first' })
            .toolCall('read_file', { path: 'a.txt' }),
          reply().text('Read it in the end.'),
        ),
      },
    });
    try {
      const session = await world.openSession();
      expect((await session.ask('Read a.txt')).status).toBe('finished');
      const [unknown, missing, wrong, right] = session.items('tool');
      expect(unknown?.result).toMatch(
        /^Tool error: there is no tool named delete_everything\. The tools are: /,
      );
      expect(missing?.result).toMatch(
        /read_file was not run: path is missing\. Call it again with: path \(string/,
      );
      expect(wrong?.result).toMatch(/start_line: .*expected number.* Call it again with: /);
      expect(right).toMatchObject({ state: 'done', result: 'lines 1-1 of 1\nhello' });
    } finally {
      await world.close();
    }
  });

  test.each<[what: string, args: unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a list', ['a.txt']],
    ['half of a JSON text', '{"path": "a.t'],
    ['a number', 7],
    ['lists in lists, five thousand deep', JSON.parse(`{"path":${'['.repeat(5000)}${']'.repeat(5000)}}`)],
    ['ten thousand made-up keys', Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n]))],
    ['keys of every object', JSON.parse('{"__proto__":{"path":"a.txt"},"constructor":1,"toString":2}')],
  ])('%s as arguments is refused in a few words that say what is expected', async (_, args) => {
    const { ok, content } = await bench().call('read_file', args);
    expect(ok).toBe(false);
    expect(content).toMatch(
      /^Tool error: read_file was not run: .* Call it again with: path \(string, required\)/,
    );
    expect(content.length).toBeLessThan(300);
  });

  test('a key of a megabyte is not kept on the card', async () => {
    const desk = bench();
    desk.write('a.txt', 'x');
    const call = desk.parse('read_file', { path: 'a.txt', ['k'.repeat(1_000_000)]: 1 });
    expect(call.repairs.join('').length).toBeLessThan(200);
  });

  test('a call is asked about to its last character, whatever hides in it, since the window marks that (audit-S2)', async () => {
    const desk = bench();
    const command = `echo \u202Edlrow\u202C \u200B\u001B[8mrm -rf .\u001B[0m${'\n'.repeat(60)}curl x | sh`;
    const { need, subject } = desk.parse('run_command', { command });
    expect([need.summary, subject]).toEqual([command, command]);
    const long = `a${' '.repeat(1_000)}eval(fetch(x))`;
    const content = `${'x\n'.repeat(2_300)}${long}\r\u3164\n`;
    const { display } = await desk.call('write_file', { path: 'a.js', content });
    const lines = display?.kind === 'diff' ? display.hunks.flatMap((hunk) => hunk.lines) : [];
    expect(lines).toHaveLength(2_301);
    expect(lines.at(-1)).toBe(`+${long}\r\u3164`);
  });

  test('returns are shown but where they end every line of the file, before and after (audit-S2)', async () => {
    const desk = bench();
    const shown = async (path: string, content: string): Promise<string[]> => {
      const { display } = await desk.call('write_file', { path, content });
      return display?.kind === 'diff' ? display.hunks.flatMap((hunk) => hunk.lines) : [];
    };
    expect(await shown('dos.txt', 'a\r\nb\r\n')).toEqual(['+a', '+b']);
    expect(await shown('mixed.txt', 'rm -rf /\recho safe\nb\r\n')).toEqual(['+rm -rf /\recho safe', '+b\r']);
  });
});

/** The folder `in` becomes a link out of the workspace in the moment when the tool has looked and will now act. */
function swapping(target: string): Workbench {
  const swap = (): void => {
    const place = join(desk.workspace, 'in');
    if (!existsSync(`${place}-before`)) {
      renameSync(place, `${place}-before`);
      symlinkSync(target, place);
    }
  };
  const desk = bench(
    {
      ...systemFiles,
      async *readChunks(path) {
        swap();
        yield* systemFiles.readChunks(path);
      },
      readRealFolder(path) {
        swap();
        return systemFiles.readRealFolder(path);
      },
      writeAtomic(path, content, options) {
        swap();
        return systemFiles.writeAtomic(path, content, options);
      },
    },
    {
      base: inMemory,
      processes: {
        ...systemProcesses,
        run(request) {
          swap();
          return systemProcesses.run(request);
        },
      },
    },
  );
  mkdirSync(join(desk.root, 'out'));
  writeFileSync(join(desk.root, 'out', 'secret'), 'secret');
  mkdirSync(join(desk.workspace, 'in'));
  writeFileSync(join(desk.workspace, 'in', 'secret'), 'mine');
  return desk;
}

describe('paths out of the workspace', () => {
  const twin = 'Cafe\u0301';
  const name = 'Caf\u00E9';

  /** Beside the workspace lie all its twins, each with a secret. */
  function withTwins(): Workbench {
    const desk = bench(systemFiles, { name, base: inMemory });
    for (const folder of [twin, name.toLowerCase(), name.toUpperCase(), `${name}2`, `${name} `, 'other']) {
      mkdirSync(join(desk.root, folder));
      writeFileSync(join(desk.root, folder, 'secret'), 'secret');
    }
    symlinkSync('../other', join(desk.workspace, 'link'));
    symlinkSync(`../${twin}`, join(desk.workspace, 'twin-link'));
    symlinkSync(join(desk.root, 'other', 'secret'), join(desk.workspace, 'file-link'));
    return desk;
  }

  test.runIf(process.platform === 'linux')(
    'no twin, link or climb leads out, for any tool, and nothing is made there',
    async () => {
      const desk = withTwins();
      const names = [twin, name.toLowerCase(), name.toUpperCase(), `${name}2`, `${name} `, 'other'];
      const paths = [
        ...names.flatMap((folder) => [`../${folder}/secret`, join(desk.root, folder, 'secret')]),
        'link/secret',
        'twin-link/secret',
        'file-link',
        'a/../../other/secret',
        './/.././other/secret',
        '/etc/passwd',
        '..',
      ];
      const results = await Promise.all(
        paths.flatMap((path) => [
          desk.call('read_file', { path }),
          desk.call('write_file', { path, content: 'x' }),
          desk.call('edit_file', { path, old_text: 's', new_text: 'x' }),
          desk.call('list_files', { path }),
          desk.call('search', { pattern: 'secret', path }),
        ]),
      );
      expect(results).toHaveLength(paths.length * 5);
      for (const { ok, content } of results) {
        expect(ok).toBe(false);
        expect(content).toMatch(/is not inside the workspace\. Use a path relative to the workspace/);
      }
      for (const folder of names) {
        expect(readdirSync(join(desk.root, folder))).toEqual(['secret']);
        expect(readFileSync(join(desk.root, folder, 'secret'), 'utf8')).toBe('secret');
      }
    },
  );

  test('paths with NUL or half a character are refused, not bent into another name', async () => {
    const desk = bench();
    for (const path of ['a\0b', 'half\uD800.txt']) {
      const { content } = await desk.call('write_file', { path, content: 'x' });
      expect(content).toMatch(/characters that no path can have\. Write it again/);
    }
    expect(readdirSync(desk.workspace)).toEqual([]);
  });

  test('the two Unicode forms of a name are two files where the disk has two', async () => {
    const desk = bench(systemFiles, { base: inMemory });
    desk.write(`${name}.txt`, 'composed');
    desk.write(`${twin}.txt`, 'decomposed');
    const forms = readdirSync(desk.workspace).length;
    const read = async (path: string) => (await desk.call('read_file', { path })).content.split('\n')[1];
    expect(await read(`${twin}.txt`)).toBe('decomposed');
    expect(await read(`${name}.txt`)).toBe(forms === 2 ? 'composed' : 'decomposed');
  });

  test.skipIf(isWindows).each<[tool: string, args: Record<string, unknown>]>([
    ['read_file', { path: 'in/secret' }],
    ['write_file', { path: 'in/new', content: 'x' }],
    ['list_files', { path: 'in' }],
    ['search', { pattern: 'secret', path: 'in' }],
  ])('%s does not follow a folder that is swapped for a link while it runs', async (tool, args) => {
    const desk = swapping('../out');
    const { ok, content } = await desk.call(tool, args);
    expect(ok).toBe(false);
    expect(content).toMatch(
      /reached through a link, which is not followed\. Use|is not inside the workspace\. Use/,
    );
    expect(readdirSync(join(desk.root, 'out'))).toEqual(['secret']);
  });

  test.runIf(process.platform === 'linux')(
    'nor one that is swapped for a link to its Unicode twin',
    async () => {
      const desk = bench({
        ...systemFiles,
        async *readChunks(path) {
          rmSync(join(desk.workspace, name), { recursive: true });
          symlinkSync(twin, join(desk.workspace, name));
          yield* systemFiles.readChunks(path);
        },
      });
      desk.write(`${name}/file`, 'composed');
      desk.write(`${twin}/file`, 'decomposed');
      const { content } = await desk.call('read_file', { path: `${name}/file` });
      expect(content).toContain('reached through a link');
    },
  );
});

describe('files that are no text', () => {
  test('a binary file is neither read nor overwritten, and the way on is told', async () => {
    const desk = bench();
    const bytes = new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]);
    desk.write('program', bytes);
    expect((await desk.call('read_file', { path: 'program' })).content).toMatch(
      /not a text file.* Use a command/,
    );
    expect((await desk.call('write_file', { path: 'program', content: 'x' })).ok).toBe(false);
    expect((await desk.call('edit_file', { path: 'program', old_text: 'E', new_text: 'x' })).ok).toBe(false);
    expect(new Uint8Array(readFileSync(join(desk.workspace, 'program')))).toEqual(bytes);
  });

  test('wrong encodings are told: UTF-16 is refused, Latin-1 is marked and never written back', async () => {
    const desk = bench();
    for (const [file, mark] of [
      ['le.txt', [0xff, 0xfe, 0x68, 0, 0x69, 0]],
      ['be.txt', [0xfe, 0xff, 0, 0x68, 0, 0x69]],
    ] as const) {
      desk.write(file, new Uint8Array(mark));
      expect((await desk.call('read_file', { path: file })).content).toMatch(
        /is UTF-16 text.* or use search/,
      );
      expect((await desk.call('search', { pattern: 'hi', path: file })).content).toBe(`${file}:1: hi`);
    }
    desk.write('latin.txt', Buffer.from('für\n', 'latin1'));
    expect((await desk.call('read_file', { path: 'latin.txt' })).content).toBe(
      'lines 1-1 of 1; not UTF-8: � stands for what could not be read\nf�r',
    );
    expect((await desk.call('write_file', { path: 'latin.txt', content: 'fur' })).content).toMatch(
      /is not UTF-8 text/,
    );
    expect(readFileSync(join(desk.workspace, 'latin.txt'), 'latin1')).toBe('für\n');
    desk.write('cut.txt', new Uint8Array([0x61, 0xe2, 0x82]));
    expect((await desk.call('read_file', { path: 'cut.txt' })).content).toContain('not UTF-8');
  });

  test('lines are found whatever ends them', async () => {
    const desk = bench();
    desk.write('dos.txt', 'one needle\r\ntwo\r\n');
    desk.write('mac.txt', 'one\rneedle\rthree');
    desk.write('paragraph.txt', 'a needle\u2028and more\n');
    const { display } = await desk.call('search', { pattern: 'needle' });
    expect(display).toMatchObject({ total: 3, files: 3 });
    expect((await desk.call('search', { pattern: 'needle', path: 'dos.txt' })).content).toBe(
      'dos.txt:1: one needle',
    );
  });

  test.runIf(process.platform === 'linux')(
    'names with line breaks, colours or bytes that are no text stay one entry each',
    async () => {
      const desk = bench();
      desk.write('two\nlines.txt', 'x');
      desk.write('\u001B[31mred.txt', 'x');
      desk.write('\u202Etxt.exe', 'x');
      writeFileSync(Buffer.concat([Buffer.from(`${desk.workspace}/bad`), Buffer.from([0xff])]), 'x');
      const listed = await desk.call('list_files', {});
      const entries = [
        String.raw`\u001b[31mred.txt`,
        'bad\uFFFD',
        String.raw`two\nlines.txt`,
        String.raw`\u202etxt.exe`,
      ];
      expect(listed.content.split('\n')).toEqual(entries);
      expect((await desk.call('glob', { pattern: '*' })).content.split('\n').toSorted()).toEqual(
        entries.toSorted(),
      );
      expect((await desk.call('read_file', { path: 'two\nlines.txt' })).content).toBe('lines 1-1 of 1\nx');
      const found = await desk.call('search', { pattern: 'x' });
      expect(found.content.split('\n').toSorted()).toEqual(entries.map((name) => `${name}:1: x`).toSorted());
      expect((await desk.call('read_file', { path: 'bad\uFFFD' })).content).toMatch(
        /^Error: There is no bad/,
      );
    },
  );

  test.skipIf(isWindows)(
    'search finds a match in the file that it is in, whatever its name pretends (audit-S19)',
    async () => {
      const desk = bench();
      const evil = 'a.txt\n./README.md\n1:needle';
      desk.write(evil, 'needle\n');
      desk.write('README.md', 'harmless\n');
      desk.write('b\u202Efdp.exe', 'needle\n');
      // Bytes that are no text, far enough in that ripgrep has printed a match before: it then says so among the matches.
      desk.write('binary\nc.bin', `needle\n${'x\n'.repeat(100_000)}\0needle\n`);
      desk.write('d.txt', 'needle\n');
      const { content, display } = await desk.call('search', { pattern: 'needle' });
      const paths =
        display?.kind === 'matches' ? display.matches.map(({ path, line }) => `${String(line)} ${path}`) : [];
      expect(paths.toSorted()).toEqual(
        [evil, 'b\u202Efdp.exe', 'binary\nc.bin', 'd.txt'].map((path) => `1 ${path}`).toSorted(),
      );
      expect(content.split('\n').toSorted()).toEqual(
        [
          String.raw`a.txt\n./README.md\n1:needle:1: needle`,
          String.raw`b\u202efdp.exe:1: needle`,
          String.raw`binary\nc.bin:1: needle`,
          'd.txt:1: needle',
        ].toSorted(),
      );
    },
  );

  test.skipIf(isWindows)('a pipe is waited for by none of the tools', async () => {
    const desk = bench();
    execFileSync('mkfifo', [join(desk.workspace, 'pipe')]);
    for (const [tool, args] of [
      ['read_file', {}],
      ['write_file', { content: 'x' }],
      ['edit_file', { old_text: 'a', new_text: 'b' }],
      ['search', { pattern: 'x' }],
    ] as const) {
      expect((await desk.call(tool, { path: 'pipe', ...args })).content).toBe(
        'Error: pipe is not a regular file.',
      );
    }
  });

  test('a path through a file, a name that is too long and a link to itself are told', async () => {
    const desk = bench();
    desk.write('file', 'text');
    symlinkSync('loop', join(desk.workspace, 'loop'));
    const write = async (path: string) => (await desk.call('write_file', { path, content: 'x' })).content;
    expect(await write('file/below/it')).toBe(
      'Error: file is a file, so there can be nothing below it. Use another path.',
    );
    expect(await write('n'.repeat(300))).toMatch(/the path is too long\. Use a shorter one/);
    expect(await write('loop')).toMatch(/is a link that leads nowhere/);
    expect(desk.read('file')).toBe('text');
  });
});
