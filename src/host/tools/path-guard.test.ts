import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemFiles } from '../../platform/files.ts';
import type { Grant } from '../../protocol/model.ts';
import { isGranted, type Touched } from '../../rules/grants.ts';
import { createPathGuard } from './path-guard.ts';
import { quietServices, workbench, type Workbench } from './testing.ts';
import { locate, locateTarget } from './workspace-path.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.remove());

const guard = () =>
  createPathGuard(systemFiles, { dataDirs: [join(bench.workspace, 'data')], workspaces: [], homeDirs: [] });
const judge = async (named: string): Promise<Touched> =>
  guard().judge(
    await locateTarget(systemFiles, bench.workspace, named),
    { workspace: bench.workspace },
    'write',
  );
const kindOf = async (named: string): Promise<string | null> => (await judge(named)).protection?.kind ?? null;
const folder = (path: string): void => void mkdirSync(join(bench.workspace, path), { recursive: true });

describe('a place that a tool would write', () => {
  test('is judged by what a link leads to, not by the name of the link (audit-S1)', async () => {
    folder('.vscode');
    folder('src');
    symlinkSync('../.vscode', join(bench.workspace, 'src/notes'));
    expect(await judge('src/notes/tasks.json')).toMatchObject({
      path: join(bench.workspace, '.vscode/tasks.json'),
      protection: { kind: 'program', name: '.vscode' },
    });
  });

  test('is protected where the file can be run or is linked elsewhere (audit-S1)', async () => {
    bench.write('src/tool.py', 'x');
    expect(await kindOf('src/tool.py')).toBeNull();
    for (const mode of [0o755, 0o645, 0o654]) {
      chmodSync(join(bench.workspace, 'src/tool.py'), mode);
      expect(await kindOf('src/tool.py')).toBe('program');
    }
    bench.write('src/a.txt', 'x');
    linkSync(join(bench.workspace, 'src/a.txt'), join(bench.root, 'outside.txt'));
    expect(await kindOf('src/a.txt')).toBe('program');
  });

  test('is protected with the file that makes its folder a repository, whatever comes last (audit-S1)', async () => {
    const parts = ['HEAD', 'config', 'objects/a', 'refs/heads/main'];
    for (const last of parts) {
      const name = `bare-${last.replaceAll('/', '-')}`;
      for (const part of parts.filter((each) => each !== last)) bench.write(`${name}/${part}`, 'x');
      const { protection } = await judge(`${name}/${last}`);
      expect(protection).toMatchObject({ what: last === 'HEAD' ? 'name' : 'repository' });
      bench.write(`${name}/${last}`, 'x');
      expect(await kindOf(`${name}/deep/er/notes.txt`)).toBe('program');
    }
    expect(await kindOf('other/config.md')).toBeNull();
  });

  test('in Andiron’s own data is refused before anybody is asked (audit-S15)', async () => {
    folder('data/profiles');
    await expect(judge('data/profiles/x.json')).rejects.toThrow('belongs to Andiron itself');
    await expect(judge('data/hosts.json')).rejects.toThrow('belongs to Andiron itself');
    symlinkSync('data', join(bench.workspace, 'innocent'));
    await expect(judge('innocent/hosts.json')).rejects.toThrow('belongs to Andiron itself');
  });
});

test('an attached file is read from Andiron’s own data, and no other there', async () => {
  bench.write('data/attachments/a.txt', 'x');
  bench.write('data/attachments/b.txt', 'x');
  const [given, other] = ['a', 'b'].map((name) => join(bench.workspace, `data/attachments/${name}.txt`));
  const session = { workspace: bench.workspace, attached: [given ?? ''] };
  const place = (path = '') => locate(systemFiles, bench.workspace, path);
  const folder = join(bench.workspace, 'data/attachments');
  expect(await guard().judge(await place(given), session, 'read')).toEqual({
    path: given,
    folder,
    protection: null,
  });
  await expect(guard().judge(await place(other), session, 'read')).rejects.toThrow('belongs to Andiron');
});

test('an attached file is never written where the workspace holds Andiron’s own data (audit-S15)', async () => {
  bench.write('data/attachments/a.txt', 'as it was given');
  const path = 'data/attachments/a.txt';
  const attached = [join(bench.workspace, path)];
  const context = { ...contextOf(bench.workspace), attached };
  const place = await locate(systemFiles, bench.workspace, path);
  await expect(guard().judge(place, context, 'write')).rejects.toThrow('belongs to Andiron itself');
});

describe('what was allowed', () => {
  const write = { path: 'src/a.txt', content: 'new' };

  test('is not executed on another file that a link leads to meanwhile (audit-S1)', async () => {
    folder('src');
    folder('other');
    const call = bench.parse('write_file', write);
    const context = contextOf(bench.workspace);
    const checked = await call.check(context);
    expect(checked).toMatchObject({ ok: true, touched: { path: join(bench.workspace, 'src/a.txt') } });
    rmSync(join(bench.workspace, 'src'), { recursive: true });
    symlinkSync('other', join(bench.workspace, 'src'));
    const result = await call.execute({ ...context, allowed: checked.ok ? checked.touched : null });
    expect(result).toMatchObject({ ok: false });
    expect(result.content).toContain('is no longer what was allowed');
    expect(readdirSync(join(bench.workspace, 'other'))).toEqual([]);
  });

  test('is not executed once the file has become one that programs run (audit-S1)', async () => {
    folder('bare/objects');
    const call = bench.parse('write_file', { path: 'bare/config', content: '[core]' });
    const context = contextOf(bench.workspace);
    const checked = await call.check(context);
    bench.write('bare/HEAD', 'ref: refs/heads/main');
    const result = await call.execute({ ...context, allowed: checked.ok ? checked.touched : null });
    expect(result.content).toContain('is no longer what was allowed');
    expect(readdirSync(join(bench.workspace, 'bare')).toSorted()).toEqual(['HEAD', 'objects']);
  });

  test('is executed on nothing where nothing was allowed (audit-S1)', async () => {
    const result = await bench.parse('write_file', write).execute(contextOf(bench.workspace));
    expect(result.content).toContain('is no longer what was allowed');
    expect(readdirSync(bench.workspace)).toEqual([]);
  });

  test('covers a private place that was asked about by name', async () => {
    bench.write('.ssh/config', 'Host a');
    const { ok, content } = await bench.call('read_file', { path: '.ssh/config' });
    expect([ok, content]).toEqual([true, expect.stringContaining('Host a')]);
  });
});

describe('a walk', () => {
  beforeEach(() => {
    bench.write('a.txt', 'needle');
    bench.write('home/.ssh/id_rsa', 'needle needle');
    bench.write('home/.aws/credentials', 'other words');
    bench.write('home/.env', 'needle');
  });

  test('leaves private places out and says how many files, whatever is looked for (audit-S15)', async () => {
    for (const pattern of ['needle', 'nowhere', 'other words']) {
      const { content } = await bench.call('search', { pattern });
      expect(content).toContain('3 files in protected places are left out.');
      expect(content).not.toContain('.ssh');
      expect(content).not.toContain('.aws');
    }
    expect((await bench.call('search', { pattern: 'needle' })).content).toContain('a.txt:1: needle');
  });

  test('by names leaves them out too (audit-S15)', async () => {
    const { content } = await bench.call('glob', { pattern: '*' });
    expect(content).toBe(
      'a.txt\n3 files in protected places are left out. To look there, name the place as path: the person is asked.',
    );
  });

  test('of a place that was named, and so asked about, shows what is in it', async () => {
    const { content } = await bench.call('search', { pattern: 'needle', path: 'home/.ssh' });
    expect(content).toBe('home/.ssh/id_rsa:1: needle needle');
    const call = bench.parse('search', { pattern: 'needle', path: 'home/.ssh' });
    expect(await call.check(contextOf(bench.workspace))).toMatchObject({
      touched: { protection: { kind: 'private', name: '.ssh' } },
    });
  });

  test('names no file of a private place to who only mistyped one (audit-S15)', async () => {
    const { content } = await bench.call('read_file', { path: 'home/.ssh/id_rsb' });
    expect(content).toBe('Error: There is no home/.ssh/id_rsb.');
  });
});

/** Random trees with links: whatever is named, a grant reaches it only where it really lies, and never what is protected. */
test('no path leads from a grant to a file outside it, for random trees and paths (audit-S1)', async () => {
  const seed = Date.now() % 1_000_000;
  const random = randomFrom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const names = [
    'src',
    'SRC',
    'a',
    'b',
    '.vscode',
    'caf\u00e9',
    'cafe\u0301',
    'package.json',
    'x.ts',
    'bare',
    '.git',
  ];
  mkdirSync(join(bench.workspace, 'src'));
  const made: string[] = ['.', 'src'];
  for (let count = 0; count < 60; count += 1) {
    const path = join(pick(made), pick(names));
    const at = join(bench.workspace, path);
    if (random() < 0.25) {
      const to = random() < 0.3 ? bench.root : join(bench.workspace, pick(made));
      try {
        symlinkSync(to, at);
      } catch {
        continue;
      }
    } else if (random() < 0.8) {
      try {
        mkdirSync(at);
      } catch {
        continue;
      }
    } else {
      try {
        writeFileSync(at, 'x', { flag: 'wx' });
      } catch {
        continue;
      }
    }
    made.push(path);
  }
  const grants: Grant[] = [{ tool: 'write_file', folder: realpathSync(join(bench.workspace, 'src')) }];
  let granted = 0;
  const wrong: string[] = [];
  for (let count = 0; count < 1_200; count += 1) {
    const steps = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      pick([...names, ...made, '..', '.', 'src']),
    );
    const named = ['src', ...steps, pick(['x.ts', 'package.json', 'new.md'])]
      .slice(random() < 0.7 ? 0 : 1)
      .join('/');
    const touched = await judge(named).catch(() => null);
    if (touched === null || !isGranted(grants, 'write_file', touched)) continue;
    granted += 1;
    const real = reallyAt(join(bench.workspace, named));
    const isCovered = real.startsWith(`${grants[0]?.folder ?? ''}/`);
    if (!isCovered || /\/\.|package\.json$/.test(real.slice(bench.workspace.length)))
      wrong.push(`seed ${seed}: ${named} is ${real}`);
  }
  expect(wrong).toEqual([]);
  // Otherwise nothing was tried; usually it is about 200.
  expect(granted).toBeGreaterThan(10);
});

/** Where a write would end up, by the system's own account: in the file of that name, or in the one whose name looks the same. */
function reallyAt(path: string): string {
  return path.split('/').reduce((folder, part) => {
    const at = join(folder, spelledIn(folder, part));
    return existsSync(at) ? realpathSync(at) : at;
  }, '/');
}

function spelledIn(folder: string, part: string): string {
  const entries = existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder) : [];
  const [twin, another] = entries.filter((entry) => entry.normalize() === part.normalize());
  return entries.includes(part) || another !== undefined ? part : (twin ?? part);
}

function randomFrom(seed: number): () => number {
  let state = seed + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const contextOf = (workspace: string) => ({
  workspace,
  callId: 'call',
  sessionId: 'session',
  signal: new AbortController().signal,
  output: () => undefined,
  ...quietServices(),
});
