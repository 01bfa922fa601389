/** The changes of a turn are looked at one by one, and kept or put back, by clicks and by keys. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { launchQuickDemo, type OpenWindow, type WebApp } from './launch-web.ts';
import type { AndironPage } from './page.ts';

let browser: Browser;
let app: WebApp & { workspace: string };
let view: OpenWindow;
let window: AndironPage;
let dialog: Locator;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  app = await launchQuickDemo(browser);
  view = await app.open();
  ({ window } = view);
  await window.ready();
  dialog = window.page.getByRole('dialog');
});
afterEach(async () => {
  await view.close();
  await app.close();
});

const firstLines = (path: string): string[] =>
  readFileSync(join(app.workspace, path), 'utf8').split('\n').slice(0, 3);

/** Two lines of the readme and one of another file, in one turn. */
async function change(): Promise<{ readme: string[]; other: string[] }> {
  const before = { readme: firstLines('README.md'), other: firstLines('package.json') };
  await window.ask('Run "sed -i -e 1s/$/XX/ -e 3s/$/YY/ README.md; sed -i 1s/$/ZZ/ package.json"');
  await window.allow();
  await window.transcript.getByRole('button', { name: '2 files changed' }).waitFor();
  await window.turnEnded();
  return before;
}

test('a change is put back by a click, and can be had again', async () => {
  const { readme } = await change();
  const row = window.transcript.getByRole('region', { name: 'Changed 2 files' });
  await window.showChanges();
  await row.getByRole('button', { name: 'Review changes' }).click();
  await dialog.getByText('1 of 2 changes').waitFor();
  await expect.poll(() => dialog.getByText('1 of 2 files').count()).toBe(1);
  await dialog.getByRole('button', { name: 'Undo this change' }).click();
  await dialog.getByText('1 of 1 change', { exact: true }).waitFor();
  expect(firstLines('README.md')).toEqual([readme[0], readme[1], `${readme[2] ?? ''}YY`]);
  await dialog.getByRole('button', { name: 'Redo that change' }).click();
  await dialog.getByText('1 of 2 changes').waitFor();
  expect(firstLines('README.md')[0]).toBe(`${readme[0] ?? ''}XX`);
  expect(await window.axe()).toEqual([]);
});

test('all of a turn is gone through by keys, from the first change to the last of the last file', async () => {
  const { readme, other } = await change();
  const { keyboard } = window.page;
  await window.message.focus();
  await keyboard.press('Alt+r');
  await dialog.getByText('1 of 2 changes').waitFor();
  await keyboard.press('k');
  await dialog.getByText('2 of 2 changes').waitFor();
  await keyboard.press('u');
  await dialog.getByText('1 of 1 change', { exact: true }).waitFor();
  await keyboard.press('k');
  await dialog.getByText('2 of 2 files').waitFor();
  await dialog.getByRole('button', { name: 'Keep and close' }).waitFor();
  await keyboard.press('u');
  await dialog.getByText('The file is the same now.').waitFor();
  await keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(firstLines('README.md')).toEqual([`${readme[0] ?? ''}XX`, readme[1], readme[2]]);
  expect(firstLines('package.json')).toEqual(other);
});

test('a change of a file that was written outside since is not put back, and why is said', async () => {
  await change();
  await window.message.focus();
  await window.page.keyboard.press('Alt+r');
  await dialog.getByText('1 of 2 changes').waitFor();
  writeFileSync(join(app.workspace, 'README.md'), 'mine\n');
  await window.page.keyboard.press('u');
  await dialog.getByText(/^Changed outside Andiron since/).waitFor();
  expect(firstLines('README.md')[0]).toBe('mine');
  await expect.poll(() => dialog.getByRole('button', { name: 'Undo this change' }).count()).toBe(0);
});
