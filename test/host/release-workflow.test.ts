import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gatherRelease, mergeFeeds } from '../../scripts/feed-merging.ts';
import { makeKeyPair, readPrivateKey, signFeeds } from '../../scripts/feed-signing.ts';
import { readFeed, verifyFeed } from '../../src/main/updates/feed.ts';
import { projectRoot } from '../helpers/server-process.ts';

const yaml = createRequire(createRequire(import.meta.url).resolve('electron-updater'))('js-yaml') as {
  load: (text: string) => unknown;
};
const hash = (seed: string): string => Buffer.alloc(64, seed).toString('base64');
const feed = (names: string[], version = '0.2.0', seed = 'a'): string =>
  [
    `version: ${version}`,
    'files:',
    ...names.map((name) => `  - url: ${name}\n    sha512: ${hash(seed)}\n    size: 12`),
    `path: ${names[0] ?? ''}`,
    `sha512: ${hash(seed)}`,
    "releaseDate: '2026-11-23T10:00:00.000Z'\n",
  ].join('\n');

describe('the feeds of two architectures', () => {
  const arm = feed(['Andiron-0.2.0-mac-arm64.zip', 'Andiron-0.2.0-mac-arm64.dmg']);
  const intel = feed(['Andiron-0.2.0-mac-x64.zip', 'Andiron-0.2.0-mac-x64.dmg']);

  test('become one that the app reads, with the files of both', () => {
    const { version, files } = readFeed(yaml.load(mergeFeeds([arm, intel])));
    expect(version).toBe('0.2.0');
    expect(files.map(({ url }) => url)).toEqual([
      'Andiron-0.2.0-mac-arm64.zip',
      'Andiron-0.2.0-mac-arm64.dmg',
      'Andiron-0.2.0-mac-x64.zip',
      'Andiron-0.2.0-mac-x64.dmg',
    ]);
  });

  test('are not merged when their versions differ', () => {
    expect(() => mergeFeeds([arm, feed(['a.zip'], '0.3.0')])).toThrow('two versions: 0.2.0 and 0.3.0');
  });

  test('are not merged when they name one file with two contents', () => {
    expect(() => mergeFeeds([feed(['a.zip']), feed(['a.zip'], '0.2.0', 'b')])).toThrow('a.zip differently');
  });
});

describe('the artefacts of a release', () => {
  let from = '';
  let to = '';
  beforeEach(() => {
    from = mkdtempSync(join(tmpdir(), 'andiron-artefacts-'));
    to = join(from, '..', `${from}-release`);
  });
  afterEach(() => [from, to].forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  const make = (files: Record<string, string>): void => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(from, path)), { recursive: true });
      writeFileSync(join(from, path), content);
    }
  };

  test('are gathered into one folder, and their merged feed is signed so that the app believes it', () => {
    make({
      'andiron-macos-15/latest-mac.yml': feed(['arm64.zip']),
      'andiron-macos-15/arm64.zip': 'a',
      'andiron-macos-15/arm64.zip.blockmap': 'a',
      'andiron-macos-15-intel/latest-mac.yml': feed(['x64.zip']),
      'andiron-macos-15-intel/x64.zip': 'b',
    });
    expect(gatherRelease(from, to)).toEqual(['arm64.zip', 'arm64.zip.blockmap', 'latest-mac.yml', 'x64.zip']);
    const { privateKey, publicKey } = makeKeyPair();
    signFeeds(to, readPrivateKey(privateKey), new Date());
    expect(readdirSync(to)).toContain('latest-mac.yml.sig');
    const [content, signature] = ['', '.sig'].map((end) => readFileSync(join(to, `latest-mac.yml${end}`)));
    if (!content || !signature) throw new Error('Nothing was signed.');
    expect(() => verifyFeed({ feed: content, signature }, 'latest-mac.yml', publicKey)).not.toThrow();
  });

  test('are refused when two builds made one name, or a feed names what no build made', () => {
    make({ 'one/a.zip': '1', 'two/a.zip': '2' });
    expect(() => gatherRelease(from, to)).toThrow('Two builds made a file named a.zip');
    rmSync(join(from, 'two'), { recursive: true });
    make({ 'one/latest.yml': feed(['b.exe']) });
    expect(() => gatherRelease(from, to)).toThrow('latest.yml names b.exe, which no build made');
  });
});

interface Step {
  name?: string;
  if?: string;
  uses?: string;
  run?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
}
interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<
    'desktop' | 'release',
    {
      steps: Step[];
      if?: string;
      environment?: string;
      needs?: string;
      permissions?: Record<string, string>;
      strategy?: { matrix: { include: { os: string; pack: string }[] } };
    }
  >;
}

const runs = (steps: Step[]): string => steps.map(({ run = '' }) => run).join('\n');

describe('the release workflow', () => {
  const path = join(projectRoot, '.github', 'workflows', 'desktop.yml');
  const text = readFileSync(path, 'utf8');
  const workflow = yaml.load(text) as Workflow;
  const { desktop, release } = workflow.jobs;

  test('packs three systems on both architectures, each on its own machine', () => {
    const packed = desktop.strategy?.matrix.include.map(({ os, pack }) => `${os} ${pack}`);
    expect(packed).toHaveLength(6);
    for (const system of ['linux', 'win', 'mac']) {
      for (const arch of ['x64', 'arm64']) {
        expect(packed?.filter((each) => each.endsWith(`--${system} --${arch}`))).toHaveLength(1);
      }
    }
    expect(packed).toContain('windows-11-arm --win --arm64');
  });

  test('never lets a build publish by itself (desk-P14)', () => {
    const packing = runs(desktop.steps).match(/npx electron-builder .*/g);
    expect(packing).toHaveLength(1);
    expect(packing?.[0]).toContain('--publish never');
  });

  test('gives a build no right to write, and the release none but to write', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(desktop.permissions).toBeUndefined();
    expect(release.permissions).toEqual({ contents: 'write' });
    expect(release.if).toContain("refs/tags/v'");
    expect(release.needs).toBe('desktop');
    // Its reviewers come before the key of the feeds.
    expect(release.environment).toBe('release');
  });

  test('keeps the key of the feeds to the one step that signs', () => {
    expect(text.match(/secrets\.ANDIRON_UPDATE_KEY/g)).toHaveLength(1);
    const signing = release.steps.find(({ env }) => env?.['ANDIRON_UPDATE_KEY']);
    expect(signing?.run).toBe('node scripts/sign-feed.mjs release');
  });

  test('merges before it signs, and signs before it publishes a draft', () => {
    const order = ['merge-feeds.mjs', 'sign-feed.mjs', 'sha256sum', 'gh release create'];
    const places = order.map((each) => runs(release.steps).indexOf(each));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(runs(release.steps)).toContain('--draft');
  });

  test('keeps feeds and block maps among the artefacts', () => {
    const kept = desktop.steps.flatMap((step) => step.with?.['path'] ?? []).join('\n');
    for (const file of ['*.AppImage', '*.deb', '*.exe', '*.dmg', '*.zip', '*.blockmap', 'latest*.yml']) {
      expect(kept).toContain(`dist/${file}`);
    }
  });

  test('puts nothing that a person can name into a command', () => {
    for (const { run = '' } of [...desktop.steps, ...release.steps]) expect(run).not.toContain('${{');
  });

  test('runs only scripts that are in the repository', () => {
    const named = runs([...desktop.steps, ...release.steps]).matchAll(/node ((?:scripts|test)\/[\w/.-]+)/g);
    const scripts = [...new Set([...named].map(([, script = '']) => script))];
    expect(scripts.length).toBeGreaterThan(2);
    for (const script of scripts) expect(() => readFileSync(join(projectRoot, script))).not.toThrow();
    const { scripts: known } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const [, name = ''] of text.matchAll(/npm run ([\w:-]+)/g)) expect(known).toHaveProperty(name);
  });
});

interface Machine {
  event: 'push' | 'pull_request' | 'workflow_dispatch';
  ref: string;
  os: 'Linux' | 'Windows' | 'macOS';
  secrets: Record<string, string>;
}

const allSecrets = {
  CSC_LINK: 'a Mac certificate',
  CSC_KEY_PASSWORD: 'of the Mac',
  WIN_CSC_LINK: 'a Windows certificate',
  WIN_CSC_KEY_PASSWORD: 'of Windows',
  APPLE_API_KEY: 'key',
  APPLE_API_KEY_ID: 'key id',
  APPLE_API_ISSUER: 'issuer',
};
const without = (...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(allSecrets).filter(([name]) => !names.includes(name)));
const appleKey = ['APPLE_API_ISSUER', 'APPLE_API_KEY', 'APPLE_API_KEY_ID'];
const macCertificate = ['CSC_KEY_PASSWORD', 'CSC_LINK'];
const tag = 'refs/tags/v0.2.0';
const main = 'refs/heads/main';

const startsWith = (text: string, start: string): boolean => text.startsWith(start);

/** What the workflow writes in `${{ }}` is JavaScript too, with a function more. */
function evaluate(expression: string, { event, ref, os, secrets }: Machine): unknown {
  const github = { event_name: event, ref, ref_name: ref.replace(/^refs\/\w+\//, '') };
  return runInNewContext(expression, {
    github,
    runner: { os },
    secrets,
    matrix: { pack: '--linux --x64' },
    startsWith,
  });
}

const filled = (text: string, machine: Machine): string =>
  text.replace(
    /\$\{\{(.+?)\}\}/g,
    (_, expression: string) => (evaluate(expression, machine) ?? '') as string,
  );

const onTag = (name: string): Machine => ({
  event: 'push',
  ref: `refs/tags/${name}`,
  os: 'Linux',
  secrets: {},
});

describe.skipIf(process.platform === 'win32')('the signing of the packages', () => {
  const text = readFileSync(join(projectRoot, '.github', 'workflows', 'desktop.yml'), 'utf8');
  const { steps } = (yaml.load(text) as Workflow).jobs.desktop;
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'andiron-signing-'));
    // In the place of npx: names what electron-builder would sign and notarise with. An empty certificate is one to it.
    const names = `Object.entries(process.env)
      .filter(([name, value]) => /^(WIN_)?CSC_(LINK|KEY_PASSWORD|NAME)$/.test(name) || (value !== '' && name.startsWith('APPLE_')))
      .map(([name]) => name).sort().join()`;
    const write = `require('fs').writeFileSync(${JSON.stringify(join(folder, 'seen'))}, ${names})`;
    writeFileSync(join(folder, 'npx'), `#!/usr/bin/env node\n${write}\n`, { mode: 0o755 });
    writeFileSync(join(folder, 'env'), '');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (step: Step, machine: Machine): void => {
    if (step.if !== undefined && evaluate(step.if, machine) !== true) return;
    const given = Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value, machine)]);
    const kept = readFileSync(join(folder, 'env'), 'utf8').trim().split('\n');
    execFileSync('bash', ['-e', '-o', 'pipefail', '-c', step.run ?? ''], {
      cwd: projectRoot,
      stdio: 'pipe',
      env: {
        PATH: `${folder}:${process.env['PATH'] ?? ''}`,
        RUNNER_OS: machine.os,
        RUNNER_TEMP: folder,
        GITHUB_ENV: join(folder, 'env'),
        ...(Object.fromEntries(kept.map((line) => line.split('='))) as Record<string, string>),
        ...(Object.fromEntries(given) as Record<string, string>),
      },
    });
  };
  const signsWith = (machine: Machine): string[] => {
    for (const step of steps) if (/APPLE_API_KEY|electron-builder/.test(step.run ?? '')) run(step, machine);
    return readFileSync(join(folder, 'seen'), 'utf8').split(',').filter(Boolean);
  };

  test.each<[string, Machine, string[]]>([
    [
      'a Mac on a tag',
      { event: 'push', ref: tag, os: 'macOS', secrets: allSecrets },
      [...appleKey, ...macCertificate],
    ],
    ['a Mac on main', { event: 'push', ref: main, os: 'macOS', secrets: allSecrets }, macCertificate],
    [
      'a Mac in a pull request',
      { event: 'pull_request', ref: 'refs/pull/7/merge', os: 'macOS', secrets: allSecrets },
      [],
    ],
    [
      'a Mac that somebody starts by hand on a tag',
      { event: 'workflow_dispatch', ref: tag, os: 'macOS', secrets: allSecrets },
      [],
    ],
    [
      'a Mac without an issuer',
      { event: 'push', ref: tag, os: 'macOS', secrets: without('APPLE_API_ISSUER') },
      macCertificate,
    ],
    [
      'a Mac without a certificate',
      { event: 'push', ref: tag, os: 'macOS', secrets: without('CSC_LINK') },
      [],
    ],
    ['a Mac of a fork', { event: 'push', ref: tag, os: 'macOS', secrets: {} }, []],
    [
      'Windows on a tag',
      { event: 'push', ref: tag, os: 'Windows', secrets: allSecrets },
      ['WIN_CSC_KEY_PASSWORD', 'WIN_CSC_LINK'],
    ],
    [
      'Windows with the certificate of the Mac alone',
      { event: 'push', ref: tag, os: 'Windows', secrets: without('WIN_CSC_LINK') },
      [],
    ],
    ['Linux on a tag', { event: 'push', ref: tag, os: 'Linux', secrets: allSecrets }, []],
  ])('on %s takes its own certificate, and all that Apple wants or none (desk-F2)', (_, machine, names) => {
    expect(signsWith(machine)).toEqual(names);
  });

  test('is not come to where the tag is another version than package.json has (desk-P14)', () => {
    const step = steps.find(({ run: script }) => script?.includes('"$TAG"'));
    if (!step) throw new Error('No step compares the tag.');
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(() => run(step, onTag(`v${version}`))).not.toThrow();
    for (const other of ['v99.0.0', `v${version}-beta`, 'v']) {
      expect(() => run(step, onTag(other))).toThrow(`v${version}, the version in package.json`);
    }
    expect(() => run(step, { ...onTag('x'), ref: main })).not.toThrow();
    const installs = steps.findIndex(({ run: script }) => script === 'npm ci');
    expect(steps.indexOf(step)).toBeLessThan(installs);
  });

  test.each<[boolean, Machine['event'], string]>([
    [true, 'push', tag],
    [false, 'workflow_dispatch', tag],
    [false, 'push', main],
    [false, 'pull_request', 'refs/pull/7/merge'],
  ])('is followed by a release: %s, where the event is %s of %s (desk-P14)', (isReleased, event, ref) => {
    const { release } = (yaml.load(text) as Workflow).jobs;
    expect(evaluate(release.if ?? 'true', { event, ref, os: 'Linux', secrets: {} })).toBe(isReleased);
  });
});
