/** A no with what to do instead, by clicks and by keys alone, in a real Chromium: the model reads it, and nothing has run. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { startAgentHouse, type AgentHouse } from './agent-house.ts';
import { go, isAt, type } from './keyboard-person.ts';
import type { OpenWindow } from './launch-web.ts';

const file = 'asked.txt';
const working = script([
  rule({ resultCount: 0 }, reply().toolCall('run_command', { command: `echo asked > ${file}` })),
  rule({}, reply().text('Then I do that.')),
]);

let browser: Browser;
let house: AgentHouse;
let view: OpenWindow;
beforeAll(async () => {
  browser = await launchChromium();
  house = await startAgentHouse(browser);
});
afterAll(async () => {
  await house.close();
  await browser.close();
});
beforeEach(async () => {
  view = await house.begin(working);
});
afterEach(async () => {
  await view.close();
  if (existsSync(join(house.workspace, file))) throw new Error('What was declined has run.');
  if (view.complaints.length > 0) throw new Error(view.complaints.join('\n'));
});

/** What the model was sent in all of its requests. */
const read = (): string => JSON.stringify(house.sim.truth.requests.map(({ body }) => body));

test('words that are typed into the card go with a click on Decline', async () => {
  const { window } = view;
  const { approval } = window;
  await window.ask('Write the file');
  await approval.getByRole('textbox', { name: 'Or tell it what to do instead' }).fill('Use b.txt by click');
  await approval.getByRole('button', { name: 'Decline and reply' }).click();
  await window.transcript.getByText('Then I do that.').waitFor();
  await window.turnEnded();
  expect(read()).toContain('Use b.txt by click');
});

test('a no with words is given by keys alone, and Enter in their field never allows', async () => {
  const { window } = view;
  const { page, approval } = window;
  const field = approval.getByRole('textbox', { name: 'Or tell it what to do instead' });
  await isAt(page, window.message);
  await type(page, 'Write the file');
  await page.keyboard.press('Enter');
  await approval.waitFor();
  await isAt(page, approval);
  await go(page, 'Tab', /^Or tell it/);
  await type(page, 'Use c.txt');
  // Back on the card, with the words kept: no yes is a slip away.
  await page.keyboard.press('Escape');
  await isAt(page, approval);
  // The card hears no key that came with it.
  await page.waitForTimeout(500);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Enter');
  expect(await field.inputValue()).toBe('Use c.txt');
  await page.keyboard.press('r');
  await isAt(page, field);
  await page.keyboard.press('End');
  await type(page, ' by key');
  await page.keyboard.press('Enter');
  await window.transcript.getByText('Then I do that.').waitFor();
  await window.turnEnded();
  expect(read()).toContain('Use c.txt by key');
  await isAt(page, window.message);
});

test('a question that comes while somebody types is answered by none of their keys', async () => {
  const { window } = view;
  const { page, approval } = window;
  await window.ask('Write the file');
  await window.message.focus();
  await page.keyboard.type('and then ');
  await approval.waitFor();
  await page.keyboard.type('add d to it');
  await page.keyboard.press('Enter');
  await window.queue.getByText('and then add d to it').waitFor();
  expect(await approval.isVisible()).toBe(true);
  await approval.getByRole('button', { name: /^Decline/ }).click();
  await window.stop.click();
  await window.turnEnded();
});
