/** The frame of the window in a real Chromium: columns, title, sizes, and what the list keeps. */
import type { Browser, Locator } from 'playwright-core';
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
beforeEach(async () => {
  view = await app.open();
  await view.window.ready();
});
afterEach(() => view.close());

async function box(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const found = await locator.boundingBox();
  if (!found) throw new Error(`${String(locator)} is not shown.`);
  return found;
}

test('the list of sessions is dragged, moved by keys, taken back by a double click and remembered', async () => {
  const { page } = view.window;
  const sessions = page.getByRole('navigation', { name: 'Sessions' });
  const edge = page.getByRole('separator', { name: 'Width of the sessions' });
  expect((await box(sessions)).width).toBe(240);

  const at = await box(edge);
  await page.mouse.move(at.x + 3, at.y + 200);
  await page.mouse.down();
  await page.mouse.move(at.x + 53, at.y + 220, { steps: 4 });
  await page.mouse.up();
  expect((await box(sessions)).width).toBe(290);

  await edge.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => edge.getAttribute('aria-valuenow')).toBe('330');

  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('andiron.ui')))
    .toContain('"columns":{"left":330}');
  await page.reload();
  await view.window.ready();
  expect((await box(sessions)).width).toBe(330);

  await edge.dblclick();
  await expect.poll(async () => (await box(sessions)).width).toBe(240);
});

test.each([
  [1920, 1080],
  [1200, 800],
  [1100, 700],
  [900, 600],
  [640, 480],
])('at %i x %i nothing runs out of the window and the message box can be used', async (width, height) => {
  const { window } = view;
  const { page } = window;
  await window.ask('What is in this folder? Read the readme and tell me what it does.');
  await window.turnEnded();
  await page.setViewportSize({ width, height });
  const inside = async (locator: Locator): Promise<void> => {
    const found = await box(locator);
    expect(found.x).toBeGreaterThanOrEqual(0);
    expect(found.x + found.width).toBeLessThanOrEqual(width);
    expect(found.y + found.height).toBeLessThanOrEqual(height);
  };
  await inside(window.message);
  await inside(window.send);
  await inside(page.getByRole('button', { name: /^(?:Show|Hide) the sessions$/ }));
  await inside(window.transcript);
  expect((await box(window.transcript)).height).toBeGreaterThan(120);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBe(0);
  // What stands side by side in a bar does not lie over its neighbour.
  const overlaps = await page.evaluate(() => {
    const found: string[] = [];
    for (const bar of document.querySelectorAll(
      'header:not(main *), footer:not(nav *, main *), textarea ~ div:has(> button)',
    )) {
      const parts = [...bar.children]
        .map((part) => part.getBoundingClientRect())
        .filter(({ width }) => width > 0);
      const edge = bar.getBoundingClientRect().right;
      for (const [at, part] of parts.entries()) {
        const next = parts[at + 1];
        if (next && part.right > next.left + 0.5) found.push(`${bar.className}: ${at}`);
        if (part.right > edge + 0.5) found.push(`${bar.className}: ${at} beyond its edge`);
      }
    }
    return found;
  });
  expect(overlaps).toEqual([]);
  expect(await window.axe()).toEqual([]);
});

test('a session is renamed in the title bar, by F2 and by a click', async () => {
  const { window } = view;
  const { page } = window;
  await window.ask('What is in this folder? Read the readme and tell me what it does.');
  await window.turnEnded();
  await page.keyboard.press('F2');
  const field = page.getByRole('banner').getByRole('textbox', { name: 'Session title' });
  await field.fill('Lantern house');
  await field.press('Enter');
  const title = page.getByRole('heading', { level: 1, name: 'Lantern house' });
  await title.waitFor();
  await window.sessions
    .getByRole('button', { name: /^Lantern house/ })
    .first()
    .waitFor();
  await title.getByRole('button').click();
  await field.press('Escape');
  await expect.poll(() => title.innerText()).toBe('Lantern house');
  expect(view.complaints).toEqual([]);
});

test('a session that ends behind another one is marked until it is opened, also after a reload', async () => {
  const { window } = view;
  const { page } = window;
  await window.ask('Run the tests');
  await window.approval.waitFor();
  const row = window.sessions.locator('[data-row]').first().getByRole('button').first();
  const name = (await page.getByRole('heading', { level: 1 }).innerText()).trim();
  await page.getByRole('button', { name: 'New session', exact: false }).first().click();
  await expect
    .poll(() => window.sessions.getByRole('button', { name: new RegExp(`^${name} asks`) }).count())
    .toBe(1);
  await row.waitFor();
  const other = await app.open();
  await other.window.ready();
  await other.window.sessions.getByRole('button', { name: new RegExp(`^${name} asks`) }).click();
  await other.window.allow();
  await other.window.turnEnded();
  await other.close();
  const done = window.sessions.getByRole('button', { name: new RegExp(`^${name} done`) });
  await done.waitFor();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('andiron.ui'))).toMatch(/"unread":\["/);
  await page.reload();
  await done.click();
  await done.waitFor({ state: 'detached' });
});

test('a file dropped on the list that is no session is refused beside it', async () => {
  const { page } = view.window;
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['{"holiday": true}'], 'holiday.json', { type: 'application/json' }));
    return data;
  });
  const list = page.getByRole('navigation', { name: 'Sessions' });
  await list.dispatchEvent('dragover', { dataTransfer: transfer });
  await page.getByText('Drop exported sessions here').waitFor();
  await list.dispatchEvent('drop', { dataTransfer: transfer });
  const told = list.getByRole('alert');
  await told.getByText('holiday.json could not be imported').waitFor();
  await told.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(() => told.innerText()).toBe('');
  expect(view.complaints).toEqual([]);
});

test('the application menu is at the left of the title bar and runs what it names', async () => {
  const { page } = view.window;
  const button = page.getByRole('button', { name: 'Application menu' });
  expect((await box(button)).x).toBeLessThan(20);
  await button.click();
  await page.getByRole('menuitem', { name: 'View' }).click();
  await page.getByRole('menuitem', { name: /^Show or hide the files changed/ }).click();
  await page.getByRole('complementary', { name: 'Files changed' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: 'Files changed' }).waitFor({ state: 'detached' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.locator('[role=menuitem]:focus').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('menuitem', { name: /^Command palette/ }).click();
  await expect.poll(() => page.locator(':focus').getAttribute('role')).toBe('combobox');
  await page.keyboard.press('Escape');
});

test('a file that was read says by a right click where it is', async () => {
  const { window } = view;
  const { page } = window;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await window.ask('What is in this folder? Read the readme and tell me what it does.');
  await window.turnEnded();
  await window.showWork();
  await page.getByRole('button', { name: /^Read\s*README\.md/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy path' }).click();
  await page.getByText(/^Copied: \/.*\/README\.md$/).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\/.*\/README\.md$/);
});
