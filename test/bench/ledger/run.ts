/** Families beside each other, each in a thread: they share nothing. */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { FamilyName } from '../../../src/sim/render/index.ts';
import { Lane } from './lane.ts';
import { enough, type Case } from './judge.ts';
import { World } from './world.ts';

export interface Measured {
  family: FamilyName;
  cases: Case[];
}

interface Task {
  family: FamilyName;
  seed: number;
  quick: boolean;
}

/** Of injected changes, in each of a family's two lanes. */
const [injectedPerLane, quickPerLane] = [760, 60];
/** A family in which too little can be injected ends all the same. */
const maxSteps = 20_000;

export async function measureFamily({ family, seed, quick }: Task): Promise<Measured> {
  const wanted = quick ? quickPerLane : injectedPerLane;
  const cases: Case[] = [];
  for (const isTight of [false, true]) {
    const lane = new Lane(await World.open(family, seed + (isTight ? 1000 : 0), isTight));
    let steps = 0;
    while (lane.cases.filter(isInjected).length < wanted && steps < maxSteps) {
      for (let at = 0; at < 50; at += 1) lane.step();
      steps += 50;
    }
    cases.push(...lane.cases);
  }
  return { family, cases };
}

/** A prompt that the engine cut is no append, however little of it was read again. */
export const isInjected = ({ expected, reread }: Case): boolean =>
  expected !== null && (reread >= enough || expected.cause === 'window');

/** In the order of the names, whichever is done first. */
export async function measureFamilies(
  names: readonly FamilyName[],
  seed: number,
  quick: boolean,
): Promise<Measured[]> {
  const done = new Map<FamilyName, Measured>();
  const waiting = [...names];
  const lane = async (): Promise<void> => {
    for (let family = waiting.shift(); family !== undefined; family = waiting.shift())
      done.set(family, await inThread({ family, seed, quick }));
  };
  await Promise.all(Array.from({ length: Math.min(names.length, availableParallelism()) }, lane));
  return names.flatMap((family) => done.get(family) ?? []);
}

function inThread(task: Task): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The thread of ${task.family} ended with ${code}.`)));
  });
}

if (!isMainThread && parentPort) parentPort.postMessage(await measureFamily(workerData as Task));
