/** What a model can do, on its page in a real Chromium: what the host has counted, and how it is forgotten. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSim, type Sim } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { launchWeb, type WebApp } from './launch-web.ts';

let browser: Browser;
let sim: Sim;
let app: WebApp;
beforeAll(async () => {
  browser = await launchChromium();
  sim = await startSim({ speed: 50, models: [{ name: 'qwen3.5:9b', family: 'qwen3.5' }] });
  app = await launchWeb(browser, [`--engine-url=${sim.url}`]);
});
afterAll(async () => {
  await app.close();
  await sim.close();
  await browser.close();
});

test('abilities that the host has counted are shown, and forgotten by keyboard after a yes', async () => {
  const { window, complaints, close } = await app.open({ viewport: { width: 900, height: 600 } });
  const { page } = window;
  await window.ready();
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: /^Models/ }).click();
  await page.getByRole('button', { name: 'qwen3.5:9b', exact: true }).click();
  const row = page.getByRole('row', { name: /^Calls tools natively/ });
  await row.getByText('yes', { exact: true }).waitFor();
  expect(await row.getByRole('cell').allInnerTexts()).toEqual([
    expect.stringMatching(/^\d+$/),
    expect.stringMatching(/^\d+$/),
    expect.stringContaining(':'),
    'yes',
  ]);
  expect(await window.axe()).toEqual([]);

  await page.getByRole('button', { name: 'Forget', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog', { name: 'Forget what qwen3.5:9b can do?' }).waitFor();
  expect(await window.axe()).toEqual([]);
  await page.getByRole('button', { name: 'Forget abilities' }).focus();
  await page.keyboard.press('Enter');
  await row.getByText('not yet').waitFor();
  await row.getByText('no', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Test this model' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});
