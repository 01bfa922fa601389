/** The built desktop app in real surroundings: its own main entry, preload, host and page, each where it runs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../helpers/chromium.ts';
import { launchDesktop, type DesktopRun } from './launch-desktop.ts';

let browser: Browser;
let run: DesktopRun;
beforeAll(async () => {
  browser = await launchChromium();
  run = await launchDesktop(browser, ['--demo']);
});
afterAll(async () => {
  await run.close();
  await browser.close();
});

test('The built app opens its window, and a turn runs over ports from the page to the host', async () => {
  const { window } = run;
  await window.ready();
  await window.ask('What is in this folder? Read the readme and tell me what it does.');
  await window.stop.waitFor();
  await window.turnEnded();
  expect(run.complaints).toEqual([]);
});
