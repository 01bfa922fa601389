import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { systemFiles } from '../../platform/files.ts';
import { freeId, keptAsideMs } from './profile-folders.ts';
import type { Profiles, ProfilesDeps } from './profiles.ts';
import { profileHome, type ProfileHome } from './testing.ts';

let home: ProfileHome;
let folder: string;
let profiles: Profiles;
beforeEach(async () => {
  home = await profileHome();
  ({ folder } = home);
  await make('built-in', 'developer', { name: 'Developer', tools: ['read_file'], maxIterations: 20 });
  await make('own', 'writer', { name: 'Writer', tools: [], maxIterations: 7 }, 'You write.\n');
  await writeFile(join(folder, 'own', 'writer', 'persona.md'), 'You are Ada.\n');
  await open();
});
afterEach(() => home.remove());

const make: ProfileHome['write'] = (where, id, file, prompt = 'You help.\n') =>
  home.write(where, id, file, prompt);

const open = async (more?: Partial<ProfilesDeps>): Promise<void> => {
  profiles = await home.open(more);
};

const names = (): string[] => profiles.state().profiles.map(({ name }) => name);
const own = (...path: string[]): string => join(folder, 'own', ...path);
const text = (...path: string[]): Promise<string> => readFile(own(...path), 'utf8');

describe('making one', () => {
  test('from nothing it can be used at once, and only reads', async () => {
    const made = await profiles.create('Größe & Co.', null);
    expect(made).toMatchObject({
      id: 'grosse-co',
      name: 'Größe & Co.',
      builtIn: false,
      tools: ['read_file'],
    });
    expect(profiles.state().problems).toEqual([]);
    expect(JSON.parse(await text('grosse-co', 'profile.json'))).toEqual({
      name: 'Größe & Co.',
      tools: ['read_file'],
    });
  });

  test('from another it has all its files, and is its own', async () => {
    const copy = await profiles.create('Writer copy', 'writer');
    expect(copy).toMatchObject({
      id: 'writer-copy',
      maxIterations: 7,
      systemPrompt: 'You write.',
      persona: 'You are Ada.',
    });
    await profiles.update('writer-copy', { maxIterations: 9 });
    expect(profiles.get('writer')?.maxIterations).toBe(7);
  });

  test('the same name twice gets two folders, and never that of a built-in one', async () => {
    const made = [await profiles.create('Developer', null), await profiles.create('developer', null)];
    expect(made.map(({ id }) => id)).toEqual(['developer-2', 'developer-3']);
    expect(names()).toEqual(['Developer', 'Developer', 'developer', 'Writer']);
  });

  test('from one that is gone nothing is made', async () => {
    await expect(profiles.create('Copy', '../writer')).rejects.toMatchObject({ code: 'not_found' });
    expect(await readdir(own())).toEqual(['writer']);
  });

  test.each([
    ['Release notes 2', 'release-notes-2'],
    ['../../etc', 'etc'],
    ['日本', 'profile'],
    ['CON', 'profile'],
    ['x'.repeat(80), 'x'.repeat(40)],
  ])('"%s" stands in the folder %s', async (name, id) => {
    expect(await freeId(name, () => false)).toBe(id);
  });
});

describe('taking a change back', () => {
  test('takes the copy of a built-in one away that it made, and only when nothing else is in it', async () => {
    await profiles.update('developer', { maxIterations: 9 });
    const back = await profiles.update('developer', { maxIterations: 20 }, true);
    expect(back).toMatchObject({ builtIn: true, maxIterations: 20 });
    expect(await readdir(own())).toEqual(['.deleted', 'writer']);
  });

  test.each([
    ['another flag', () => profiles.update('developer', { maxIterations: 20, calls: 'native' })],
    [
      'another text',
      () => profiles.writePrompt('developer', { prompt: 'system', text: 'You dig.', expected: null }),
    ],
    ['a file of the person’s', () => writeFile(own('developer', 'notes.md'), 'mine')],
  ])('leaves a copy with %s', async (_, change) => {
    await profiles.update('developer', { maxIterations: 9 });
    await change();
    expect(await profiles.update('developer', { maxIterations: 20 }, true)).toMatchObject({ builtIn: false });
    expect(await readdir(own())).toEqual(['developer', 'writer']);
  });

  test('leaves a copy that the person made equal without undoing, and a profile of their own', async () => {
    await profiles.update('developer', { maxIterations: 9 });
    expect(await profiles.update('developer', { maxIterations: 20 })).toMatchObject({ builtIn: false });
    expect(await profiles.update('writer', { maxIterations: 7 }, true)).toMatchObject({ builtIn: false });
  });
});

describe('deleting one', () => {
  test('takes it out of the list and brings it back with all its files', async () => {
    const { restoreId, remaining } = await profiles.remove('writer');
    expect([names(), remaining]).toEqual([['Developer'], null]);
    expect(await profiles.restore(restoreId)).toBe('writer');
    expect(profiles.get('writer')).toMatchObject({ maxIterations: 7, persona: 'You are Ada.' });
  });

  test('of a changed built-in one leaves the built-in one, and the change can be had back', async () => {
    await profiles.update('developer', { maxIterations: 9 });
    expect((await profiles.files('developer')).replaces?.maxIterations).toBe(20);
    const { restoreId, remaining } = await profiles.remove('developer');
    expect(remaining).toMatchObject({ id: 'developer', builtIn: true, maxIterations: 20 });
    await profiles.restore(restoreId);
    expect(profiles.get('developer')).toMatchObject({ builtIn: false, maxIterations: 9 });
  });

  test('a built-in one stays', async () => {
    await expect(profiles.remove('developer')).rejects.toMatchObject({
      message: 'Developer is built in, so it cannot be deleted.',
    });
    expect(names()).toContain('Developer');
  });

  test('one that cannot be read leaves as well', async () => {
    profiles.close();
    await make('own', 'broken', '{');
    await open();
    const { restoreId } = await profiles.remove('broken');
    expect(profiles.state().problems).toEqual([]);
    await profiles.restore(restoreId);
    expect(profiles.state().problems).toHaveLength(1);
  });

  test('what has taken its place meanwhile is not overwritten', async () => {
    await profiles.update('developer', { maxIterations: 9 });
    const { restoreId } = await profiles.remove('developer');
    await profiles.update('developer', { maxIterations: 11 });
    await expect(profiles.restore(restoreId)).rejects.toMatchObject({ code: 'busy' });
    expect(profiles.get('developer')?.maxIterations).toBe(11);
  });

  test.each(['../built-in/developer', '.deleted', 'nobody'])('"%s" names nothing', async (id) => {
    await expect(profiles.remove(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(profiles.restore(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(profiles.files(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('it goes for good a week later, when Andiron begins or another is deleted', async () => {
    let now = 1_000_000;
    const clock = { ...systemClock, now: () => now };
    const kept = async (): Promise<string[]> => (await readdir(own('.deleted'))).toSorted();
    profiles.close();
    await make('own', 'notes', { name: 'Notes', tools: [] });
    await make('own', 'elsewhere', { name: 'Elsewhere', tools: [] });
    await open({ clock });
    await profiles.remove('writer');
    // A profile that is kept elsewhere is a link: it goes, and what it leads to stays.
    await rename(own('elsewhere'), join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), own('.deleted', `linked~${String(now)}`));
    await mkdir(own('.deleted', 'somebody-else'));

    now += keptAsideMs - 1;
    await profiles.remove('notes');
    await profiles.restore('nobody').catch(() => undefined);
    expect(await kept()).toEqual([
      'linked~1000000',
      `notes~${String(now)}`,
      'somebody-else',
      'writer~1000000',
    ]);

    profiles.close();
    now += 1;
    await open({ clock });
    // Runs after what was begun before it.
    await expect(profiles.restore('writer~1000000')).rejects.toMatchObject({
      code: 'not_found',
      advice: expect.stringContaining('seven days'),
    });
    expect(await kept()).toEqual([`notes~${String(now - 1)}`, 'somebody-else']);
    expect(await readdir(join(folder, 'elsewhere'))).toContain('profile.json');

    const { id } = await profiles.create('Short-lived', null);
    now += keptAsideMs - 1;
    const { restoreId } = await profiles.remove(id);
    await profiles.restore('nobody').catch(() => undefined);
    expect(await kept()).toEqual([restoreId, 'somebody-else'].toSorted());
  });

  test('a disk that refuses is told, and nothing is gone', async () => {
    profiles.close();
    await open({ files: { ...systemFiles, move: () => Promise.reject(new Error('EROFS')) } });
    await expect(profiles.remove('writer')).rejects.toMatchObject({ code: 'storage' });
    expect(names()).toContain('Writer');
  });
});

describe('writing a text', () => {
  test('of a built-in profile makes a copy that is whole', async () => {
    const { profile, conflict } = await profiles.writePrompt('developer', {
      prompt: 'persona',
      text: '  You are Bob.\n\n',
      expected: '',
    });
    expect(conflict).toBeNull();
    expect(profile).toMatchObject({ builtIn: false, persona: 'You are Bob.', systemPrompt: 'You help.' });
    expect((await readdir(own('developer'))).toSorted()).toEqual(['persona.md', 'profile.json', 'system.md']);
  });

  test('that was changed by an editor meanwhile writes nothing and says what the file says', async () => {
    await writeFile(own('writer', 'system.md'), 'You edit.');
    const change = { prompt: 'system', text: 'Mine.', expected: 'You write.' } as const;
    expect((await profiles.writePrompt('writer', change)).conflict).toBe('You edit.');
    expect(await text('writer', 'system.md')).toBe('You edit.');
    await profiles.writePrompt('writer', { ...change, expected: 'You edit.' });
    expect(profiles.get('writer')?.systemPrompt).toBe('Mine.');
  });

  test('an empty persona is as good as none', async () => {
    await profiles.writePrompt('writer', { prompt: 'persona', text: ' ', expected: 'You are Ada.' });
    expect(profiles.get('writer')?.persona).toBe('');
    expect(profiles.state().problems).toEqual([]);
  });

  test.each([' \n', 'x'.repeat(256 * 1024)])('that no profile can have is refused', async (refused) => {
    const change = { prompt: 'system', text: refused, expected: null } as const;
    await expect(profiles.writePrompt('writer', change)).rejects.toMatchObject({ code: 'profile_invalid' });
    expect(await text('writer', 'system.md')).toBe('You write.\n');
  });
});

test('a flag that goes back to its default leaves the file', async () => {
  await profiles.update('writer', { maxIterations: 20, planningEnabled: true });
  expect(JSON.parse(await text('writer', 'profile.json'))).toEqual({
    name: 'Writer',
    tools: [],
    planningEnabled: true,
  });
});

test('a broken folder of the person’s is never written over by a change of the built-in one behind it', async () => {
  profiles.close();
  await make('own', 'developer', '{ "name": "Mine"');
  await open();
  expect(profiles.get('developer')?.builtIn).toBe(true);
  await expect(profiles.update('developer', { maxIterations: 3 })).rejects.toMatchObject({
    code: 'profile_invalid',
  });
  expect(await text('developer', 'profile.json')).toBe('{ "name": "Mine"');
});

test('the files are told as they stand on the disk', async () => {
  await writeFile(join(folder, 'built-in', 'persona.md'), 'You are Andiron.');
  profiles.close();
  await open();
  expect(await profiles.files('writer')).toEqual({
    folder: own('writer'),
    replaces: null,
    json: '{"name":"Writer","tools":[],"maxIterations":7}',
    commonPersona: 'You are Andiron.',
  });
});
