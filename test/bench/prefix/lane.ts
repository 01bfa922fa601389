/** Families beside each other, each in a thread: they share nothing. */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { FamilyName } from '../../../src/sim/render/index.ts';
import type { FamilyFigures, Form } from './figures.ts';
import { measureFamily } from './run.ts';

interface Task {
  name: FamilyName;
  seed: number;
  form: Form;
}

/** In the order of the names, whichever is done first. */
export async function measureBeside(
  names: readonly FamilyName[],
  seed: number,
  form: Form,
): Promise<FamilyFigures[]> {
  const done = new Map<FamilyName, FamilyFigures>();
  const waiting = [...names];
  const lane = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      done.set(name, await inThread({ name, seed, form }));
  };
  await Promise.all(Array.from({ length: Math.min(names.length, availableParallelism()) }, lane));
  return names.flatMap((name) => done.get(name) ?? []);
}

function inThread(task: Task): Promise<FamilyFigures> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The thread of ${task.name} ended with ${code}.`)));
  });
}

if (!isMainThread && parentPort) {
  const { name, seed, form } = workerData as Task;
  parentPort.postMessage(await measureFamily(name, seed, form));
}
