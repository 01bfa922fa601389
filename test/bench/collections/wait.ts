/**
 * How much longer a person waits for the first token while a collection is read and its vectors are made. Two houses in one
 * process, one with work to do and one without, whose turns alternate: what other programs do to the machine meets both. Work
 * is called off by a turn and begins two seconds after it; the other house has its turn in between.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { reply, type SimOptions } from '../../../src/sim/index.ts';
import { fastClock } from '../../helpers/fast-clock.ts';
import { fastFolder, World, type SessionView } from '../../helpers/host-world.ts';
import { median, quantile, ratioOfP95 } from '../engine/figures.ts';
import { writeCorpus } from './corpus.ts';
import { models } from './simulated.ts';

/** A short one: a long one would hide what is added. */
const prefillSeconds = 0.2;
/** Work begins two seconds after a turn, of a clock that is so many times as fast. */
const fast = 5;
const lookMs = 5;
/** What a turn leaves to be done in this process is over then, and work has not begun again. */
const settledMs = 150;
/** No wait is told from another one that is so near. */
const floorMs = 1;

export interface Waits {
  pairs: number;
  wait_ratio: number;
  wait_median_ratio: number;
  wait_p95_ms: number;
  wait_alone_p95_ms: number;
  /** Of the pairs, those in which vectors were being made, rather than files read. */
  during_vectors: number;
}

export async function measureWaits({
  files,
  pairs,
  seed,
}: {
  files: number;
  pairs: number;
  seed: number;
}): Promise<Waits> {
  const folder = mkdtempSync(join(fastFolder(), 'andiron-waits-'));
  writeCorpus(folder, files, seed);
  const sim: SimOptions = {
    models,
    script: ({ endpoint }) =>
      endpoint === 'generate'
        ? reply().text('.')
        : reply().prefill(prefillSeconds).withoutThinking().text('Yes.'),
  };
  const options = { sim, clock: fastClock(fast) };
  const [busy, idle] = [await World.start(options), await World.start(options)];
  const [working, alone]: [number[], number[]] = [[], []];
  let duringVectors = 0;
  try {
    const [ours, theirs] = [await busy.openSession(), await idle.openSession()];
    for (const view of [ours, theirs]) await wait(view);
    const place = { folder, files: [] };
    await ours.rpc.call('collection/add', { name: 'Corpus', place });
    for (let pair = 0; pair < pairs; pair += 1) {
      const work = await workBegins(ours);
      if (work === null) break;
      if (work === 'vectors') duringVectors += 1;
      working.push(await wait(ours));
      await busy.rest();
      await pause(settledMs);
      alone.push(await wait(theirs));
    }
  } finally {
    await busy.close();
    await idle.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    pairs: working.length,
    wait_ratio: ratioOfP95(working, alone, floorMs),
    wait_median_ratio: median(working.map((ms, at) => ms / (alone[at] ?? Number.NaN))),
    wait_p95_ms: quantile(working, 0.95),
    wait_alone_p95_ms: quantile(alone, 0.95),
    during_vectors: duringVectors,
  };
}

/** Resolves in the midst of it; null = nothing is left to do. */
async function workBegins({ rpc }: SessionView): Promise<'files' | 'vectors' | null> {
  let before: { read: number; withMeaning: number } | null = null;
  for (;;) {
    const [now] = (await rpc.call('collection/list', {})).collections;
    if (!now || (now.state === 'ready' && now.withMeaning === now.passages)) return null;
    if (before && now.withMeaning > before.withMeaning) return 'vectors';
    if (before && now.read > before.read) return 'files';
    before = now;
    await pause(lookMs);
  }
}

async function wait(session: SessionView): Promise<number> {
  const before = session.items('text').length;
  const began = performance.now();
  const turnId = await session.send('Is it so?');
  await session.until(() => session.items('text').length > before);
  const ms = performance.now() - began;
  await session.closed(turnId);
  return ms;
}
