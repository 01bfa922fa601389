/** The whole app before a real engine, with one model that it has met. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import { House } from '../../helpers/host-world.ts';
import { conduct } from './conduct.ts';
import { WireTap } from './wire-tap.ts';

/** Wall clock of one task, so long that a busy machine decides nothing, and its replies. */
export const capMs = 300_000;
export const maxReplies = 8;

export interface BenchOptions {
  url: string;
  model: string;
  seed: number;
  /** undefined = the model's own. */
  temperature?: number | undefined;
  /** What Andiron learnt of the model at its first meeting: read where it is there, else kept there. */
  met?: string | undefined;
  /** A simulator stands behind the address, so that nothing waits for figures of this machine's GPU. */
  simulated?: boolean | undefined;
  sandbox?: Sandbox | undefined;
}

export interface Bench {
  house: House;
  tap: WireTap;
  profile: { id: string; contextTokens: number };
}

export async function withBench<Result>(
  { url, model, seed, temperature, met, simulated = false, sandbox }: BenchOptions,
  use: (bench: Bench) => Promise<Result>,
): Promise<Result> {
  const tap = await WireTap.start(url);
  const house = await House.open(tap.url, { unproven: true, simulated, ...(sandbox && { sandbox }) });
  try {
    const isKnown = met !== undefined && existsSync(met);
    if (isKnown) await replaceDatabase(house, met);
    const sampling = { seed, ...(temperature !== undefined && { temperature }) };
    // No other model is loaded and met beside the one that is measured.
    const changes = { models: [model], maxIterations: maxReplies, firstTokenTimeoutS: 600, sampling };
    const { profile } = await house
      .openWindow()
      .rpc.call('profile/update', { profileId: 'developer', changes });
    const bench = { house, tap, profile };
    if (!simulated && !isKnown) {
      await letMeet(model, bench);
      if (met !== undefined) await keepDatabase(house, met);
    }
    return await use(bench);
  } finally {
    await house.close();
    await tap.close();
  }
}
async function replaceDatabase(house: House, met: string): Promise<void> {
  const copy = join(house.dir, 'met.db');
  await copyFile(met, copy);
  await house.changeDatabase(copy);
}

/** Only a closed database is one file. */
async function keepDatabase(house: House, met: string): Promise<void> {
  const closed = await house.changeDatabase(null);
  await copyFile(closed, met);
  await house.changeDatabase(closed);
}

/** With nothing sent for so long, nothing is left to ask. */
const quietMs = 7_000;

/** What Andiron asks a model that it does not know comes before all tasks, and is part of none. */
async function letMeet(model: string, { house, tap, profile: { id: profileId } }: Bench): Promise<void> {
  const workspace = join(house.dir, 'meeting');
  await mkdir(workspace);
  const window = house.openWindow();
  const { session } = await window.rpc.call('session/create', { workspace, profileId });
  const view = await window.follow(session.id);
  await window.rpc.call('session/update', { sessionId: session.id, model });
  await conduct(view, 'Good morning.', capMs);
  // What a turn has no time for begins a few seconds after it, and goes on behind whatever else prepares the next one.
  do {
    tap.take();
    await sleep(quietMs);
    await house.rest();
  } while (tap.take().length > 0);
}
