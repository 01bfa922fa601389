/** The search program reads what others wrote: it is kept in too, and still finds what it found. In each sandbox of this machine. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspaceFiles } from '../../src/host/attachments/workspace-files.ts';
import { runSearch } from '../../src/host/tools/ripgrep.ts';
import { createSearchSandbox } from '../../src/host/tools/search-sandbox.ts';
import { testRipgrep, workbench, type Workbench } from '../../src/host/tools/testing.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { systemFiles } from '../../src/platform/files.ts';
import { systemProcesses } from '../../src/platform/processes.ts';
import { openSandbox } from '../../src/platform/sandbox/open-sandbox.ts';
import { noSandbox, type Sandbox, type SandboxBackend } from '../../src/platform/sandbox/sandbox.ts';

const { platform } = process;
// Homes and the folder for temporary files are hidden, so what is searched lies there.
const root = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-search-')));
const at = (path: string): string => join(root, path);
const homeDir = at('home');
const dataDir = at('home/work/data');
const opened = async (backend: SandboxBackend): Promise<Sandbox> =>
  openSandbox({
    platform,
    processes: systemProcesses,
    files: systemFiles,
    dataDir: at('trial'),
    homeDir: homedir(),
    backend,
  });
mkdirSync(at('trial'));
const sandboxes = [await opened('bwrap'), await opened('srt')].filter(({ status }) => status.kind !== 'none');

const write = (path: string, content: string): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
};

beforeAll(() => {
  write('home/work/pkg/src/a.ts', 'needle here\n');
  write('home/work/pkg/dist/b.js', 'needle built\n');
  write('home/work/pkg/notes.tmp', 'needle noted\n');
  write('home/work/.gitignore', 'dist/\n');
  write('home/.config/git/ignore', '*.tmp\n');
  write('home/work/data/andiron.db', 'needle of ours\n');
  write('elsewhere/attached.txt', 'needle attached\n');
  write('secret', 'needle of nobody else\n');
  // A search program that somebody has taken over.
  write('taken/rg', `#!/bin/sh\ncat ${at('secret')} >&2\necho in >./in\necho out >${at('out')}\nexit 2\n`);
  chmodSync(at('taken/rg'), 0o755);
});
afterAll(() => rmSync(root, { recursive: true }));

const keepIn = (sandbox: Sandbox) =>
  createSearchSandbox({ sandbox, files: systemFiles, dataDirs: [dataDir], homeDirs: [homeDir] });

function benchIn(sandbox: Sandbox, name: string, ripgrepPath = testRipgrep): Workbench {
  const environment = { ...process.env, HOME: homeDir, XDG_CONFIG_HOME: undefined };
  const processes = { ...systemProcesses, environment };
  return workbench(systemFiles, { root: homeDir, name, processes, ripgrepPath, keepSearch: keepIn(sandbox) });
}

describe.runIf(sandboxes.length > 0).each(sandboxes)('In the sandbox $status.kind', (sandbox) => {
  test('a search finds what it finds without one, by the same rules of what is ignored', async () => {
    const found = [];
    for (const each of [sandbox, noSandbox('system')]) {
      const bench = benchIn(each, 'work/pkg');
      const results = [
        await bench.call('search', { pattern: 'needle' }),
        await bench.call('search', { pattern: 'nothing of the kind' }),
        await bench.call('glob', { pattern: '**/*' }),
        await bench.call(
          'search',
          { pattern: 'needle', path: at('elsewhere/attached.txt') },
          { attached: [at('elsewhere/attached.txt')] },
        ),
      ];
      found.push(results.map(({ ok, content }) => ({ ok, content })));
    }
    expect(found[0]).toEqual(found[1]);
    const [first, , , attached] = found[0] ?? [];
    expect(first?.content).toContain('src/a.ts');
    expect(first?.content).not.toMatch(/dist|notes/);
    expect(attached?.content).toContain('needle attached');
  });

  test('Andiron’s own data is not there for a search of a folder that holds it', async () => {
    const { content } = await benchIn(sandbox, 'work').call('search', { pattern: 'needle of ours' });
    expect(content).not.toContain('andiron.db');
  });

  test('a search program that was taken over reads nothing else and changes nothing, as it does without a sandbox', async () => {
    for (const [each, isKept] of [
      [noSandbox('system'), false],
      [sandbox, true],
    ] as const) {
      rmSync(at('out'), { force: true });
      rmSync(at('home/work/pkg/in'), { force: true });
      const { content } = await benchIn(each, 'work/pkg', at('taken/rg')).call('glob', { pattern: '*' });
      expect({
        read: content.includes('needle of nobody else'),
        wroteHere: existsSync(at('home/work/pkg/in')),
        wroteElsewhere: existsSync(at('out')),
      }).toEqual({ read: !isKept, wroteHere: !isKept, wroteElsewhere: !isKept });
    }
    rmSync(at('out'), { force: true });
    rmSync(at('home/work/pkg/in'), { force: true });
  });

  test('the files that a message may name are listed in it', async () => {
    const names = createWorkspaceFiles({
      runSearch: (request) => runSearch({ processes: systemProcesses, keepSearch: keepIn(sandbox) }, request),
      ripgrepPath: testRipgrep,
      environment: { HOME: homeDir },
      resolveWorkspace: (path) => Promise.resolve(path),
      clock: systemClock,
    });
    expect((await names.find(at('home/work/pkg'), '')).files).toEqual(['src/a.ts']);
    names.close();
  });

  test('a sandbox that does not start is an error, and never a search without a result', async () => {
    const broken: Sandbox = {
      ...sandbox,
      keep: async ({ cwd }) => ({ file: '/bin/sh', args: ['-c', 'echo no room >&2; exit 1'], cwd }),
    };
    const result = await benchIn(broken, 'work/pkg').call('search', { pattern: 'needle' });
    expect(result).toMatchObject({ ok: false, content: expect.stringContaining('no room') as unknown });
  });
});
