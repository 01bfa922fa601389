import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { systemFiles } from '../platform/files.ts';
import { silentLog } from '../platform/log.ts';
import { createSessionFolders } from './session-folders.ts';

const aDay = 24 * 60 * 60 * 1000;

let dir: string;
let places: { id: string; folder: string }[];
let now: number;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-folders-'));
  places = [];
  now = Date.UTC(2026, 0, 1);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const foldersIn = (dataDir: string) =>
  createSessionFolders({
    files: systemFiles,
    dataDir,
    name: 'people',
    store: { sessionPlaces: () => places },
    clock: { ...systemClock, now: () => now },
    log: silentLog,
  });

/** A session that has left a report in its folder. Returns the path of that. */
async function work(id: string): Promise<string> {
  const folder = await foldersIn(dir).make(id);
  writeFileSync(join(folder, 'report.txt'), 'all of it');
  places.push({ id, folder });
  return join(folder, 'report.txt');
}

it('the folder of a session stays where the data folder was moved', async () => {
  await work('ses_a');
  const moved = `${dir}-moved`;
  renameSync(dir, moved);
  try {
    await foldersIn(moved).tidy();
    expect(readFileSync(join(moved, 'people', 'ses_a', 'report.txt'), 'utf8')).toBe('all of it');
  } finally {
    renameSync(moved, dir);
  }
});

it('a folder stays for the fork that works there, when the session that it was made for is gone', async () => {
  const report = await work('ses_a');
  places = [{ id: 'ses_fork', folder: join(dir, 'people', 'ses_a') }];
  await foldersIn(dir).tidy();
  expect(existsSync(report)).toBe(true);
});

it('a folder that a lost database knew returns with it', async () => {
  const report = await work('ses_a');
  const lost = places;
  places = [];
  await foldersIn(dir).tidy();
  expect(existsSync(report)).toBe(false);
  now += 6 * aDay;
  await foldersIn(dir).tidy();
  places = lost;
  await foldersIn(dir).tidy();
  expect(readFileSync(report, 'utf8')).toBe('all of it');
});

it('a folder that no database knows for a week is removed', async () => {
  await work('ses_a');
  places = [];
  await foldersIn(dir).tidy();
  const aside = join(dir, 'people', '.set-aside');
  expect(await systemFiles.readFolder(aside)).toHaveLength(1);
  now += 7 * aDay;
  await foldersIn(dir).tidy();
  expect(await systemFiles.readFolder(aside)).toEqual([]);
});

it('the folder of a session that is gone for good is removed, but not while another works in it', async () => {
  const report = await work('ses_a');
  places = [{ id: 'ses_fork', folder: join(dir, 'people', 'ses_a') }];
  await foldersIn(dir).remove('ses_a');
  expect(existsSync(report)).toBe(true);
  places = [];
  await foldersIn(dir).remove('ses_a');
  expect(await systemFiles.readFolder(join(dir, 'people'))).toEqual([]);
});

it('what is no folder stays', async () => {
  mkdirSync(join(dir, 'people'));
  writeFileSync(join(dir, 'people', 'note.txt'), 'mine');
  await foldersIn(dir).tidy();
  expect(readFileSync(join(dir, 'people', 'note.txt'), 'utf8')).toBe('mine');
});
