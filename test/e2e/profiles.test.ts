/** Profiles of a person's own, from the window to the files on the disk and back. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
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

let view: OpenWindow;
let page: Page;
beforeEach(async () => {
  view = await app.open();
  await view.window.ready();
  page = view.window.page;
  // The host has answered.
  await page.getByRole('button', { name: 'Profile: Developer' }).waitFor();
  await page.keyboard.press('Control+,');
  await page.getByRole('heading', { name: 'Profiles' }).waitFor();
});
afterEach(async () => {
  await view.close();
});

const file = (...path: string[]): string => join(app.dataDir, 'profiles', ...path);
const profileTab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });

/** From the list's button to the page of the new profile. */
async function create(name: string, from: string): Promise<void> {
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('combobox', { name: 'Begin with' }).selectOption({ label: from });
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

async function keyboardIsSomewhere(): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
}

test('a profile is made, changed by keyboard, and stands on the disk as it is shown', async () => {
  await create('Release notes', 'Reader');
  await page.getByRole('tab', { name: /^Limits/ }).click();
  const iterations = page.getByRole('textbox', { name: 'Max steps', exact: true });
  await iterations.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: /^Advanced/ }).click();
  await page.getByRole('switch', { name: 'Plan first' }).press('Space');
  await page.getByRole('button', { name: 'Reset to off' }).waitFor();
  await page.getByRole('tab', { name: 'File', exact: true }).click();
  await page.getByRole('cell', { name: 'Max steps' }).waitFor();
  await expect
    .poll(async () => JSON.parse(await readFile(file('release-notes', 'profile.json'), 'utf8')) as unknown)
    .toMatchObject({ name: 'Release notes', maxIterations: 12, planningEnabled: true });
  await page.getByText(file('release-notes')).waitFor();
  expect(await view.window.axe()).toEqual([]);
  expect(view.complaints).toEqual([]);
});

test('a prompt is written with Ctrl S, and what an editor writes meanwhile is never lost', async () => {
  await create('Notes', 'Blank');
  await page.getByRole('tab', { name: 'Prompt', exact: true }).click();
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('You write notes.');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await readFile(file('notes', 'system.md'), 'utf8')).toBe('You write notes.\n');

  await prompt.fill('You write short notes.');
  await writeFile(file('notes', 'system.md'), 'You write long notes.\n');
  await page.getByRole('alert').getByText('system.md changed').waitFor();
  await expect.poll(() => prompt.inputValue()).toBe('You write short notes.');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await prompt.press('Control+s');
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await readFile(file('notes', 'system.md'), 'utf8')).toBe('You write short notes.\n');
  expect(await view.window.axe()).toEqual([]);
  expect(view.complaints).toEqual([]);
});

test('what is typed and not saved survives leaving the settings and a reload', async () => {
  await create('Drafts', 'Blank');
  await page.getByRole('tab', { name: 'Prompt', exact: true }).click();
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('Half a thought');
  await page.keyboard.press('Escape');
  await view.window.ready();
  await page.reload();
  await view.window.ready();
  await page.keyboard.press('Control+,');
  await profileTab('Drafts').click();
  await page.getByRole('tab', { name: /^Prompt/ }).click();
  await expect.poll(() => prompt.inputValue()).toBe('Half a thought');
  await page.getByRole('button', { name: 'Revert' }).click();
  expect(view.complaints).toEqual([]);
});

test('a deleted profile comes back with Undo, and a changed built-in one goes back to what it was', async () => {
  await create('Short-lived', 'Reader');
  await page.getByRole('button', { name: 'More for this profile' }).click();
  await page.getByRole('menuitem', { name: 'Delete profile' }).click();
  await page.getByText('Short-lived is deleted.').waitFor();
  await keyboardIsSomewhere();
  expect(existsSync(file('short-lived'))).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Short-lived' }).waitFor();
  expect(existsSync(file('short-lived', 'system.md'))).toBe(true);

  await page.getByRole('button', { name: 'Duplicate' }).press('Enter');
  await page.getByRole('heading', { name: 'Short-lived copy' }).waitFor();
  await keyboardIsSomewhere();
  await page.getByRole('button', { name: 'More for this profile' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.locator('[data-row=name] input:focus').waitFor();
  await page.keyboard.type('Another');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Another' }).waitFor();

  await profileTab('Planner').click();
  await page.getByRole('textbox', { name: 'Description' }).fill('Mine');
  await page.keyboard.press('Enter');
  await page.getByText('Yours, in place of the built-in one.').waitFor();
  await page.getByRole('button', { name: 'More for this profile' }).click();
  await page.getByRole('menuitem', { name: 'Restore the built-in profile' }).click();
  await page.getByText('Planner is the built-in one again.').waitFor();
  expect(existsSync(file('planner'))).toBe(false);
  expect(view.complaints).toEqual([]);
});

test('every page of a profile fits the smallest window', async () => {
  await page.setViewportSize({ width: 900, height: 600 });
  for (const name of ['Prompt', 'Tools', 'Model', 'Limits', 'Advanced', 'File']) {
    await page
      .getByRole('tab', { name: new RegExp(`^${name}`) })
      .last()
      .click();
    expect(await view.window.axe()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(900);
  }
  expect(view.complaints).toEqual([]);
});

test('what differs in a profile is one press away in the smallest window', async () => {
  await page.setViewportSize({ width: 900, height: 600 });
  await create('Far down', 'Reader');
  await page.getByRole('tab', { name: /^Advanced/ }).click();
  await page.getByRole('switch', { name: 'Always plan' }).press('Space');
  await page.getByRole('button', { name: /changed: show no others$/ }).press('Enter');
  // "Always plan" was in view all the time: what goes away says that the list follows.
  await page.getByRole('switch', { name: 'Remember' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('switch', { name: 'Always plan' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Reset all' }).click();
  await page.getByRole('button', { name: /changed: show no others$/ }).waitFor({ state: 'detached' });
  await page.getByRole('switch', { name: 'Remember' }).waitFor();
  await keyboardIsSomewhere();
  expect(view.complaints).toEqual([]);
});
