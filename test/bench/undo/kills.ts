/** Hosts that are killed while a command runs, or while it is taken back: the next one must find the way back. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { treeOf, UndoWorld } from '../../../src/host/file-changes/points/testing.ts';
import type { Draw } from './actions.ts';

export interface KillFigures {
  kills: number;
  /** Killed while something was at work. */
  midway: number;
  /** Entries that were neither brought back, nor refused for what somebody else has done since. */
  lost: number;
  /** Entries of the person that an undo changed. */
  overwrote: number;
}

const child = fileURLToPath(new URL('killed-child.ts', import.meta.url));
/** Longer than a host's last sign of life counts. */
const laterMs = 2_500;

export async function killOften(
  many: number,
  draw: Draw,
  tell: (what: string) => void,
): Promise<KillFigures> {
  const figures: KillFigures = { kills: 0, midway: 0, lost: 0, overwrote: 0 };
  for (let at = 0; at < many; at += 1) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-killed-')));
    try {
      await killOnce(root, draw, figures, tell);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  return figures;
}

async function killOnce(
  root: string,
  draw: Draw,
  figures: KillFigures,
  tell: (what: string) => void,
): Promise<void> {
  const work = join(root, 'work');
  prepare(work);
  const before = treeOf(work);
  const seed = String(draw.between(1, 1_000_000));
  figures.kills += 1;
  // A turn that ran to its end is killed while it is taken back.
  const what = draw.isOneIn(3) ? 'undo' : 'command';
  if (what === 'undo') await runChild(root, seed, 'command', null);
  const isMidway = await runChild(root, seed, what, draw.between(0, 700));
  if (isMidway) figures.midway += 1;
  const mine = draw.isOneIn(5) ? await changeLater(work) : null;
  const after = treeOf(work);
  const world = await UndoWorld.open({ root });
  const outcomes = new Map(
    (await world.changes.undo('s', undefined, 't1')).map((outcome) => [outcome.path, outcome.refused]),
  );
  const back = treeOf(work);
  world.leave();
  const changed = Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path]);
  for (const path of changed) {
    const isMine = mine !== null && (isIn(mine, path) || isIn(path, mine));
    if (isMine || back[path] === before[path]) continue;
    figures.lost += 1;
    tell(
      `lost: ${path} (${what}, seed ${seed}): ${String(outcomes.get(path))}; is ${String(back[path])}, was ${String(before[path])}`,
    );
  }
  if (mine !== null && back[mine] !== after[mine]) {
    figures.overwrote += 1;
    tell(`overwrote: ${mine} (${what}, seed ${seed})`);
  }
}

function prepare(work: string): void {
  for (const folder of ['src/deep', 'docs']) mkdirSync(join(work, folder), { recursive: true });
  for (let at = 0; at < 60; at += 1)
    writeFileSync(
      join(work, at % 2 === 0 ? 'src/deep' : 'docs', `f${String(at)}`),
      `${String(at)}\nsecond\n`,
    );
}

/** Long after the host has died. Returns the path; null = there is no file left. */
async function changeLater(work: string): Promise<string | null> {
  await pause(laterMs);
  const files = readdirSync(work, { recursive: true, encoding: 'utf8' }).toSorted();
  // What the killed host had half written is no file of theirs.
  const own = files.filter((each) => !each.includes('.andiron-'));
  const path = own.find((each) => lstatSync(join(work, each)).isFile());
  if (path === undefined) return null;
  appendFileSync(join(work, path), 'mine\n');
  return path;
}

/** True = it was killed before it was done. Nothing that it started goes on. */
async function runChild(
  root: string,
  seed: string,
  what: string,
  killAfter: number | null,
): Promise<boolean> {
  const host = spawn(process.execPath, [child, root, seed, what], { stdio: ['ignore', 'pipe', 'inherit'] });
  const over = once(host, 'exit');
  await Promise.race([once(host.stdout, 'data'), over]);
  if (killAfter !== null) {
    await Promise.race([pause(killAfter), over]);
    host.kill('SIGKILL');
  }
  await over;
  endWorkersIn(root);
  return host.signalCode === 'SIGKILL';
}

const isIn = (place: string, path: string): boolean => path === place || path.startsWith(`${place}/`);

/** As a sandbox does when its host dies. */
function endWorkersIn(root: string): void {
  for (;;) {
    const left = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && worksIn(root, pid));
    if (left.length === 0) return;
    for (const pid of left) end(Number(pid));
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function worksIn(root: string, pid: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(root);
  } catch {
    // It is gone, or another user's.
    return false;
  }
}
