import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Files } from '../../platform/files.ts';
import { systemFiles } from '../../platform/files.ts';
import type { Workbench } from './testing.ts';
import { workbench } from './testing.ts';
import { closest, locate, locateReadable, resolveInside, shownPath } from './workspace-path.ts';

describe('by the letters', () => {
  const inside: [named: string, path: string][] = [
    ['a.ts', '/work/app/a.ts'],
    ['./src/../a.ts', '/work/app/a.ts'],
    ['src//deep/./a.ts', '/work/app/src/deep/a.ts'],
    ['/work/app/a.ts', '/work/app/a.ts'],
    ['', '/work/app'],
    ['.', '/work/app'],
    ['..a', '/work/app/..a'],
    ['...', '/work/app/...'],
    ['a..b/..c', '/work/app/a..b/..c'],
    ['ünï/漢字 🎈.txt', '/work/app/ünï/漢字 🎈.txt'],
    ['C:\\Windows', '/work/app/C:\\Windows'],
  ];
  test.each(inside)('%j is inside', (named, path) => {
    expect(resolveInside('/work/app', named, posix)).toBe(path);
  });

  const outside = [
    '..',
    '../app2/a',
    '/work/app2/a',
    '/work/application',
    '/etc/passwd',
    'src/../../x',
    '/',
    '/work',
    'a\0b',
    '../app/../x',
  ];
  test.each(outside)('%j is outside', (named) => {
    expect(resolveInside('/work/app', named, posix)).toBeNull();
  });

  test('everything is inside when the workspace is the root', () => {
    expect(resolveInside('/', 'etc/passwd', posix)).toBe('/etc/passwd');
  });

  const insideOnWindows: [named: string, path: string][] = [
    ['src/a.ts', 'C:\\Work\\App\\src\\a.ts'],
    ['src\\a.ts', 'C:\\Work\\App\\src\\a.ts'],
    ['c:\\work\\app\\a.ts', 'c:\\work\\app\\a.ts'],
    ['console.ts', 'C:\\Work\\App\\console.ts'],
  ];
  test.each(insideOnWindows)('%j is inside on Windows', (named, path) => {
    expect(resolveInside('C:\\Work\\App', named, win32)).toBe(path);
  });

  const outsideOnWindows = [
    '..\\App2\\a',
    'C:\\Work\\App2\\a',
    'D:\\Work\\App\\a',
    'D:a',
    '\\Windows',
    '/Windows',
    '\\\\server\\share\\a',
    '\\\\?\\C:\\Windows\\a',
    '\\\\.\\pipe\\x',
    'NUL',
    'src\\com1.txt',
    'lpt9',
    'a.txt:stream',
    'a.txt.',
    'trailing ',
  ];
  test.each(outsideOnWindows)('%j is refused on Windows', (named) => {
    expect(resolveInside('C:\\Work\\App', named, win32)).toBeNull();
  });

  test('paths are shown with slashes', () => {
    expect(shownPath('C:\\Work', 'C:\\Work\\src\\a.ts', win32)).toBe('src/a.ts');
    expect(shownPath('/work', '/work', posix)).toBe('.');
  });
});

describe('with links', () => {
  let bench: Workbench;
  beforeEach(() => {
    bench = workbench();
    mkdirSync(join(bench.root, 'work2'));
    writeFileSync(join(bench.root, 'work2', 'secret'), 'secret');
    bench.write('real/file', 'text');
  });
  afterEach(() => bench.remove());

  const find = (named: string, files: Files = systemFiles) => locate(files, bench.workspace, named);
  const linked = (target: string, name: string): void => symlinkSync(target, join(bench.workspace, name));
  const refused = 'is not inside the workspace';

  test('a link that stays inside leads to the real place', async () => {
    linked('real', 'short');
    expect(await find('short/file')).toMatchObject({
      path: join(bench.workspace, 'real/file'),
      shown: 'real/file',
    });
    expect(await find('short/new/file')).toMatchObject({ shown: 'real/new/file', stat: null });
  });

  test('a linked file, a linked parent and a chain of links do not lead out', async () => {
    linked(join(bench.root, 'work2', 'secret'), 'file-link');
    linked('../work2', 'folder-link');
    linked('folder-link', 'chain');
    linked('/', 'root-link');
    for (const named of [
      'file-link',
      'folder-link/secret',
      'chain/secret',
      'folder-link/new/deep',
      'root-link/etc/passwd',
    ]) {
      await expect(find(named)).rejects.toThrow(refused);
    }
  });

  test('.. after a link is taken by the letters, so it cannot climb from where the link leads', async () => {
    linked('../work2', 'out');
    expect(await find('out/../real/file')).toMatchObject({ shown: 'real/file' });
  });

  test('a twin whose name begins like the workspace is outside', async () => {
    await expect(find('../work2/secret')).rejects.toThrow(refused);
    await expect(find(join(bench.root, 'work2', 'secret'))).rejects.toThrow(refused);
  });

  test('a link that leads nowhere is not written through', async () => {
    linked(join(bench.root, 'work2', 'made-by-link'), 'dangling');
    await expect(find('dangling')).rejects.toThrow('leads nowhere');
    await expect(find('dangling/deeper')).rejects.toThrow('leads nowhere');
  });

  test('when the workspace itself became a link, nothing is inside any more', async () => {
    const moved = join(bench.root, 'work2');
    rmSync(bench.workspace, { recursive: true });
    symlinkSync(moved, bench.workspace);
    await expect(find('secret')).rejects.toThrow(refused);
  });

  test('a parent that turns into a link after it was looked at is neither read nor written through', async () => {
    const turnIntoLink = (): void => {
      rmSync(join(swapped.workspace, 'real'), { recursive: true });
      symlinkSync(join(bench.root, 'work2'), join(swapped.workspace, 'real'));
    };
    const swapped = workbench({
      ...systemFiles,
      async *readChunks(path) {
        turnIntoLink();
        yield* systemFiles.readChunks(path);
      },
      writeAtomic(path, content, options) {
        turnIntoLink();
        return systemFiles.writeAtomic(path, content, options);
      },
    });
    swapped.write('real/secret', 'inside');
    const read = await swapped.call('read_file', { path: 'real/secret' });
    rmSync(join(swapped.workspace, 'real'));
    mkdirSync(join(swapped.workspace, 'real'));
    const written = await swapped.call('write_file', { path: 'real/new', content: 'x' });
    for (const { content } of [read, written])
      expect(content).toMatch(/^Tool error: the path is reached through a link, .* Use the path/);
    expect(readdirSync(join(bench.root, 'work2'))).toEqual(['secret']);
    swapped.remove();
  });
});

const onMac = (name: string): string => name.normalize('NFD');

describe('in another spelling', () => {
  let bench: Workbench;
  beforeEach(() => {
    bench = workbench();
  });
  afterEach(() => bench.remove());

  const find = (named: string) => locate(systemFiles, bench.workspace, named);

  // There both spellings are one name.
  test.skipIf(process.platform === 'darwin')('a name from a Mac is found by its usual letters', async () => {
    bench.write(onMac('Bücher/März.txt'), 'text');
    expect(await find('Bücher/März.txt')).toMatchObject({
      path: join(bench.workspace, onMac('Bücher/März.txt')),
      shown: onMac('Bücher/März.txt'),
      stat: { kind: 'file' },
    });
    expect(await find('Bücher/new.txt')).toMatchObject({ shown: onMac('Bücher/new.txt'), stat: null });
  });

  test.each([
    ['9.41\u202FAM.txt', '9.41 AM.txt'],
    ['9.41 AM.txt', '9.41\u00A0AM.txt'],
  ])('a name with another kind of blank is found: %j by %j', async (name, named) => {
    bench.write(name, 'text');
    expect(await find(named)).toMatchObject({ path: join(bench.workspace, name), stat: { kind: 'file' } });
  });

  test('of several names that look the same none is taken but the very one', async () => {
    bench.write('a\u00A0b', 'text');
    bench.write('a\u202Fb', 'text');
    expect(await find('a b')).toMatchObject({ shown: 'a b', stat: null });
    bench.write('a b', 'text');
    expect(await find('a b')).toMatchObject({ shown: 'a b', stat: { kind: 'file' } });
  });

  test('a name that only means the same is another one', async () => {
    bench.write('m² über.txt', 'text');
    expect(await find('m2 über.txt')).toMatchObject({ shown: 'm2 über.txt', stat: null });
  });

  test('a file that looks the same is not written over unread, nor is a second one made beside it', async () => {
    bench.write('9.41\u202FAM.txt', 'text');
    const written = await bench.call('write_file', { path: '9.41 AM.txt', content: 'new' });
    expect(written.content).toContain('exists and was not read yet');
    expect(readdirSync(bench.workspace)).toEqual(['9.41\u202FAM.txt']);
  });

  test('of a folder, a link in it leads neither out nor nowhere', async () => {
    bench.write('Bu\u0308cher/a.txt', 'x');
    symlinkSync(bench.root, join(bench.workspace, 'Bu\u0308cher/out'));
    symlinkSync('gone', join(bench.workspace, 'Bu\u0308cher/nothing'));
    await expect(locate(systemFiles, bench.workspace, 'B\u00FCcher/out')).rejects.toThrow(
      'is not inside the workspace',
    );
    await expect(locate(systemFiles, bench.workspace, 'B\u00FCcher/out/new.txt')).rejects.toThrow(
      'is not inside the workspace',
    );
    await expect(locate(systemFiles, bench.workspace, 'B\u00FCcher/nothing')).rejects.toThrow(
      'leads nowhere',
    );
  });

  test('a link that looks the same leads neither out nor nowhere', async () => {
    mkdirSync(join(bench.root, 'other'));
    writeFileSync(join(bench.root, 'other', 'a\u00A0b'), 'secret');
    symlinkSync('../other', join(bench.workspace, 'to\u00A0other'));
    symlinkSync('gone', join(bench.workspace, 'to\u00A0nothing'));
    await expect(find('to other/a b')).rejects.toThrow('is not inside the workspace');
    await expect(find('to nothing')).rejects.toThrow('leads nowhere');
  });

  test('the names of a folder outside are not read', async () => {
    mkdirSync(join(bench.root, 'other'));
    symlinkSync('../other', join(bench.workspace, 'out'));
    const listed: string[] = [];
    const files: Files = {
      ...systemFiles,
      readFolder(path) {
        listed.push(path);
        return systemFiles.readFolder(path);
      },
    };
    await expect(locate(files, bench.workspace, 'out/a b')).rejects.toThrow('is not inside the workspace');
    expect(listed).toEqual([]);
  });
});

test('A file that is read by its mark of a mention is that file, unless one really has such a name', async () => {
  const bench = workbench();
  const find = (named: string) => locateReadable(systemFiles, { workspace: bench.workspace }, named);
  bench.write('src/report.pdf', 'text');
  bench.write('@scope', 'text');
  bench.write('scope', 'text');
  expect(await find('@src/report.pdf')).toMatchObject({ shown: 'src/report.pdf', stat: { kind: 'file' } });
  expect(await find('@scope')).toMatchObject({ shown: '@scope' });
  expect(await find('@none.txt')).toMatchObject({ shown: '@none.txt', stat: null });
  await expect(find('@../work2/secret')).rejects.toThrow('is not inside the workspace');
  bench.remove();
});

test('close names are the nearest five', () => {
  expect(closest('idnex.ts', ['index.ts', 'index.tsx', 'main.ts', 'README.md'])).toEqual(['index.ts']);
  expect(closest('readme.MD', ['README.md'])).toEqual(['README.md']);
  expect(closest('x', ['a', 'b', 'c', 'd', 'e', 'f', 'long-name'])).toHaveLength(5);
});
