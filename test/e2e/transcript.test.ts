/** Reading a long session in a real Chromium: its end at once, older pages without a jump, any place in one step. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSim, type Sim } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import {
  projectRoot,
  startServerProcess,
  temporaryFolder,
  type ServerProcess,
} from '../helpers/server-process.ts';
import { fillLongSession, lastCode, longTitle, question } from './long-session.ts';
import { AndironPage } from './page.ts';

const turns = 4_000;

let browser: Browser;
let sim: Sim;
let server: ServerProcess;
let folder: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
  browser = await launchChromium();
  folder = temporaryFolder();
  fillLongSession(folder.path, turns);
  sim = await startSim({ speed: 50, models: [{ name: 'qwen3.5:9b', family: 'qwen3.5' }] });
  server = await startServerProcess(
    [`--data-dir=${folder.path}`, `--engine-url=${sim.url}`, `--workspace=${folder.path}`],
    projectRoot,
  );
});
afterAll(async () => {
  await server.stop();
  await sim.close();
  folder.remove();
  await browser.close();
});

let page: Page;
let transcript: Locator;
beforeEach(async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  await page.goto(server.address());
  const window = new AndironPage(page);
  await window.ready();
  ({ transcript } = window);
  await window.sessions.getByText(longTitle).click();
  await message(turns - 1).waitFor();
});
afterEach(() => page.context().close());

const message = (turn: number): Locator => transcript.getByText(question(turn), { exact: true });

/** As it is painted: rows come into the page before the frame that scrolls to them. */
const distanceToEnd = (): Promise<number> =>
  transcript.evaluate(async (element) => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return element.scrollHeight - element.scrollTop - element.clientHeight;
  });

/**
 * Notes in the page, for each frame that is painted with rows in it, how far from its end the transcript is. An
 * observer says where things are in that very frame; a task after it would also see what no frame has shown yet.
 */
function watchFrames(): void {
  const page = globalThis as typeof globalThis & { distances: number[] };
  page.distances = [];
  const onFrame = (): void => {
    const log = document.querySelector('[role=log]');
    const feed = log?.querySelector(':scope > :has([data-index])');
    if (log && feed) {
      const observer = new IntersectionObserver(
        ([frame]) => {
          observer.disconnect();
          if (frame?.rootBounds) {
            page.distances.push(Math.round(frame.boundingClientRect.bottom - frame.rootBounds.bottom));
          }
        },
        { root: log },
      );
      observer.observe(feed);
    }
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
}

/** Small ones and large ones, with one column and with three. */
const sizes = [
  { width: 900, height: 600 },
  { width: 700, height: 500 },
  { width: 1440, height: 300 },
  { width: 1100, height: 420 },
];

/** Until what was changed has been drawn. */
const painted = (): Promise<void> =>
  page.evaluate(async () => {
    for (const _ of ['layout', 'scroll', 'rows']) {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
  });

/** Rows that exist in the page. */
const drawn = (): Promise<number> => transcript.locator('[data-index]').count();

/** A wheel turned towards the beginning, a step a frame; of each step how far the row in the middle moved otherwise. */
function readUp(steps: number, pixels: number): Promise<number[]> {
  return transcript.evaluate(
    async (element, [count = 0, step = 0]) => {
      const offs: number[] = [];
      for (let turned = 0; turned < count; turned += 1) {
        const middle = element.getBoundingClientRect().top + element.clientHeight / 2;
        const rows = [...element.querySelectorAll('[data-index]')];
        const anchor = rows.find((row) => row.getBoundingClientRect().bottom > middle);
        const before = anchor?.getBoundingClientRect().top ?? 0;
        const from = element.scrollTop;
        element.scrollTop = from - step;
        const meant = Math.min(step, from);
        const moved = (top = NaN): number => Math.abs(top - before - meant);
        // Twice to where a frame has been painted: what is read between is not on the screen.
        // Once more where it is not there yet: a machine that is busy with others may be a frame behind.
        for (const frame of ['scroll', 'page', 'rows']) {
          if (frame === 'rows' && moved(anchor?.getBoundingClientRect().top) <= 1) break;
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        }
        if (anchor?.isConnected) offs.push(moved(anchor.getBoundingClientRect().top));
      }
      return offs;
    },
    [steps, pixels],
  );
}

describe('a session of 12,000 items', () => {
  test('opens at its end, and only what is in view exists', async () => {
    expect(await distanceToEnd()).toBeLessThanOrEqual(1);
    expect(await drawn()).toBeLessThan(60);
  });

  test('paints nothing but its end while it opens, on a machine twenty times slower (audit-E10)', async () => {
    await page.getByRole('button', { name: 'New session', exact: true }).click();
    await message(turns - 1).waitFor({ state: 'hidden' });
    const debug = await page.context().newCDPSession(page);
    await debug.send('Emulation.setCPUThrottlingRate', { rate: 20 });
    await page.evaluate(watchFrames);
    await page.getByText(longTitle).click();
    await message(turns - 1).waitFor();
    await painted();
    const distances = await page.evaluate(
      () => (globalThis as typeof globalThis & { distances: number[] }).distances,
    );
    await debug.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    expect(distances.length).toBeGreaterThan(0);
    expect(distances.filter((pixels) => pixels > 1)).toEqual([]);
  });

  test('stays at its end whatever becomes of the window', async () => {
    const off: number[] = [];
    for (let turned = 0; turned < 8; turned += 1) {
      for (const size of [...sizes.slice(turned % 4), ...sizes.slice(0, turned % 4)]) {
        await page.setViewportSize(size);
      }
      await painted();
      off.push(await distanceToEnd());
    }
    expect(off.filter((pixels) => pixels > 1)).toEqual([]);
    await expect.poll(() => page.getByRole('button', { name: 'Latest' }).count()).toBe(0);
  });

  test('is read towards its beginning page by page, and what is read stays where it is to the pixel', async () => {
    const offs = await readUp(160, 300);
    expect(offs.length).toBeGreaterThan(150);
    expect(offs.map((off, at) => [at, Math.round(off)]).filter(([, off = 0]) => off > 1)).toEqual([]);
    expect(await drawn()).toBeLessThan(80);
    await page.getByRole('button', { name: 'Latest' }).click();
    await message(turns - 1).waitFor();
    await expect.poll(distanceToEnd).toBeLessThanOrEqual(1);
  });

  test('gives code as it was written, in its colours, when it is selected or copied', async () => {
    const code = transcript.locator('.codebox').last();
    await code.locator('span[class*="__tone"]').first().waitFor();
    const selected = await code.evaluate((figure) => {
      getSelection()?.selectAllChildren(figure);
      return String(getSelection());
    });
    expect(selected.trimEnd().split('\n')).toEqual(lastCode);
  });

  test('copies no words that are there for listening alone', async () => {
    const [all, selected] = await transcript.evaluate((log) => {
      getSelection()?.selectAllChildren(log);
      return [log.textContent, String(getSelection())];
    });
    expect(all).toContain('Transcript');
    expect(selected).toContain(lastCode[0]);
    expect(selected).not.toContain('Transcript');
  });

  test('copies all of what was selected, also where its rows have left the screen', async () => {
    await readUp(1, 200);
    const [first, last] = [message(turns - 1), message(turns - 12)];
    await first.evaluate((text) => getSelection()?.setBaseAndExtent(text, 1, text, 0));
    while ((await last.count()) === 0) await readUp(1, 300);
    await last.evaluate((end) => getSelection()?.extend(end, 0));
    await readUp(8, 300);
    const selected = await page.evaluate(() => String(getSelection()));
    expect(selected).toContain(question(turns - 1));
    expect(selected).toContain(question(turns - 6));
    expect(selected).toContain(question(turns - 12));
    expect(selected).not.toContain('Fork from here');
  });

  test('goes to its beginning, onwards from there, and back to its end by keyboard', async () => {
    await page.keyboard.press('Alt+Home');
    await message(0).waitFor();
    expect(await transcript.evaluate((element) => element.scrollTop)).toBe(0);
    await page.keyboard.press('Alt+PageDown');
    await page.keyboard.press('Alt+PageDown');
    await expect.poll(() => topOf(message(2))).toBeLessThan(40);
    await page.keyboard.press('Alt+PageUp');
    await expect.poll(() => topOf(message(1))).toBeLessThan(40);
    await page.keyboard.press('Alt+End');
    await message(turns - 1).waitFor();
    expect(await distanceToEnd()).toBeLessThanOrEqual(1);
  });

  test('shows what a search has found, however far away, and marks it', async () => {
    await page.getByRole('searchbox').fill('part 1234');
    await page.locator('[data-row^="hit:"] > button').filter({ hasText: 'What does' }).first().click();
    await message(1234).waitFor();
    await expect.poll(() => transcript.locator('[data-found]').innerText()).toContain('1234');
    await expect.poll(() => page.getByRole('button', { name: 'Latest' }).isVisible()).toBe(true);
  });
});

/** From the top of the transcript to the top of a message, in pixels. */
async function topOf(target: Locator): Promise<number> {
  const [inside, outside] = [await target.boundingBox(), await transcript.boundingBox()];
  return inside && outside ? Math.abs(inside.y - outside.y) : Infinity;
}
