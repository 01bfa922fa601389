/**
 * Whether what turns do to a folder, with tools and with commands, is told and can be taken back.
 *
 *   npm run bench:undo -- [--seed N] [--turns N] [--kills N]
 *
 * Turns are drawn (undo/actions.ts): files, folders, links, permissions, hard links, large and binary files, Git, a package
 * that is installed, rules of what Git ignores. Between them the person changes files. Then turns, or the whole session, are
 * taken back and forth. Hosts are killed in the middle of commands and of undos, and the next one goes on.
 *
 * - restored: of the ways back that were said to have been gone, the share that led where it should;
 * - overwrote_outside: what the person had changed since, and an undo or redo changed;
 * - unsaid: what is another after a turn, and neither listed nor counted as not covered;
 * - mistold: what was said of a way back before it was gone, and was not so;
 * - refused_without_cause: ways back that were refused though nothing stood in them;
 * - lost: of what a killed host's turn changed, what could not be brought back;
 * - point_ms: what a point before a command costs in a folder of 2,000 files, median; first_ms: the first time.
 *
 * Exits with 1 when one of the counts is not 0, or restored is not 1.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UndoWorld } from '../../src/host/file-changes/points/testing.ts';
import { median, round } from './engine/figures.ts';
import { Draw } from './undo/actions.ts';
import { killOften } from './undo/kills.ts';
import { UndoRun } from './undo/run.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    turns: { type: 'string', default: '500' },
    kills: { type: 'string', default: '100' },
  },
});
const [seed, turns, kills] = [Number(values.seed), Number(values.turns), Number(values.kills)];
if (![seed, turns, kills].every(Number.isSafeInteger))
  throw new Error('--seed, --turns and --kills need whole numbers.');

// The clock of a host keeps no process alive.
const alive = setInterval(() => undefined, 1_000);
const draw = new Draw(seed);
const tell = (what: string): void => console.log(what);

async function runTurns() {
  const world = await UndoWorld.open();
  try {
    const run = new UndoRun(world, draw, tell);
    run.prepare();
    run.begin();
    for (let index = 0; index < turns; index += 1) await run.turn(index);
    return run.figures;
  } finally {
    world.close();
  }
}

/** What a command waits for longer, in a folder of some size. */
async function measurePoint(): Promise<{ first: number; later: number }> {
  const world = await UndoWorld.open();
  try {
    for (let at = 0; at < 2_000; at += 1) {
      const folder = join(world.bench.workspace, `folder${String(at % 40)}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `file${String(at)}.ts`), `line ${String(at)}\n`.repeat(200));
    }
    const times: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const before = performance.now();
      await world.run('true');
      times.push(performance.now() - before);
    }
    return { first: times[0] ?? 0, later: median(times.slice(1)) };
  } finally {
    world.close();
  }
}

const { refused, ...of } = await runTurns();
const killed = await killOften(kills, draw, tell);
const point = await measurePoint();
const figures = {
  turns: of.turns,
  commands: of.commands,
  changed: of.changed,
  promised: of.promised,
  restored: of.promised === 0 ? 0 : of.restored / of.promised,
  overwrote_outside: of.overwroteOutside + killed.overwrote,
  unsaid: of.unsaid,
  mistold: of.mistold,
  refused_without_cause: of.refusedWithoutCause,
  refused,
  kills: killed.kills,
  killed_midway: killed.midway,
  lost: killed.lost,
  point_ms: round(point.later, 0),
  first_ms: round(point.first, 0),
};
console.log(JSON.stringify({ bench: 'undo', seed, figures }));
const failures = [
  figures.overwrote_outside,
  figures.unsaid,
  figures.mistold,
  figures.refused_without_cause,
  figures.lost,
];
process.exitCode = failures.every((count) => count === 0) && figures.restored === 1 ? 0 : 1;
clearInterval(alive);
