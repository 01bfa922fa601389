import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
