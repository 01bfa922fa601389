/** What the window says and offers of the engine, in a real Chromium: loads, silence, stops, prices, VRAM, downloads. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { reply, rule, script, type Script } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { startAgentHouse, type AgentHouse } from './agent-house.ts';
import { fakeDriver } from './fake-programs.ts';
import { launchWeb, type OpenWindow, type WebApp } from './launch-web.ts';
import type { AndironPage } from './page.ts';

const GB = 1e9;
/** Each journey has a model of its own, so that what one leaves loaded is nothing to the next. */
const models = ['loaded:9b', 'spilled:9b', 'priced:9b', 'lent:9b'].map((name) => ({
  name,
  family: 'qwen3.5' as const,
}));
const profiles = Object.fromEntries(
  models.map(({ name }) => [name.split(':')[0] ?? '', { models: [name], contextTokens: 8_192 }]),
);

const driver = fakeDriver(98_304, 60_000);
let browser: Browser;
let house: AgentHouse;
beforeAll(async () => {
  browser = await launchChromium();
  house = await startAgentHouse(browser, {
    models,
    profiles: { ...profiles, wider: { models: ['priced:9b'], contextTokens: 16_384 } },
    env: driver.env,
    sim: {
      gpu: { totalBytes: 96 * 2 ** 30, otherBytes: 2 * 2 ** 30 },
      pullable: [{ name: 'qwen3.5:4b', family: 'qwen3.5', bytes: 3.4 * GB, bytesPerSecond: 5 * GB }],
    },
  });
});
afterAll(async () => {
  await house.close();
  await browser.close();
  driver.remove();
});

let view: OpenWindow | undefined;
afterEach(async () => {
  const { complaints = [] } = view ?? {};
  await view?.close();
  view = undefined;
  if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('; ')}`);
});

const greeting = script([rule({}, reply().text('Good evening.'))]);

/** A window on a new session with this profile and its model. */
async function begin(profile: string, answers: Script = greeting): Promise<AndironPage> {
  view = await house.begin(answers);
  await view.window.chooseProfile(profile);
  return view.window;
}

/** The page that the engine's bar opens. */
async function openRoom({ page }: AndironPage) {
  await page.getByRole('contentinfo', { name: 'Engine' }).getByTitle('Engine room').click();
  const room = page.getByRole('region', { name: 'Engine room' });
  await room.waitFor();
  return room;
}

const loadsOf = (model: string) => house.sim.truth.loads.filter((load) => load.model === model);

test('a load shows how far it probably is, and is given up at a click', async () => {
  const window = await begin('loaded');
  await window.ask('Hello');
  await window.transcript.getByText('Good evening.').waitFor();
  const room = await openRoom(window);
  await room.getByRole('button', { name: 'Unload' }).click();
  await room.getByText(/^not loaded: loads/).waitFor();
  await window.page.keyboard.press('Escape');

  house.sim.setLoad('loaded:9b', { seconds: 60 });
  await window.ask('And again');
  const card = window.transcript.getByRole('region', { name: 'Loading loaded:9b' });
  await card.getByText(/last time/).waitFor();
  await card.getByRole('progressbar').waitFor({ state: 'attached' });
  await card.getByRole('button', { name: 'Cancel load' }).click();
  await window.turnEnded();
  expect(loadsOf('loaded:9b').map(({ outcome }) => outcome)).toEqual(['loaded', 'aborted']);
});

describe('on an engine whose runner can be asked', () => {
  let demo: WebApp;
  beforeAll(async () => {
    demo = await launchWeb(browser, ['--demo']);
  });
  afterAll(() => demo.close());

  /** The card of a prompt that is being read for seconds, with more than nothing read. */
  async function readingLong(word: string) {
    view = await demo.open();
    const { window } = view;
    await window.ready();
    await window.ask(Array.from({ length: 2_500 }, (_, at) => `${word}${String(at)}`).join(' '));
    const card = window.transcript.getByRole('region', { name: 'Reading the prompt' });
    await card.getByText('measured').waitFor();
    await card.getByText(/^[1-9][\d,]* of [\d,]+ tokens read$/).waitFor({ state: 'attached' });
    return { window, card };
  }

  test('the demo’s own GPU fills with a model, says what else fits, and is free again once that is unloaded (audit-U17)', async () => {
    view = await demo.open();
    const { page } = view.window;
    await view.window.ready();
    await view.window.ask('Hello');
    await view.window.turnEnded();
    await page.getByRole('contentinfo', { name: 'Engine' }).getByTitle('Engine room').click();
    const panel = page.getByRole('region', { name: 'Engine room' });
    await panel.getByText(/^[6-9]\.\d of 16\.0 GB$/).waitFor();
    await panel.getByRole('button', { name: 'Unload' }).click();
    await panel.getByText(/^1\.4 of 16\.0 GB$/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Settings' }).first().click();
    await page.getByRole('tab', { name: /^Models/ }).click();
    const row = page.getByRole('row', { name: /^gemma4:8b / });
    await row.getByText(/^fits/).waitFor();
    await expect.poll(() => page.getByText('fit unknown').count()).toBeLessThan(5);
  });

  test('the silence before the first word is filled with what is really read, and the seconds left', async () => {
    const { window, card } = await readingLong('word');
    await card.getByText(/ left$/).waitFor();
    expect(await window.axe()).toEqual([]);
    await window.stop.click();
    await window.turnEnded();
  });

  test('a stop says how fast it was, that the model stayed, what it keeps, and when the engine was idle', async () => {
    const { window } = await readingLong('name');
    await window.page.keyboard.press('Escape');
    const heading = window.transcript.getByRole('heading', { name: /^Stopped in/ });
    await heading.waitFor();
    await expect
      .poll(() => heading.innerText())
      .toMatch(/^Stopped in [\d.]+ (ms|s)\. qwen3\.5:9b is still in VRAM \([\d.]+ GB\)\.$/);
    // Counted, or estimated where the runner was too busy to tell; never unknown.
    await window.transcript
      .getByText(/^(?:About )?[\d,k.]+ (?:of (?:about )?[\d,k.]+ )?prompt tokens kept/)
      .waitFor();
    await window.transcript.getByText(/^Connection closed after/).waitFor();
  });
});

test('a model that is partly on the CPU is called out in the bar, in the panel and among the reasons', async () => {
  house.sim.setLoad('spilled:9b', { offload: 0.5 });
  const window = await begin('spilled');
  await window.ask('Hello');
  await window.transcript.getByText('Good evening.').waitFor();
  await window.page
    .getByRole('contentinfo', { name: 'Engine' })
    .getByText(/on the CPU/)
    .waitFor();
  const room = await openRoom(window);
  await room.getByRole('heading', { name: /% of spilled:9b runs on the CPU/ }).waitFor();
  await room.getByText(/Other programs hold/).waitFor();
  await room.getByRole('button', { name: 'Why is it slow?' }).click();
  const reason = window.page.getByRole('heading', { name: /% of spilled:9b runs on the CPU/ });
  await reason.waitFor();
  expect(await window.axe()).toEqual([]);
});

test('another profile has its price before it is chosen', async () => {
  const window = await begin('priced');
  await window.ask('Hello');
  await window.transcript.getByText('Good evening.').waitFor();
  await window.turnEnded();
  await window.page.getByRole('button', { name: /^Profile:/ }).click();
  const choice = window.page.getByRole('menuitemradio', { name: /^wider/ });
  await choice.getByText(/Loads priced:9b again, [\d.]+ GB, about [\d.]+ m?s/).waitFor();
  await expect.poll(() => choice.innerText()).toMatch(/re-reads about [\d,]+ tokens/);
  expect(loadsOf('priced:9b')).toHaveLength(1);
});

test('the GPU is lent, and the same model comes back with the same window and the prompt read', async () => {
  const window = await begin('lent');
  await window.ask('Hello');
  await window.transcript.getByText('Good evening.').waitFor();
  await window.turnEnded();
  const room = await openRoom(window);
  await room.getByRole('button', { name: 'Free the GPU' }).click();
  await room.getByText('Taking it back loads lent:9b with a context of 8,192 tokens.').waitFor();
  await room.getByRole('button', { name: 'Take it back' }).click();
  await room.getByText(/^ready: loaded, and [\d,]+ tokens of this session are cached$/).waitFor();
  expect(loadsOf('lent:9b').map(({ numCtx }) => numCtx)).toEqual([8_192, 8_192]);
});

test('a download is paused where it stands, goes on from there, and the model is installed', async () => {
  house.sim.failPulls('qwen3.5:4b', [{ kind: 'stall', atByte: 1.7 * GB }]);
  view = await house.begin(greeting);
  const { page } = view.window;
  await page.getByRole('button', { name: /^Settings/ }).click();
  await page.getByRole('tab', { name: /^Models/ }).click();
  const entry = page.getByRole('row', { name: /^qwen3\.5:4b/ });
  await entry.getByRole('button', { name: 'Get' }).click();
  await page.getByText('1.7 GB of 3.4 GB').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('paused').first().waitFor();
  await expect.poll(() => page.getByText('1.7 GB of 3.4 GB').isVisible()).toBe(true);

  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'qwen3.5:4b', exact: true }).waitFor();
});
