/** A session that only plans: the person changes the plan, by clicks and by keys, and has it carried out. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { launchQuickDemo, type OpenWindow, type WebApp } from './launch-web.ts';
import type { AndironPage } from './page.ts';

let browser: Browser;
let app: WebApp & { workspace: string };
beforeAll(async () => {
  browser = await launchChromium();
  app = await launchQuickDemo(browser);
});
afterAll(async () => {
  await app.close();
  await browser.close();
});

let view: OpenWindow;
let window: AndironPage;
let plan: Locator;
beforeEach(async () => {
  view = await app.open();
  ({ window } = view);
  await window.ready();
  await window.page.keyboard.press('Alt+n');
  plan = window.card('Plan');
});
afterEach(() => view.close());

async function chooseMode(button: RegExp, name: string): Promise<void> {
  await window.page.getByRole('button', { name: button }).last().click();
  await window.page.getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).click();
}

const step = (number: number): Locator =>
  plan.getByRole('textbox', { name: `Step ${String(number)}`, exact: true });
const steps = (): Promise<string[]> =>
  plan
    .getByRole('textbox')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLTextAreaElement).value));
const inside = (path: string): string => join(app.workspace, path);

test('a plan is changed by clicks, and carried out in the mode that was chosen', async () => {
  await chooseMode(/^Approvals:/, 'Plan only');
  await window.ask('Create made.txt with "tea"');
  await step(2).waitFor();
  await window.turnEnded();
  expect(existsSync(inside('made.txt'))).toBe(false);
  expect(await steps()).toEqual(['Change: write made.txt', 'Say how it went']);

  await step(1).hover();
  await plan.getByRole('button', { name: 'Move step 1 down' }).click();
  await plan.getByRole('button', { name: 'Add a step' }).click();
  await step(3).fill('Look at it again');
  await step(1).hover();
  await plan.getByRole('button', { name: 'Remove step 1' }).click();
  expect(await steps()).toEqual(['Change: write made.txt', 'Look at it again']);

  await chooseMode(/^Approvals from here on/, 'Accept edits');
  await plan.getByRole('button', { name: /^Carry out the plan/ }).click();
  await window.transcript.getByText('Carry out the plan.').waitFor();
  await expect.poll(() => existsSync(inside('made.txt'))).toBe(true);
  expect(readFileSync(inside('made.txt'), 'utf8')).toBe('tea\n');
  await window.turnEnded();
  await window.page.getByRole('button', { name: 'Approvals: Accept edits' }).waitFor();
  // Folded, since nothing of it is in work any more.
  await window.showWork();
  await plan.last().getByRole('button', { name: /^Plan/ }).click();
  await plan.last().getByText('Look at it again').waitFor();
  await expect.poll(() => window.approval.count()).toBe(0);
  await expect.poll(() => plan.first().getByText('approved').count()).toBe(1);
});

test('a plan is changed and carried out by keys alone', async () => {
  const { keyboard } = window.page;
  await chooseMode(/^Approvals:/, 'Plan only');
  await window.ask('Create kept.txt with "milk"');
  await step(2).waitFor();
  await window.turnEnded();
  await step(2).focus();
  await keyboard.press('Alt+ArrowUp');
  await keyboard.press('Enter');
  await keyboard.type('Think');
  await keyboard.press('Enter');
  await keyboard.press('Backspace');
  expect(await steps()).toEqual(['Say how it went', 'Think', 'Change: write kept.txt']);
  await keyboard.press('Control+Enter');
  await window.approval.waitFor();
  await window.allow();
  await expect.poll(() => existsSync(inside('kept.txt'))).toBe(true);
  await window.turnEnded();
});

test('what is changed in a plan is still there when its session is left and opened again', async () => {
  await chooseMode(/^Approvals:/, 'Plan only');
  await window.ask('Create later.txt with "salt"');
  await step(2).waitFor();
  await window.turnEnded();
  await step(1).fill('Write later.txt, but with pepper');
  await window.page.keyboard.press('Alt+n');
  await plan.waitFor({ state: 'detached' });
  await window.sessions.getByRole('button', { name: /^Create later/ }).click();
  await expect.poll(steps).toEqual(['Write later.txt, but with pepper', 'Say how it went']);
  await plan.getByRole('button', { name: 'Discard my changes' }).click();
  expect(await steps()).toEqual(['Change: write later.txt', 'Say how it went']);
});

test('a question is answered in a session that only plans, and nothing waits', async () => {
  await chooseMode(/^Approvals:/, 'Plan only');
  await window.ask('Hello');
  await window.turnEnded();
  await window.transcript.getByText('I am').first().waitFor();
  await expect.poll(() => plan.count()).toBe(0);
});

test('a plan that waits has no fault for a screen reader', async () => {
  await chooseMode(/^Approvals:/, 'Plan only');
  await window.ask('Create other.txt with "oil"');
  await step(2).waitFor();
  await window.turnEnded();
  expect(await window.axe()).toEqual([]);
});
