/** The first five minutes in a real Chromium: from no Ollama over a download and a folder to an answer. */
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { demoScript } from '../../src/sim/demo/index.ts';
import { startSim, type Sim } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { freePort } from '../helpers/free-port.ts';
import { projectRoot, temporaryFolder } from '../helpers/server-process.ts';
import { fakeDriver } from './fake-programs.ts';
import { go, isAt, type } from './keyboard-person.ts';
import { launchWeb, type OpenWindow, type WebApp } from './launch-web.ts';
import type { AndironPage } from './page.ts';

const GB = 1e9;
const model = 'qwen3.5:9b';
const elsewhere = 'qwen3.5:4b';
const smallest = { width: 900, height: 600 };
/** A card of 12 GB, of which the desktop holds a little. */
const driver = fakeDriver(12_288, 900);
const own = temporaryFolder();
/** A small project with a README. */
const project = join(projectRoot, 'resources', 'demo-workspace');
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
const journeyMs = 180_000;

const question = 'Explain what this project does and how its parts work together.';

/** What a fresh Andiron shows that looks for an Ollama at this address. */
async function openAt(args: string[], options: BrowserContextOptions = {}, env = driver.env) {
  app = await launchWeb(browser, args, env);
  view = await app.open(options);
  return view.window;
}

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
    pullable: [
      { name: model, family: 'qwen3.5', bytes: 6.5 * GB, bytesPerSecond },
      { name: elsewhere, family: 'qwen3.5', bytes: GB, bytesPerSecond: 100 * GB },
    ],
  });
  return openAt([`--engine-url=${sim.url}`], options);
}

/** The page, and the step of it that is now. */
function setupOf({ page }: AndironPage) {
  const setup = page.getByRole('region', { name: 'Set up Andiron' });
  return {
    setup,
    title: (words: string) => setup.getByRole('heading', { level: 2, name: new RegExp(`^${words} ?, now$`) }),
    press: (name: string) => setup.getByRole('button', { name, exact: true }).click(),
    path: setup.getByRole('textbox', { name: 'Path of the folder' }),
  };
}

test(
  'Setup leads by keyboard alone, in the smallest window, from no model to an answer about one’s own folder',
  async () => {
    // It would take hours: what is done meanwhile is done before it ends.
    const window = await firstStart(1e5, { reducedMotion: 'reduce', viewport: smallest });
    const { page } = window;
    const { setup, title, path } = setupOf(window);
    await title('Choose a model').waitFor();
    await setup.getByText('RTX PRO 6000, 11.1 GB free').waitFor();
    await expect.poll(() => setup.getByText(/^Fits, [\d.]+ GB to spare$/).count()).toBe(3);
    await expect.poll(() => window.sessions.count()).toBe(0);
    await expect.poll(() => window.message.count()).toBe(0);
    expect(await window.axe()).toEqual([]);

    await go(page, 'Tab', /^Download qwen3\.5:9b/);
    await page.keyboard.press('Enter');
    await setup.getByText(/^qwen3\.5:9b, .* of 6\.5 GB/).waitFor();
    await isAt(page, path);
    expect(await window.axe()).toEqual([]);
    await type(page, own.path);
    await page.keyboard.press('Enter');
    await title('Give it a first task').waitFor();
    await isAt(page, title('Give it a first task'));
    await go(page, 'Tab', /^First task$/);
    expect(await window.axe()).toEqual([]);
    const start = await setup.getByRole('button', { name: 'Start', exact: true }).boundingBox();
    expect((start?.y ?? Infinity) + (start?.height ?? 0)).toBeLessThan(smallest.height);
    await go(page, 'Tab', /^Start$/);
    await page.keyboard.press('Enter');
    await setup.getByText('Your task starts when the model is ready.').waitFor();
    expect(await window.axe()).toEqual([]);

    // The model comes as from a terminal; the waiting task begins with it and has the window.
    await pullElsewhere();
    await window.transcript.getByText(question).waitFor();
    await setup.waitFor({ state: 'detached' });
    await window.turnEnded();
    await isAt(page, window.message);
  },
  journeyMs,
);

/** Whole, and not only in the page. */
const inView = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });

/** As `ollama pull` in a terminal, of a model that is there at once. */
async function pullElsewhere(): Promise<void> {
  const pulled = await fetch(`${sim.url}/api/pull`, {
    method: 'POST',
    body: JSON.stringify({ model: elsewhere, stream: false }),
  });
  expect(pulled.ok).toBe(true);
}

test(
  'A machine that just got Ollama reaches a first useful answer within five minutes at 100 Mbit/s',
  async () => {
    const hundredMegabits = 12.5e6;
    /** Downloads run so much faster here, and are counted at their real length. */
    const faster = 40;
    const download = 2.7 * GB;
    const port = await freePort();
    const window = await openAt([], {}, { ...process.env, OLLAMA_HOST: `http://127.0.0.1:${String(port)}` });
    const { setup, title, press: click, path } = setupOf(window);
    const began = performance.now();
    await title('Set up Ollama').waitFor();
    // Installed and started, as by a person; then everything is as fast as a machine without a GPU.
    sim = await startSim({
      port,
      models: [],
      script: demoScript,
      gpu: null,
      pullable: [
        { name: 'qwen3.5:2b', family: 'qwen3.5', bytes: download, bytesPerSecond: hundredMegabits * faster },
      ],
    });
    await title('Choose a model').waitFor();
    const pulls = performance.now();
    await click('Download qwen3.5:2b');
    await path.fill(project);
    await click('Use this folder');
    await click('Start');
    await window.transcript.getByText(question).waitFor();
    const there = performance.now();
    await window.turnEnded();
    await window.transcript.getByText('Lantern Street').waitFor();
    const answered = performance.now();
    await setup.waitFor({ state: 'detached' });

    const seconds = {
      setUp: (pulls - began) / 1_000,
      download: download / hundredMegabits,
      answer: (answered - there) / 1_000,
    };
    const total = seconds.setUp + seconds.download + seconds.answer;
    process.stdout.write(
      `First useful answer: ${total.toFixed(0)} s (Ollama found ${seconds.setUp.toFixed(1)} s, ` +
        `2.7 GB at 100 Mbit/s ${seconds.download.toFixed(0)} s, load and answer ${seconds.answer.toFixed(1)} s)\n`,
    );
    expect(total).toBeLessThan(300);
  },
  journeyMs,
);

test(
  'Who has a model on another server adds that by keyboard, and needs no Ollama on this computer',
  async () => {
    sim = await startSim({ speed: 20, script: demoScript });
    const nobody = `http://127.0.0.1:${String(await freePort())}`;
    const window = await openAt([], {}, { ...process.env, OLLAMA_HOST: nobody });
    const { page } = window;
    const { setup, title, press: click, path } = setupOf(window);
    await title('Set up Ollama').waitFor();
    await go(page, 'Tab', /^Use another server$/);
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'Add a model server' });
    await isAt(page, form.getByLabel('Address'));
    expect(await window.axe()).toEqual([]);
    await type(page, nobody);
    await page.keyboard.press('Enter');
    await form.getByRole('alert').getByText(`does not answer at ${nobody}/v1`).waitFor();
    await form.getByLabel('Address').fill(sim.url);
    await form.getByLabel('Name').fill('Attic');
    await page.keyboard.press('Enter');
    await page.getByText(/^Attic was added\. It has \d+ models?\.$/).waitFor();
    await page.getByText('in use', { exact: true }).waitFor();
    expect(await inView(page.getByText('in use', { exact: true }))).toBe(true);
    expect(await window.axe()).toEqual([]);
    await page.keyboard.press('Escape');
    await setup.getByText('The model runs on another server.').waitFor();
    await path.fill(project);
    await click('Use this folder');
    await click('Start');
    await window.transcript.getByText(question).waitFor();
    await window.turnEnded();
    await window.transcript.getByText('Lantern Street').waitFor();
  },
  journeyMs,
);

test('Setup is skipped and opened again, and shows the whole tour when asked (audit-U22)', async () => {
  const window = await firstStart(50 * GB);
  const { page } = window;
  const { setup, title, press: click } = setupOf(window);
  await click('Skip setup');
  await setup.waitFor({ state: 'hidden' });
  await window.ready();
  await page.reload();
  await title('Choose a model').waitFor();
  const tour = setup.getByRole('region', { name: 'Tour' });
  for (const viewport of [smallest, { width: 1440, height: 900 }]) {
    await page.setViewportSize(viewport);
    await click('Watch the tour');
    const place = async () => {
      const [head, last] = await Promise.all(
        [tour.getByRole('heading'), tour.getByRole('button', { name: 'Skip the tour' })].map((part) =>
          part.boundingBox(),
        ),
      );
      return {
        above: (head?.y ?? 0) > 36,
        below: (last?.y ?? Infinity) + (last?.height ?? 0) < viewport.height - 28,
      };
    };
    await expect.poll(place).toEqual({ above: true, below: true });
    await tour.getByRole('button', { name: 'Skip the tour' }).click();
  }
});

test(
  'a task that waits for its model is kept over a reload, taken back and started again (audit-U5)',
  async () => {
    const window = await firstStart(1e5);
    const { page } = window;
    const { setup, press: click, path } = setupOf(window);
    await click('Download qwen3.5:9b');
    await path.fill(own.path);
    await click('Use this folder');
    await click('Start');
    // The words about the wait stand there before; this button comes with the host's word that it has the task.
    await setup.getByRole('button', { name: 'Edit task' }).waitFor();
    await page.reload();
    await setup.getByText(question).waitFor();
    await click('Edit task');
    const field = setup.getByRole('textbox', { name: 'First task' });
    await expect.poll(() => field.inputValue()).toBe(question);
    await field.fill('What is in this folder?');
    await click('Start');
    await setup.getByRole('button', { name: 'Edit task' }).waitFor();
    await pullElsewhere();
    await window.transcript.getByText('What is in this folder?').waitFor();
    await window.turnEnded();
    await expect.poll(() => window.transcript.getByText(question).count()).toBe(0);
  },
  journeyMs,
);

test('The demo opens in place of the page with a simulated GPU, and the way back leads to the page', async () => {
  const window = await firstStart(1e5);
  const { page } = window;
  const { title, press: click } = setupOf(window);
  await title('Choose a model').waitFor();
  const here = page.url();
  await click('Try the demo');
  await page.getByText('Demo. The model and the GPU are simulated.').waitFor();
  await page
    .getByText(/of 16\.0 GB/)
    .first()
    .waitFor();
  await window.ready();
  expect(page.url()).not.toBe(here);
  await page.getByRole('button', { name: 'Leave demo' }).click();
  await title('Choose a model').waitFor();
  expect(page.url()).toBe(here);
  await click('Try the demo');
  await page.getByRole('button', { name: 'Set up Andiron' }).click();
  await title('Choose a model').waitFor();
  expect(page.url()).toBe(here);
});
