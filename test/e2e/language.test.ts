/** The language of the window, changed by its person in a real Chromium, while a turn waits and a message is half written. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { de } from '../../src/text/de/index.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { startAgentHouse, type AgentHouse } from './agent-house.ts';

const working = script([
  rule({ resultCount: 0 }, reply().toolCall('run_command', { command: 'echo kept > kept.txt' })),
  rule({}, reply().text('It is written.')),
]);

let browser: Browser;
let house: AgentHouse;
beforeAll(async () => {
  browser = await launchChromium();
  house = await startAgentHouse(browser);
});
afterAll(async () => {
  await house.close();
  await browser.close();
});

test('A click makes the window German in its place, keeps the draft and the turn, and lasts (lang-1)', async () => {
  const { window, complaints, close } = await house.begin(working);
  const { page } = window;
  await window.ask('Write the file');
  await window.approval.waitFor();
  await window.message.fill('half a sentence');
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));

  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'Appearance' }).click();
  await page.getByText('Deutsch', { exact: true }).click();
  await page.getByRole('main', { name: de.settings.label }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
  expect(await page.getByRole('radio', { name: 'Deutsch' }).isChecked()).toBe(true);
  expect(await window.axe()).toEqual([]);

  await page.keyboard.press('Escape');
  const message = page.getByRole('textbox', { name: de.composer.label });
  await expect.poll(() => message.inputValue()).toBe('half a sentence');
  await page.getByRole('button', { name: new RegExp(`^${de.transcript.approval.allowOnce}`) }).click();
  await page.getByText('It is written.').waitFor();
  expect(await page.evaluate(() => Reflect.get(globalThis, 'isSamePage'))).toBe(true);

  await page.reload();
  await page.getByText('It is written.').waitFor();
  await expect.poll(() => message.inputValue()).toBe('half a sentence');
  expect(complaints).toEqual([]);
  await close();
});

test('A German computer reads German from the first picture on, and English is one command away (lang-2)', async () => {
  const { window, complaints, close } = await house.app.open({ locale: 'de-AT' });
  const { page } = window;
  await page.getByRole('textbox', { name: de.composer.label }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('english');
  await page.getByRole('option', { name: de.commands.names['view/language-en'] }).click();
  await window.message.waitFor();
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
  expect(complaints).toEqual([]);
  await close();
});
