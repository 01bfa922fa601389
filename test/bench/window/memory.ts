/** What 200 sessions leave behind in the page once they were opened and closed again. */
import type { CDPSession, Page } from 'playwright-core';
import { round, type Part } from '../engine/figures.ts';
import type { House } from './pages.ts';
import { lastWords } from './sessions.ts';

/** By then the browser has compiled nearly all that opening a session runs; machine code is no session's. */
const warmUp = 60;
const opened = 200;

export async function benchMemory({ app }: House): Promise<Part> {
  const { page } = app;
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const transcript = page.getByRole('log', { name: 'Transcript' });
  const openNext = async (): Promise<void> => {
    const before = await openTitle(page);
    await page.keyboard.press('Alt+ArrowDown');
    await page.waitForFunction(
      (title) => document.querySelector('[aria-current=page]')?.getAttribute('title') !== title,
      before,
    );
    await transcript.getByText(lastWords).first().waitFor();
  };
  await page.getByRole('list', { name: 'Sessions' }).getByRole('button').first().click();
  for (let number = 0; number < warmUp; number += 1) await openNext();
  const before = await heap(session);
  for (let number = 0; number < opened; number += 1) await openNext();
  const after = await heap(session);
  await session.detach();
  const growth = round(after.bytes / before.bytes, 3);
  return {
    title: 'memory',
    figures: {
      memory_growth: growth,
      objects_growth: round(after.objects / before.objects, 3),
      nodes_growth: round(after.nodes / before.nodes, 3),
    },
    gates: [
      { figure: 'memory_growth', at: 'most', limit: 1.1 },
      { figure: 'objects_growth', at: 'most', limit: 1.05 },
    ],
    rows: [
      ['sessions opened', 'heap MB', 'objects', 'nodes'],
      rowOf(warmUp, before),
      rowOf(warmUp + opened, after),
    ],
  };
}

interface Kept {
  bytes: number;
  /** Of the page's own making. What grows besides is the browser's: machine code, and what it measures of a page. */
  objects: number;
  nodes: number;
}

const rowOf = (sessions: number, { bytes, objects, nodes }: Kept): string[] => [
  String(sessions),
  (bytes / 1e6).toFixed(2),
  String(objects),
  String(nodes),
];

const openTitle = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.querySelector('[aria-current=page]')?.getAttribute('title') ?? null);

async function heap(session: CDPSession): Promise<Kept> {
  const objects = await countObjects(session);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { bytes: value('JSHeapUsedSize'), objects, nodes: value('Nodes') };
}

/** All that are alive once what nobody needs was collected; functions, lists and maps are objects too. */
async function countObjects(session: CDPSession): Promise<number> {
  const { result: root } = await session.send('Runtime.evaluate', { expression: 'Object.prototype' });
  const { objects } = await session.send('Runtime.queryObjects', {
    prototypeObjectId: root.objectId ?? '',
    objectGroup: 'counted',
  });
  const { result: count } = await session.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: 'function () { return this.length; }',
    returnByValue: true,
  });
  await session.send('Runtime.releaseObjectGroup', { objectGroup: 'counted' });
  return Number(count.value);
}
