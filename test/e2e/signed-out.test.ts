/** A browser that comes without the address that is good now. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { launchQuickDemo, type WebApp } from './launch-web.ts';
import { AndironPage } from './page.ts';

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

test('a window that is not signed in says where the way in is, and is let in with the next one', async () => {
  const context = await browser.newContext();
  const first = new AndironPage(await context.newPage());
  await first.page.goto(app.server.origin);
  await first.page.getByRole('heading', { name: 'This window is not signed in' }).waitFor();
  expect(await first.axe()).toEqual([]);

  const second = new AndironPage(await context.newPage());
  await second.page.goto(app.server.address());
  await second.page.getByRole('heading', { name: 'Ready when you are' }).waitFor();
  await first.page.getByRole('heading', { name: 'Ready when you are' }).waitFor();
  await context.close();
});
