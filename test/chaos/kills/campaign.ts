/** Kills until there were enough: two worlds at a time, each on data of its own, every second one behind a real server. */
import { setTimeout as pause } from 'node:timers/promises';
import { Chance } from '../../bench/prefix/chance.ts';
import { buildProcesses, type Built, type Flaw } from './built.ts';
import { forkedStage } from './forked-stage.ts';
import { bareNodeMs, endAll, livingWith } from './processes.ts';
import { serverStage } from './server-stage.ts';
import { Tally } from './tally.ts';
import { World } from './world.ts';

export interface KillOptions {
  seed: number;
  kills: number;
  /** Only controls name it: what is built is changed on the way, never what stands in `src`. */
  flaw?: Flaw;
  /** Looked at before every world and every kill. */
  enough?: (tally: Tally) => boolean;
}

/** Kills on one data folder. */
const killsPerWorld = 40;
/** A life behind a real server takes longer. */
const killsPerServerWorld = 12;
const serverShare = 2;
const lanes = 2;
const lastMomentMs = 5_000;

export interface KillResult {
  tally: Tally;
  seconds: number;
}

export async function runKills(options: KillOptions): Promise<KillResult> {
  const { seed, kills, flaw, enough = () => false } = options;
  const start = performance.now();
  const tally = new Tally();
  const built = await buildProcesses(flaw);
  let worlds = 0;
  const isOver = (): boolean => tally.kills >= kills || enough(tally);
  const lane = async (): Promise<void> => {
    while (!isOver()) {
      worlds += 1;
      await liveAndDie(worlds, seed, built, tally, isOver);
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
    const left = await remaining(built.root);
    tally.fail('orphans', left, 'when all was over');
    endAll(left);
  } finally {
    built.remove();
  }
  return { tally, seconds: (performance.now() - start) / 1000 };
}

async function liveAndDie(
  number: number,
  seed: number,
  built: Built,
  tally: Tally,
  isOver: () => boolean,
): Promise<void> {
  const behindServer = number % serverShare === 0;
  const world = await World.start({
    name: `${String(seed)}-${String(number)}`,
    built,
    makeStage: behindServer ? serverStage : forkedStage,
    chance: new Chance(seed * 1_000 + number),
    tally,
  });
  const rounds = behindServer ? killsPerServerWorld : killsPerWorld;
  try {
    for (let round = 0; round < rounds && !isOver(); round += 1) {
      await world.round();
      if (round % 10 === 0) tally.bareNodeMs.push(await bareNodeMs());
    }
    await world.close();
  } catch (error) {
    tally.fail(
      'stuck',
      [error instanceof Error ? (error.stack ?? error.message) : String(error)],
      `world ${String(number)}`,
    );
    await world.end();
  }
}

/** Servers and hosts that still live after a moment for the last of them to go. */
async function remaining(root: string): Promise<string[]> {
  const until = performance.now() + lastMomentMs;
  let living = await livingWith(root);
  while (living.length > 0 && performance.now() < until) {
    await pause(50);
    living = await livingWith(root);
  }
  return living;
}
