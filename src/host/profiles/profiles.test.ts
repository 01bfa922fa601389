import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Clock } from '../../platform/clock.ts';
import { systemFiles } from '../../platform/files.ts';
import type { ProfilesState } from './profiles.ts';
import { profileHome, type ProfileHome } from './testing.ts';

const good = { name: 'Tester', tools: ['read_file'] };

let home: ProfileHome;
let folder: string;
beforeEach(async () => {
  home = await profileHome();
  ({ folder } = home);
  const developer = { name: 'Developer', tools: ['read_file', 'run_command'] };
  await profile('built-in', 'developer', developer, 'You write.');
});
afterEach(() => home.remove());

const profile: ProfileHome['write'] = (...args) => home.write(...args);

/** Debounced work runs as soon as it is asked for, so that a test waits only for the change itself. */
const impatientClock: Clock = { ...systemClock, after: (_, run) => systemClock.after(0, run) };

const open: ProfileHome['open'] = (more) => home.open({ clock: impatientClock, ...more });

/** Resolves with the first told state that satisfies the condition. */
function watching() {
  const seen: ProfilesState[] = [];
  let check: (() => void) | undefined;
  return {
    seen,
    onChange(state: ProfilesState): void {
      seen.push(state);
      check?.();
    },
    until(condition: (state: ProfilesState) => boolean): Promise<ProfilesState> {
      return new Promise((resolve) => {
        check = () => {
          const found = seen.find(condition);
          if (found) resolve(found);
        };
        check();
      });
    },
  };
}

describe('loading', () => {
  test('fills defaults in, trims the prompt and tells built-in from own', async () => {
    await profile('own', 'tester', good, '\uFEFF\nYou test.\n\n');
    const profiles = await open();
    expect(profiles.get('developer')).toMatchObject({
      builtIn: true,
      maxIterations: 20,
      approvals: 'auto_read',
    });
    expect(profiles.get('tester')).toMatchObject({ builtIn: false, systemPrompt: 'You test.' });
    expect(profiles.state().problems).toEqual([]);
  });

  test('an own folder replaces the built-in one of the same name', async () => {
    await profile('own', 'developer', good, 'You test.');
    const profiles = await open();
    expect(profiles.state().profiles).toHaveLength(1);
    expect(profiles.get('developer')).toMatchObject({ name: 'Tester', builtIn: false });
  });

  test('the own persona wins, then the built-in one, then none', async () => {
    expect((await open()).state().persona).toBe('');
    await writeFile(join(folder, 'built-in', 'persona.md'), 'You are Andiron.\n');
    expect((await open()).state().persona).toBe('You are Andiron.');
    await writeFile(join(folder, 'own', 'persona.md'), 'You are Bob.');
    expect((await open()).state().persona).toBe('You are Bob.');
  });

  const broken: [what: string, file: unknown, prompt: string | undefined, message: RegExp][] = [
    ['a syntax error', '{"name": "x",', 'p', /^profile\.json: not valid JSON: .*position 13/],
    ['a list', '[]', 'p', /^profile\.json: expected an object/],
    ['a wrong type', { ...good, maxIterations: 'many' }, 'p', /^profile\.json: "maxIterations": .*number/],
    ['a number too large', { ...good, maxIterations: 1000 }, 'p', /^profile\.json: "maxIterations": .*200/],
    ['a nested mistake', { ...good, sampling: { temperature: 9 } }, 'p', /"sampling\.temperature": .*5/],
    ['a key that does not exist', { ...good, max: 1 }, 'p', /unknown key "max"; expected some of name, /],
    ['no name', { tools: [] }, 'p', /"name": .*string/],
    [
      'an unknown tool',
      { ...good, tools: ['rm'] },
      'p',
      /no tool "rm"; expected some of read_file, run_command/,
    ],
    ['no prompt', good, undefined, /^system\.md: the file is missing/],
    ['an empty prompt', good, ' \n', /^system\.md: expected the prompt/],
    ['a prompt of 300 kB', good, 'x'.repeat(300_000), /system\.md is too large/],
  ];
  test.each(broken)('%s becomes a problem that says what is expected', async (_, file, prompt, message) => {
    await profile('own', 'tester', file, prompt);
    const { profiles, problems } = (await open()).state();
    expect(profiles.map(({ id }) => id)).toEqual(['developer']);
    expect(problems).toEqual([
      {
        id: 'tester',
        path: join(folder, 'own', 'tester'),
        message: expect.stringMatching(message) as string,
      },
    ]);
  });

  test('a folder name that cannot be an id is a problem; files and dot folders are nobody', async () => {
    await profile('own', 'my profile', good, 'p');
    await profile('own', '.git', good, 'p');
    await writeFile(join(folder, 'own', 'notes.txt'), '');
    const { problems } = (await open()).state();
    expect(problems.map(({ id }) => id)).toEqual(['my profile']);
  });

  test('a linked profile folder is read and updated where it leads', async () => {
    await profile('built-in', 'developer', good, 'p');
    await mkdir(join(folder, 'own'));
    await mkdir(join(folder, 'dotfiles'));
    await profile('own', 'temporary', good, 'You test.');
    await rename(join(folder, 'own', 'temporary'), join(folder, 'dotfiles', 'tester'));
    await symlink(join(folder, 'dotfiles', 'tester'), join(folder, 'own', 'tester'));
    const profiles = await open();
    await profiles.update('tester', { maxIterations: 3 });
    expect(await readFile(join(folder, 'dotfiles', 'tester', 'profile.json'), 'utf8')).toContain(
      '"maxIterations": 3',
    );
  });
});

test('where not one profile can be read, nothing starts, and the reason is said', async () => {
  await writeFile(join(folder, 'built-in', 'developer', 'profile.json'), '{');
  await expect(open()).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringMatching(/^The profiles cannot be read: profile\.json: not valid JSON.*\.$/),
  });
});

describe('watching', () => {
  test('an edited file is in force and told once it settled', async () => {
    const watched = watching();
    await profile('own', 'tester', good, 'You test.');
    const profiles = await open(watched);
    await profile('own', 'tester', { ...good, maxIterations: 7 });
    await watched.until(({ profiles }) => profiles.some(({ maxIterations }) => maxIterations === 7));
    expect(profiles.get('tester')?.maxIterations).toBe(7);
  });

  test('a profile that breaks keeps its last good reading, and recovers', async () => {
    const watched = watching();
    await profile('own', 'tester', good, 'You test.');
    const profiles = await open(watched);
    await profile('own', 'tester', '{');
    const broken = await watched.until(({ problems }) => problems.length === 1);
    expect(broken.profiles.map(({ id }) => id)).toContain('tester');
    await profile('own', 'tester', { ...good, name: 'Mended' });
    await watched.until(
      ({ problems, profiles }) => problems.length === 0 && profiles.some(({ name }) => name === 'Mended'),
    );
    expect(profiles.get('tester')?.name).toBe('Mended');
  });

  test('new and removed folders are noticed', async () => {
    const watched = watching();
    await open(watched);
    await profile('own', 'tester', good, 'You test.');
    await watched.until(({ profiles, problems }) => profiles.length === 2 && problems.length === 0);
    await rm(join(folder, 'own', 'tester'), { recursive: true });
    await watched.until(({ profiles }) => profiles.length === 1 && watched.seen.length > 1);
    expect(watched.seen.at(-1)?.problems).toEqual([]);
  });

  test('many events within the settling time lead to one reading', async () => {
    const timers: (() => void)[] = [];
    let notice: (() => void) | undefined;
    let readings = 0;
    const clock: Clock = {
      ...systemClock,
      after: (_, run) => {
        let live = true;
        timers.push(() => live && run());
        return { cancel: () => void (live = false) };
      },
    };
    const files = {
      ...systemFiles,
      watch: (_: string, onChange: () => void) => {
        notice = onChange;
        return { close() {} };
      },
      readFolder: (path: string) => {
        readings++;
        return systemFiles.readFolder(path);
      },
    };
    const watched = watching();
    await open({ ...watched, clock, files });
    const before = readings;
    await profile('own', 'tester', good, 'You test.');
    for (let event = 0; event < 10; event++) notice?.();
    for (const timer of timers) timer();
    await watched.until(({ profiles }) => profiles.length === 2);
    expect(readings - before).toBe(2); // the built-in folder and the own one
  });
});

describe('updating', () => {
  test('a built-in profile is copied to the own folder and only what changed is written', async () => {
    const watched = watching();
    const profiles = await open(watched);
    const updated = await profiles.update('developer', { maxIterations: 5, think: false });
    expect(updated).toMatchObject({
      builtIn: false,
      maxIterations: 5,
      think: false,
      systemPrompt: 'You write.',
    });
    const written: unknown = JSON.parse(
      await readFile(join(folder, 'own', 'developer', 'profile.json'), 'utf8'),
    );
    expect(written).toEqual({
      name: 'Developer',
      tools: ['read_file', 'run_command'],
      maxIterations: 5,
      think: false,
    });
    expect((await readdir(join(folder, 'own', 'developer'))).toSorted()).toEqual([
      'profile.json',
      'system.md',
    ]);
    expect(await readFile(join(folder, 'built-in', 'developer', 'profile.json'), 'utf8')).not.toContain(
      'think',
    );
    expect(watched.seen).toHaveLength(1);
  });

  test('undefined puts a key back to its default', async () => {
    const profiles = await open();
    await profiles.update('developer', { think: 'high' });
    expect((await profiles.update('developer', { think: undefined })).think).toBeUndefined();
  });

  test('updates made at once all count', async () => {
    const profiles = await open();
    await Promise.all([
      profiles.update('developer', { maxIterations: 5 }),
      profiles.update('developer', { contextTokens: 4096 }),
      profiles.update('developer', { name: 'Dev' }),
    ]);
    expect(profiles.get('developer')).toMatchObject({ maxIterations: 5, contextTokens: 4096, name: 'Dev' });
  });

  test('what would make the profile invalid is refused and nothing is written', async () => {
    const profiles = await open();
    await expect(profiles.update('developer', { maxIterations: 0 })).rejects.toMatchObject({
      code: 'profile_invalid',
      message: expect.stringContaining('"maxIterations"') as string,
    });
    await expect(profiles.update('nobody', {})).rejects.toMatchObject({ code: 'not_found' });
    expect(await readdir(join(folder, 'own'))).toEqual([]);
  });

  test('a disk that refuses the write is a storage error with advice', async () => {
    const profiles = await open({
      files: {
        ...systemFiles,
        writeAtomic: () => Promise.reject(new Error('ENOSPC: no space left on device')),
      },
    });
    const error = await profiles.update('developer', { maxIterations: 5 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AndironError);
    expect(error).toMatchObject({ code: 'storage', message: expect.stringContaining('ENOSPC') as string });
    expect(profiles.get('developer')?.maxIterations).toBe(20);
  });
});

test('the profiles that ship load without a problem and stay small', async () => {
  const names =
    'read_file write_file edit_file list_files glob search run_command todo scratchpad spawn_agent switch_profile list_profiles memory_save memory_search load_skill search_collections'.split(
      ' ',
    );
  const profiles = await open({
    builtInDir: join(import.meta.dirname, '../../../resources/profiles'),
    toolNames: new Set(names),
  });
  const { profiles: shipped, problems, persona } = profiles.state();
  expect(problems).toEqual([]);
  expect(shipped.map(({ id }) => id)).toEqual(['developer', 'planner', 'reader', 'talk']);
  expect(profiles.get('developer')?.tools).toEqual(names);
  expect(profiles.get('reader')?.tools).toEqual([
    'read_file',
    'list_files',
    'glob',
    'search',
    'search_collections',
  ]);
  // About 4 characters a token: the text part of the head stays near 250 tokens.
  for (const { systemPrompt } of shipped) expect(persona.length + systemPrompt.length).toBeLessThan(1_100);
});
