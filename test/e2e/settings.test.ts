/** The settings in a real browser: found by words, used by keyboard, and what they do is done. */
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { launchQuickDemo, type OpenWindow, type WebApp } from './launch-web.ts';

let browser: Browser;
let app: WebApp;
let view: OpenWindow;
beforeAll(async () => {
  browser = await launchChromium();
  app = await launchQuickDemo(browser);
});
afterAll(async () => {
  await app.close();
  await browser.close();
});
beforeEach(async () => {
  view = await app.open({ viewport: { width: 900, height: 600 } });
  await view.window.ready();
});
afterEach(async () => {
  await view.close();
});

async function openSettings(page: Page, find?: string): Promise<void> {
  await page.keyboard.press('Control+,');
  await page.getByRole('main', { name: 'Settings' }).waitFor();
  if (find === undefined) return;
  await page.keyboard.press('Control+f');
  await page.keyboard.type(find);
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
}

/** The row that was looked for, with the keyboard in it. */
const sought = (page: Page) => page.locator('[data-sought]:focus-within, [data-sought]:focus');

test('a row is found by other words, and has the keyboard and is in view at 900 by 600', async () => {
  const { page } = view.window;
  await openSettings(page, 'keep whole');
  await sought(page).waitFor();
  await expect.poll(() => sought(page).innerText()).toContain('Keep whole');
  const box = await sought(page).boundingBox();
  expect(box?.y).toBeGreaterThan(36);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(572);
  expect(view.complaints).toEqual([]);
});

test('every section is reached by arrow keys, fits at the largest text, and has no axe violation', async () => {
  const { page } = view.window;
  await openSettings(page, 'font bigger');
  await sought(page).waitFor();
  for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  expect(await page.getByRole('radio', { name: 'Largest' }).isChecked()).toBe(true);
  expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('17px');
  const tabs = page.getByRole('tablist', { name: 'Settings' }).getByRole('tab');
  await tabs.first().click();
  for (let at = 0; at < (await tabs.count()); at += 1) {
    await expect.poll(() => tabs.nth(at).getAttribute('aria-selected')).toBe('true');
    expect(await tabs.nth(at).evaluate((tab) => tab === document.activeElement)).toBe(true);
    // Nothing goes beyond the window: only a table or code may scroll in itself.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(900);
    expect({ at, found: await view.window.axe() }).toEqual({ at, found: [] });
    await page.keyboard.press('ArrowDown');
  }
  // Kept for the next window.
  await page.reload();
  await view.window.ready();
  expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('17px');
  await openSettings(page, 'text size');
  await sought(page).waitFor();
  for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  expect(await page.getByRole('radio', { name: 'Normal' }).isChecked()).toBe(true);
  expect(view.complaints).toEqual([]);
});

test.each(['English', 'Deutsch'])('at 900 by 600 every section is named in full in %s', async (language) => {
  const { page } = view.window;
  await openSettings(page, 'language');
  await page.getByText(language, { exact: true }).click();
  const tabs = page.getByRole('main', { name: /^(Settings|Einstellungen)$/ }).getByRole('tab', { name: /./ });
  const room = () =>
    tabs.evaluateAll((all) =>
      all
        .filter((tab) => tab.parentElement?.getAttribute('aria-orientation') === 'vertical')
        .map((tab) => ({
          isNamed: (tab.querySelector('span')?.getBoundingClientRect().width ?? 0) > 20,
          isWhole: tab.scrollWidth <= tab.clientWidth,
        })),
    );
  await expect.poll(async () => (await room()).length).toBeGreaterThan(10);
  await expect.poll(async () => (await room()).filter((tab) => !tab.isNamed || !tab.isWhole)).toEqual([]);
  await tabs.nth(1).click();
  await page.getByRole('table').nth(1).waitFor();
  const tables = page.getByRole('table');
  const beyond = await tables.evaluateAll((all) =>
    all.filter((table) => table.getBoundingClientRect().right > 900),
  );
  expect(beyond).toEqual([]);
  await tabs.nth(6).click();
  await page.getByText('English', { exact: true }).click();
});

test('no field lies on its label in the smallest window', async () => {
  const { page } = view.window;
  await openSettings(page);
  await page.setViewportSize({ width: 640, height: 480 });
  const field = await page.getByRole('textbox', { name: 'Name', exact: true }).boundingBox();
  const label = await page.getByText('Shown in the composer and the list.').boundingBox();
  expect((label?.x ?? 0) + (label?.width ?? 0)).toBeLessThanOrEqual(field?.x ?? 0);
  expect(label?.height).toBeLessThan(80);
});

test('storage is measured, compacted and exported', async () => {
  const { page } = view.window;
  await writeFile(join(app.dataDir, 'left-over'), 'x'.repeat(3 * 1024 * 1024));
  await openSettings(page, 'vacuum');
  const row = (name: string) => page.locator('dl > div').filter({ hasText: name }).locator('dd').first();
  await expect.poll(() => row('Profiles and the rest').innerText()).toMatch(/^3 MB$/);
  await expect.poll(() => row('Free on this disk').innerText()).toMatch(/ [GM]B$/);
  await expect.poll(() => sought(page).getByRole('button', { name: 'Shrink' }).isVisible()).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByText(/There was nothing to free|This freed/).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^andiron-\d{4}-\d\d-\d\d\.json$/);
  await access(await file.path());
  await page.getByText(/^Handed to the browser: /).waitFor();
  expect(view.complaints).toEqual([]);
});

test('about names the version, whose work is in it, and what to tell about a fault', async () => {
  const { page } = view.window;
  await openSettings(page, 'open source');
  await page.getByText('0.1.0').first().waitFor();
  const licence = page.locator('summary').filter({ has: page.getByText('react-dom', { exact: true }) });
  await licence.click();
  const words = await page.getByRole('group', { name: 'Licence of react-dom' }).innerText();
  expect(words).toContain('Permission is hereby granted');
  const diagnostics = await page.getByRole('group', { name: 'Diagnostics' }).innerText();
  expect(diagnostics).toMatch(/^Andiron +0\.1\.0/m);
  expect(diagnostics).toMatch(/^Ollama +\d+\.\d+/m);
  expect(view.complaints).toEqual([]);
});
