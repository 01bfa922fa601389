/** A command that a person writes anew on its card, by keys alone, in a real Chromium: what it did lies on the disk. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { startAgentHouse, type AgentHouse } from './agent-house.ts';
import { go, isAt, type } from './keyboard-person.ts';

const proposed = 'echo model > model.txt';
const working = script([
  rule({ resultCount: 0 }, reply().toolCall('run_command', { command: proposed })),
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

test('a command is changed in place, taken back, changed again and allowed, and only that has run', async () => {
  const { window, complaints, close } = await house.begin(working);
  const { page, approval } = window;
  const field = approval.getByRole('textbox', { name: 'Command' });
  await isAt(page, window.message);
  await type(page, 'Write the file');
  await page.keyboard.press('Enter');
  await approval.waitFor();
  await isAt(page, approval);

  await go(page, 'Tab', /^Edit command/);
  await page.keyboard.press('Enter');
  await isAt(page, field);
  expect(await field.inputValue()).toBe(proposed);
  await page.keyboard.type(' && rm -f other.txt');
  expect(await window.axe()).toEqual([]);
  await page.keyboard.press('Escape');
  await isAt(page, approval);
  // Escape has stopped no turn: the question still stands, as it was asked.
  await approval.getByText(proposed, { exact: true }).waitFor();

  await page.keyboard.press('e');
  await isAt(page, field);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('echo person > person.txt');
  await page.keyboard.press('Enter');
  await page.keyboard.type('echo again >> person.txt');
  await page.keyboard.press('Control+Enter');
  await window.turnEnded();

  expect(readFileSync(join(house.workspace, 'person.txt'), 'utf8')).toBe('person\nagain\n');
  expect(existsSync(join(house.workspace, 'model.txt'))).toBe(false);
  await window.showWork();
  const row = window.transcript.getByRole('button', { name: /changed by you/ });
  await row.click();
  await window.transcript.getByText(proposed, { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});
