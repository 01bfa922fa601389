/** The first five minutes in a real Chromium: from no model over a download, a tour and an exam to a task that ran. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { demoScript } from '../../src/sim/demo/index.ts';
import { startSim, type Sim } from '../../src/sim/index.ts';
import { callsOf } from '../../src/sim/script/reply.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { fakeDriver } from './fake-programs.ts';
import { go, isAt, press, type } from './keyboard-person.ts';
import { launchWeb, type OpenWindow, type WebApp } from './launch-web.ts';
import type { AndironPage } from './page.ts';

const GB = 1e9;
const model = 'qwen3.5:9b';
const smallest = { width: 900, height: 600 };
/** A card of 12 GB, of which the desktop holds a little. */
const driver = fakeDriver(12_288, 900);
const own = temporaryFolder();
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  driver.remove();
  own.remove();
});

let sim: Sim;
let app: WebApp;
let view: OpenWindow | undefined;
afterEach(async () => {
  const { complaints = [] } = view ?? {};
  await view?.close();
  view = undefined;
  await app.close();
  await sim.close();
  if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('; ')}`);
});

/** A whole journey: every part of it has a limit of its own. */
const journeyMs = 120_000;

/** An Ollama without a model, on a fresh data folder. */
async function firstStart(
  bytesPerSecond: number,
  { speed = 20, ...options }: BrowserContextOptions & { speed?: number } = {},
): Promise<AndironPage> {
  sim = await startSim({
    speed,
    models: [],
    script: demoScript,
    gpu: { totalBytes: 12 * 2 ** 30, otherBytes: 2 ** 29 },
    pullable: [{ name: model, family: 'qwen3.5', bytes: 6.5 * GB, bytesPerSecond }],
  });
  app = await launchWeb(browser, [`--engine-url=${sim.url}`], driver.env);
  view = await app.open(options);
  return view.window;
}

test(
  'leads by keyboard alone from no model to a task that ran, and then to one’s own folder',
  async () => {
    // With less motion the tour is stepped through: no clock decides what is on screen.
    const window = await firstStart(1.5 * GB, { reducedMotion: 'reduce', viewport: smallest });
    const { page } = window;
    const first = page.getByRole('region', { name: 'First start' });
    const title = (words: string) => first.getByRole('heading', { name: words });
    await title('Choose a model for this GPU').waitFor();
    await first.getByText('NVIDIA RTX PRO 6000').waitFor();
    await first.getByText('12.0 GB, 11.1 GB free').waitFor();
    expect(await first.getByRole('radio').count()).toBe(3);
    await first.getByText(/^qwen3\.5:9b would leave [\d.]+ GB free$/).waitFor();
    expect(await window.axe()).toEqual([]);

    // The download brings the tour with it; what became ready takes its place above it, and the keyboard.
    await go(page, 'Shift+Tab', /^Download qwen3\.5:9b, 6\.5 GB/);
    await page.keyboard.press('Enter');
    await title('Ready. Try a first task').waitFor();
    await isAt(page, title('Ready. Try a first task'));
    const tour = first.getByRole('region', { name: 'Tour' });
    await tour.getByText('1 of 6').waitFor();
    await go(page, 'Tab', /^Next step/);
    for (let step = 2; step <= 4; step += 1) {
      await press(page, 'Enter');
      await tour.getByText(`${String(step)} of 6`).waitFor();
    }
    await tour.getByText('Write REPORT.md (7 lines)').first().waitFor();
    expect(await window.axe()).toEqual([]);
    await press(page, 'Tab');
    await page.keyboard.press('Enter');
    await tour.waitFor({ state: 'hidden' });
    await isAt(page, title('Ready. Try a first task'));

    await go(page, 'Tab', /^Load it now/);
    await page.keyboard.press('Enter');
    await first
      .getByText(/ is loaded with [\d.]+ GB of VRAM/)
      .first()
      .waitFor();
    await first.getByText('37 questions, at most 3 min').waitFor();
    const takeExam = first.getByRole('button', { name: 'Test model' });
    await isAt(page, takeExam);
    await page.keyboard.press('Enter');
    await first.getByText(/^\d+ of 12 correct/).waitFor();
    await first.getByText(/^reads [\d,]+ tokens\/s, writes [\d,]+ tokens\/s$/).waitFor();
    expect(sim.truth.loads.map((load) => load.numCtx)).toEqual([16_384]);

    // A suggestion is taken with one key, and taken back with another.
    const widen = first.getByRole('button', { name: /^Use a context of/ });
    await widen.waitFor();
    // All of it is seen without scrolling, in the smallest window.
    expect(await page.locator('.scroll:has(.first-run)').evaluate((it) => it.scrollTop)).toBe(0);
    const below = (await page.getByRole('textbox', { name: 'Message' }).boundingBox())?.y ?? 0;
    const offer = await widen.boundingBox();
    expect((offer?.y ?? Infinity) + (offer?.height ?? 0)).toBeLessThan(below);
    await go(page, 'Shift+Tab', /^Use a context of/);
    await page.keyboard.press('Enter');
    await first.getByText(/^Developer now has a context of [\d,]+ tokens\.$/).waitFor();
    expect(await window.axe()).toEqual([]);
    await isAt(page, first.getByRole('button', { name: 'Undo' }));
    await page.keyboard.press('Enter');
    await first.getByRole('button', { name: /^Use a context of/ }).waitFor();

    await go(page, 'Shift+Tab', /^Run the sample task/);
    await page.keyboard.press('Enter');
    await window.card('Plan').waitFor();
    const hint = page.getByRole('region', { name: 'First task' });
    await window.approval.waitFor();
    await hint.getByText(/^Read what it would do/).waitFor();
    await isAt(page, window.approval);
    // The first stop is the call itself, which comes into view with it: then it may be allowed.
    await go(page, 'Tab', /^REPORT\.md/);
    const allow = window.approval.getByRole('button', { name: /^Allow once/ });
    await expect.poll(() => allow.isEnabled()).toBe(true);
    await go(page, 'Tab', /^Allow once/);
    await page.keyboard.press('Enter');
    await window.turnEnded(60_000);
    await hint.getByText(/^Each ticked step/).waitFor();
    await window.transcript.getByText('The report is in').waitFor();

    await go(page, 'Shift+Tab', /^Pick your own folder/);
    await page.keyboard.press('Enter');
    await isAt(page, page.getByRole('textbox', { name: 'Path of the folder' }));
    await type(page, own.path);
    await page.keyboard.press('Enter');
    await page.getByText(own.path).first().waitFor();
    await hint.waitFor({ state: 'detached' });
  },
  journeyMs,
);

test('the tour beside a download is seen whole in the smallest window, and plays by itself', async () => {
  // It would take hours.
  const window = await firstStart(1e5, { viewport: smallest });
  const { page } = window;
  await page.getByRole('button', { name: /^Download/ }).click();
  const tour = page.getByRole('region', { name: 'Tour' });
  await tour.getByText('Write a report about this folder').waitFor();
  const below = (await page.getByRole('textbox', { name: 'Message' }).boundingBox())?.y ?? 0;
  for (const name of ['Pause the tour', 'Next step', 'Skip the tour']) {
    const lowerEdge = async (): Promise<number> => {
      const button = await tour.getByRole('button', { name }).boundingBox();
      return (button?.y ?? Infinity) + (button?.height ?? 0);
    };
    // What was there before the download began leaves only when the engine has told of it.
    await expect.poll(lowerEdge).toBeLessThan(below);
  }
  expect(await page.getByRole('button', { name: 'Pause', exact: true }).isVisible()).toBe(true);
  expect(await page.locator('.scroll:has(.first-run)').evaluate((it) => it.scrollTop)).toBe(0);
});

test('is left and opened again, remembers over a reload what was done, and shows the whole tour when asked (audit-U22)', async () => {
  const window = await firstStart(50 * GB);
  const { page } = window;
  const first = page.getByRole('region', { name: 'First start' });
  await first.getByRole('button', { name: 'Not now' }).click();
  await first.waitFor({ state: 'hidden' });
  await window.ready();

  await page.reload();
  await first.getByRole('heading', { name: 'Choose a model for this GPU' }).waitFor();
  await first.getByRole('button', { name: /^Download/ }).click();
  await first.getByRole('heading', { name: 'Ready. Try a first task' }).waitFor();
  await first.getByRole('button', { name: 'Skip the tour' }).click();
  await page.reload();
  await first.getByRole('heading', { name: 'Ready. Try a first task' }).waitFor();
  expect(await first.getByRole('region', { name: 'Tour' }).count()).toBe(0);
  const tour = first.getByRole('region', { name: 'Tour' });
  for (const viewport of [smallest, { width: 1440, height: 900 }]) {
    await page.setViewportSize(viewport);
    await first.getByRole('button', { name: 'See the tour again' }).click();
    const place = async () => {
      const [head, last, box] = await Promise.all(
        [
          tour.getByRole('heading'),
          tour.getByRole('button', { name: 'Skip the tour' }),
          page.getByRole('textbox', { name: 'Message' }),
        ].map((part) => part.boundingBox()),
      );
      return {
        above: (head?.y ?? 0) > 36,
        below: (last?.y ?? Infinity) + (last?.height ?? 0) < (box?.y ?? 0),
      };
    };
    await expect.poll(place).toEqual({ above: true, below: true });
    await tour.getByRole('button', { name: 'Skip the tour' }).click();
  }
});

test(
  'goes on by itself when a model comes from elsewhere, and Stop leaves the model loaded',
  async () => {
    const window = await firstStart(50 * GB);
    const { page } = window;
    const first = page.getByRole('region', { name: 'First start' });
    await first.getByRole('heading', { name: 'Choose a model for this GPU' }).waitFor();
    // As `ollama pull` in a terminal.
    const pulled = await fetch(`${sim.url}/api/pull`, {
      method: 'POST',
      body: JSON.stringify({ model, stream: false }),
    });
    expect(pulled.ok).toBe(true);
    await first.getByRole('heading', { name: 'Ready. Try a first task' }).waitFor();
    await first.getByRole('button', { name: 'Run the sample task' }).click();
    await window.approval.waitFor({ timeout: 60_000 });
    // The answer never comes to its end by itself.
    sim.setScript((request) => {
      const written = demoScript(request);
      return written && callsOf(written.steps).length === 0 ? written.hang() : written;
    });
    await window.allow();
    const hint = page.getByRole('region', { name: 'First task' });
    await hint.getByText(/^Press Stop or Escape/).waitFor();
    await window.stop.click();
    await window.turnEnded();
    await window.transcript.getByRole('heading', { name: /still in VRAM/ }).waitFor();
    await hint.getByText(/^The line above/).waitFor();
    await hint.getByRole('button', { name: 'Hide the hints' }).click();
    await hint.waitFor({ state: 'detached' });
  },
  journeyMs,
);
