/**
 * From the start of a Chromium until its window shows where to write, beside the same Chromium with a page that has one
 * field. Every day: both have been started before, and have kept what a browser keeps.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { startSim } from '../../../src/sim/index.ts';
import { openProfile } from '../../helpers/chromium.ts';
import { startServerProcess, temporaryFolder } from '../../helpers/server-process.ts';
import { median, medianOfPairs, round } from '../engine/figures.ts';

interface Paint {
  /** From the start of the browser. */
  ms: number;
  /** From the beginning of the page alone. */
  pageMs: number;
}

const blankPage = '<!doctype html><meta charset="utf-8"><title>Blank</title><textarea></textarea>';

export async function paintFigures(runs: number): Promise<Record<string, number>> {
  const sim = await startSim({
    speed: 1_000,
    gpu: null,
    models: [{ name: 'qwen2.5:7b', family: 'template-qwen2.5' }],
  });
  const [data, workspace, ofBlank, ofOurs] = [
    temporaryFolder(),
    temporaryFolder(),
    temporaryFolder(),
    temporaryFolder(),
  ];
  const server = await startServerProcess([
    `--data-dir=${data.path}`,
    `--engine-url=${sim.url}`,
    `--workspace=${workspace.path}`,
  ]);
  const blank = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(blankPage);
  });
  blank.listen(0, '127.0.0.1');
  await once(blank, 'listening');
  const { port } = blank.address() as AddressInfo;
  const [ours, theirs]: [Paint[], Paint[]] = [[], []];
  try {
    // A browser keeps compiled code of a page that it has opened some times.
    for (let run = -4; run < runs; run += 1) {
      const bare = await paintOf(ofBlank.path, `http://127.0.0.1:${String(port)}/`);
      const own = await paintOf(ofOurs.path, server.address());
      if (run < 0) continue;
      theirs.push(bare);
      ours.push(own);
    }
  } finally {
    blank.close();
    await server.stop();
    await sim.close();
    for (const folder of [data, workspace, ofBlank, ofOurs]) folder.remove();
  }
  const of = (paints: readonly Paint[], key: keyof Paint): number => median(paints.map((each) => each[key]));
  return {
    blank_ms: round(of(theirs, 'ms'), 0),
    paint_ms: round(of(ours, 'ms'), 0),
    paint_over_blank: round(
      medianOfPairs(
        ours.map(({ ms }) => ms),
        theirs.map(({ ms }) => ms),
      ),
      3,
    ),
    page_over_blank_ms: round(of(ours, 'pageMs') - of(theirs, 'pageMs'), 0),
  };
}

async function paintOf(profile: string, address: string): Promise<Paint> {
  const began = Date.now();
  const context = await openProfile(profile, {
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await page.addInitScript(watchField);
    await page.goto(address, { waitUntil: 'commit' });
    const { at, since } = await paintedAt(page);
    return { ms: at - began, pageMs: at - since };
  } finally {
    // What it keeps is written once nothing is under way any more.
    await context.pages()[0]?.waitForLoadState();
    await context.close();
  }
}

interface Watched {
  fieldPainted: Promise<{ at: number; since: number }>;
}

const paintedAt = (page: Page): Promise<{ at: number; since: number }> =>
  page.evaluate(() => (globalThis as unknown as Watched).fieldPainted);

/** Runs in the page. A field is painted in the first task after the frame in which it is there. */
function watchField(): void {
  const { promise, resolve } = Promise.withResolvers<{ at: number; since: number }>();
  (globalThis as unknown as Watched).fieldPainted = promise;
  const tasks = new MessageChannel();
  tasks.port1.onmessage = () => {
    const { timeOrigin } = performance;
    resolve({ at: timeOrigin + performance.now(), since: timeOrigin });
  };
  const look = (): void => {
    if (document.querySelector('textarea') === null) requestAnimationFrame(look);
    else requestAnimationFrame(() => tasks.port2.postMessage(0));
  };
  look();
}
