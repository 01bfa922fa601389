/** Somebody who is quicker than a window that opens: what was reached for too early comes by itself. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { go, isAt, press } from './keyboard-person.ts';
import { launchQuickDemo, type OpenWindow, type WebApp } from './launch-web.ts';

let browser: Browser;
let app: WebApp;
beforeAll(async () => {
  browser = await launchChromium();
  app = await launchQuickDemo(browser);
});
afterAll(async () => {
  await app.close();
  await browser.close();
});

/** A window whose host or engine says nothing until it may. */
async function openEarly(part: 'host' | 'engine'): Promise<OpenWindow & { page: Page; answer: () => void }> {
  const view = await app.open();
  const { page } = view.window;
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.routeWebSocket(new RegExp(`/${part}$`), (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(message));
    server.onMessage((message) => void answered.then(() => socket.send(message)));
  });
  await page.goto('about:blank');
  await page.goto(app.server.address());
  await view.window.ready();
  return { ...view, page, answer };
}

test('a menu of profiles that was opened before the host said which there are begins at the first of them', async () => {
  const { window, page, answer, complaints, close } = await openEarly('host');
  await isAt(page, window.message);
  await go(page, 'Tab', /^Profile:/);
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu', { name: /^Profile/ });
  await expect.poll(() => menu.evaluate((element) => element === document.activeElement)).toBe(true);
  await menu.getByText('Connecting to the agent host').waitFor();
  expect(await menu.getByRole('menuitemradio').count()).toBe(0);
  answer();
  await page.locator('[role=menuitemradio][data-highlighted]').waitFor();
  expect(await press(page, 'ArrowDown')).toMatch(/^Planner/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Profile: Planner' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a menu of models that was opened before the engine said which there are does not call it stopped', async () => {
  const { window, page, answer, complaints, close } = await openEarly('engine');
  await isAt(page, window.message);
  await go(page, 'Tab', /^Model:/);
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu', { name: /^Model/ });
  await menu.getByText('Connecting to the model service').waitFor();
  await expect.poll(() => menu.evaluate((element) => element === document.activeElement)).toBe(true);
  answer();
  await page.locator('[role=menuitemradio][data-highlighted]').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a page of the settings that was opened before the host was there fills when it comes', async () => {
  const { page, answer, complaints, close } = await openEarly('host');
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: /^Models/ }).click();
  await page.getByRole('button', { name: 'qwen3.5:9b', exact: true }).click();
  await page.getByRole('heading', { name: 'Abilities' }).waitFor();
  expect(await page.getByRole('row', { name: /^Calls tools natively/ }).count()).toBe(0);
  answer();
  await page
    .getByRole('row', { name: /^Calls tools natively/ })
    .getByText('yes', { exact: true })
    .waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});
