/** Documents that are broken, or made to hurt whoever reads them: each ends in time, within its limits, and in words. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { hostileDocuments } from '../helpers/documents/hostile-documents.ts';
import { tryDocument, type Place, type Tried } from '../helpers/documents/try-document.ts';
import { sandboxHere } from '../helpers/mcp/mcp-world.ts';
import { someOf } from '../helpers/thorough.ts';

const places: readonly (() => Promise<Place>)[] = [
  async () => ({ sandbox: await sandboxHere() }),
  () => Promise.resolve({}),
  () => Promise.resolve({ nodePath: null }),
];

test(
  'a hostile document ends in time, in words, and within its limits, wherever it is read',
  { timeout: 1_800_000 },
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const stalls = monitorEventLoopDelay({ resolution: 10 });
    stalls.enable();
    const chosen = someOf(hostileDocuments(seed), 8);
    const lanes = places.map(async (placeOf, lane) => {
      const place = await placeOf();
      const own: Tried[] = [];
      for (const document of chosen.filter((_, index) => index % places.length === lane))
        own.push(await tryDocument(document, place));
      return own;
    });
    const tried = (await Promise.all(lanes)).flat();
    stalls.disable();
    expect({
      seed,
      crashes: tried.flatMap(({ crashes }) => crashes),
      overLimits: tried.flatMap(({ overLimits }) => overLimits),
      late: tried.flatMap(({ late }) => late),
      wordless: tried.filter(({ words }) => words === '').map(({ name }) => name),
    }).toEqual({ seed, crashes: [], overLimits: [], late: [], wordless: [] });
    // Read in here, it would be the time of the slowest.
    expect(stalls.max / 1e6).toBeLessThan(3_000);
  },
);
