import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeToOthers, makePrivateFolder, warnOfOpen } from './private-data.ts';

let root: string;
let data: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'andiron-private-'));
  data = join(root, 'data');
  makeFolder('', 0o755);
});
afterEach(() => rmSync(root, { recursive: true }));

function makeFolder(name: string, mode: number): void {
  mkdirSync(join(data, name), { recursive: true });
  chmodSync(join(data, name), mode);
}

function makeFile(name: string, mode: number): void {
  const path = join(data, name);
  if (!existsSync(dirname(path))) makeFolder(dirname(name), 0o755);
  writeFileSync(path, name);
  chmodSync(path, mode);
}

const mode = (name: string): string => (statSync(join(data, name)).mode & 0o7777).toString(8);

test.skipIf(process.platform === 'win32')(
  'a data folder of an older Andiron is closed to others, with all that is in it (audit-S8)',
  () => {
    const files = [
      'andiron.db',
      'andiron.db-wal',
      'engine.json',
      'engine.json.new',
      'hosts.json',
      'logs/host.log',
      'logs/host.log.1',
      'backups/andiron-v0001.db',
      'profiles/writer/profile.json',
    ];
    for (const name of files) makeFile(name, 0o644);
    makeFile('ollama/versions/0.40.2/bin/ollama', 0o755);
    makeFile('attachments/a1', 0o444);
    expect(closeToOthers(data)).toEqual([]);
    for (const name of files) expect([name, mode(name)]).toEqual([name, '600']);
    for (const name of ['', 'logs', 'profiles', 'profiles/writer', 'ollama/versions/0.40.2/bin'])
      expect([name, mode(name)]).toEqual([name, '700']);
    // What the owner may do stays: a program runs, and what is kept unchanged stays so.
    expect([mode('ollama/versions/0.40.2/bin/ollama'), mode('attachments/a1')]).toEqual(['700', '400']);
  },
);

test.skipIf(process.platform === 'win32')(
  'what is closed already keeps every permission of its owner (audit-S8)',
  () => {
    for (const [name, before] of [
      ['andiron.db', 0o600],
      ['engine.json', 0o400],
      ['hosts.json', 0o700],
    ] as const) {
      makeFile(name, before);
      closeToOthers(data);
      expect(mode(name)).toBe(before.toString(8));
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'links are not followed, out of the folder or out of what is in it (audit-S8)',
  () => {
    const outside = join(root, 'outside');
    mkdirSync(outside, { mode: 0o755 });
    writeFileSync(join(outside, 'letter'), '', { mode: 0o644 });
    chmodSync(outside, 0o755);
    chmodSync(join(outside, 'letter'), 0o644);
    makeFile('andiron.db', 0o644);
    symlinkSync(outside, join(data, 'logs'));
    symlinkSync(join(outside, 'letter'), join(data, 'engine.json'));
    makeFolder('profiles', 0o755);
    symlinkSync(outside, join(data, 'profiles', 'mine'));
    linkSync(join(outside, 'letter'), join(data, 'profiles', 'hard'));
    expect(closeToOthers(data)).toEqual([]);
    expect(statSync(outside).mode & 0o777).toBe(0o755);
    expect(statSync(join(outside, 'letter')).mode & 0o777).toBe(0o644);
    expect(lstatSync(join(data, 'logs')).isSymbolicLink()).toBe(true);
    expect(mode('andiron.db')).toBe('600');
  },
);

test.skipIf(process.platform === 'win32')(
  'a folder with things that are not Andiron’s stays as it is, and so do they (audit-S8)',
  () => {
    makeFile('andiron.db', 0o644);
    makeFile('logs/host.log', 0o644);
    makeFile('letter.txt', 0o644);
    makeFile('photos/cat.jpg', 0o664);
    expect(closeToOthers(data)).toEqual([]);
    expect([mode(''), mode('letter.txt'), mode('photos'), mode('photos/cat.jpg')]).toEqual([
      '755',
      '644',
      '755',
      '664',
    ]);
    expect([mode('andiron.db'), mode('logs'), mode('logs/host.log')]).toEqual(['600', '700', '600']);
  },
);

test.skipIf(process.platform === 'win32')(
  'what a person works on in the data folder keeps its permissions (audit-S8)',
  () => {
    makeFile('demo-workspace/notes.md', 0o664);
    makeFile('first-tasks/bookbox/run.sh', 0o755);
    makeFile('demo/demo-workspace/notes.md', 0o664);
    closeToOthers(data);
    expect(mode('')).toBe('700');
    expect(
      ['demo-workspace/notes.md', 'first-tasks/bookbox/run.sh', 'demo/demo-workspace/notes.md'].map(mode),
    ).toEqual(['664', '755', '664']);
  },
);

test.skipIf(process.platform === 'win32')(
  'what cannot be put right is told, and the rest is done (audit-S8)',
  () => {
    makeFile('andiron.db', 0o644);
    makeFile('engine.json', 0o044);
    const failed = closeToOthers(data);
    // The administrator may open everything.
    expect(failed).toEqual(process.getuid?.() === 0 ? [] : [join(data, 'engine.json')]);
    expect(mode('andiron.db')).toBe('600');
  },
);

test('the log is warned of what others can still read, and of nothing where all is closed (audit-A14)', () => {
  const warnings: unknown[] = [];
  const log = { warn: (message: string, fields?: object) => void warnings.push({ message, ...fields }) };
  warnOfOpen([], log);
  expect(warnings).toEqual([]);
  warnOfOpen(['/data/engine.json'], log);
  expect(warnings).toEqual([
    { message: expect.stringContaining('other users') as string, paths: ['/data/engine.json'] },
  ]);
});

test.skipIf(process.platform === 'win32')(
  'a new folder is closed from the start, whatever the person’s mask is (audit-S8)',
  () => {
    const before = process.umask(0o002);
    try {
      makePrivateFolder(join(root, 'a', 'b'));
    } finally {
      process.umask(before);
    }
    expect(statSync(join(root, 'a', 'b')).mode & 0o777).toBe(0o700);
  },
);
