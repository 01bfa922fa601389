/** A host that dies while it gives permissions back. */
import { chmodSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemEntryPlaces, type EntryPlaces } from '../../platform/place-entry.ts';
import { UndoWorld } from './points/testing.ts';

let world: UndoWorld;
beforeEach(async () => {
  world = await UndoWorld.open();
});
afterEach(() => world.close());

const at = (path: string): string => join(world.bench.workspace, path);
const modeOf = (path: string): number => lstatSync(at(path)).mode & 0o777;

/** An undo of `command` begins, its host dies before permissions are given, and `meanwhile` happens. */
async function dieInUndoOf(command: string, meanwhile: () => void = () => undefined): Promise<void> {
  await world.run(command);
  const { root } = world.bench;
  world.leave();
  const never = new Promise<never>(() => undefined);
  const setMode = vi.fn<EntryPlaces['setMode']>(() => never);
  const placeFolder = vi.fn<EntryPlaces['placeFolder']>((path) => (mkdirSync(path), never));
  world = await UndoWorld.open({ root, places: { ...systemEntryPlaces, setMode, placeFolder } });
  void world.changes.undo('s', undefined, 't1');
  await vi.waitFor(() => expect(setMode.mock.calls.length + placeFolder.mock.calls.length).toBe(1), 60_000);
  meanwhile();
  world.leave();
  world = await UndoWorld.open({ root });
}

test.each([
  ['whose permissions alone had changed', 'chmod 600 a'],
  ['that had become another, too', 'echo two > a; chmod 600 a'],
  ['that is one among several names', 'ln a b; echo two > a; chmod 600 a'],
])('A file %s has those of before after the next undo', async (_which, command) => {
  world.bench.write('a', 'one\n');
  chmodSync(at('a'), 0o755);
  const before = world.tree();
  await dieInUndoOf(command);
  await world.changes.undo('s', undefined, 't1');
  expect(world.tree()).toEqual(before);
});

test('Permissions that were never given back are still the turn’s, which can be undone', async () => {
  world.bench.write('a', 'one\n');
  await dieInUndoOf('chmod 600 a');
  expect(modeOf('a')).toBe(0o600);
  expect(await world.changes.view('s', 'a')).toMatchObject({ standing: 'written', canUndo: true });
});

test('A folder that had come back has its permissions at the next start', async () => {
  mkdirSync(at('sub'));
  chmodSync(at('sub'), 0o700);
  await dieInUndoOf('rmdir sub');
  expect([existsSync(at('sub')), modeOf('sub')]).toEqual([true, 0o700]);
});

test.each([
  ['that somebody gave meanwhile', () => chmodSync(at('a'), 0o640), 0o640],
  ['of what somebody wrote meanwhile', () => world.bench.write('a', 'theirs\n'), 0o600],
])('Permissions %s stay', async (_whose, meanwhile, mode) => {
  world.bench.write('a', 'one\n');
  await dieInUndoOf('echo two > a; chmod 600 a', meanwhile);
  expect(modeOf('a')).toBe(mode);
});
