/** The first task by keyboard alone: the mouse is never used, and the keyboard is always somewhere a person can see. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { launchQuickDemo, type OpenWindow, type WebApp } from './launch-web.ts';
import type { AndironPage } from './page.ts';

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

/** On a session of its own: each window begins with a new one. */
let view: OpenWindow;
beforeEach(async () => {
  view = await app.open();
  await view.window.ready();
});
afterEach(async () => {
  await view.close();
});

/** Where the keyboard is, as a screen reader would call it; fails where it is nowhere or cannot be seen. */
async function keyboardPlace(page: Page): Promise<string> {
  const place = await page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body)
      return { name: '', lost: true, shown: false };
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    const box = element.getBoundingClientRect();
    // A radio button shows it on its label.
    const style = getComputedStyle(label ?? element);
    // The message box shows the focus on its frame.
    const frame = getComputedStyle(element.closest('.field') ?? element);
    const ringed = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0;
    return {
      name: (element.getAttribute('aria-label') ?? label?.innerText ?? element.innerText)
        .replaceAll(/\s+/g, ' ')
        .trim(),
      lost: false,
      shown: box.width > 0 && box.height > 0 && (ringed || frame.borderColor !== 'rgba(0, 0, 0, 0)'),
    };
  });
  expect(place).toMatchObject({ lost: false, shown: true });
  return place.name;
}

async function press(page: Page, key: string): Promise<string> {
  await page.keyboard.press(key);
  return keyboardPlace(page);
}

/** Goes on with Tab, or back with Shift+Tab, until the keyboard is on what is wanted. */
async function tabTo(page: Page, wanted: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < 40; step += 1) {
    const place = await press(page, key);
    if (wanted.test(place)) return;
    passed.push(place);
  }
  throw new Error(`${key} does not lead to ${String(wanted)}, only to: ${passed.join(' | ')}`);
}

async function say(window: AndironPage, words: string): Promise<void> {
  expect(await keyboardPlace(window.page)).toBe('Message');
  await window.page.keyboard.type(words);
  await window.page.keyboard.press('Enter');
  await window.stop.waitFor();
}

/** Waits until the keyboard is where the window should have put it. */
async function focused(locator: Locator): Promise<void> {
  await expect.poll(() => locator.evaluate((element) => element === document.activeElement)).toBe(true);
}

test('a question is asked, its call opened and its answer read', async () => {
  const { window } = view;
  const { page } = window;
  await press(page, 'Alt+n');
  await say(window, 'What is in this folder? Read the readme and tell me what it does.');
  await window.turnEnded();
  await tabTo(page, /README\.md/, 'Shift+Tab');
  await press(page, 'Enter');
  const card = window.transcript.getByRole('button', { name: /README\.md/ });
  expect(await card.getAttribute('aria-expanded')).toBe('true');
  await press(page, 'Space');
  expect(await card.getAttribute('aria-expanded')).toBe('false');
  expect(await press(page, 'Control+Shift+M')).toBe('Message');
});

test('a command is declined, then allowed, and the message box has the keyboard again each time', async () => {
  const { window } = view;
  const { page } = window;
  const question = window.transcript.getByRole('region', { name: 'Approval' });
  await say(window, 'Run the tests');
  await question.waitFor();
  await focused(question);
  await keyboardPlace(page);
  // The card does not listen to keys that were meant for something else.
  await expect
    .poll(async () => {
      await page.keyboard.press('d');
      return question.count();
    })
    .toBe(0);
  await window.turnEnded();
  await focused(window.message);
  expect(await window.message.inputValue()).toMatch(/^d*$/);
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');

  await say(window, 'Run the tests');
  await question.waitFor();
  await focused(question);
  await tabTo(page, /^Allow once/);
  await page.keyboard.press('Enter');
  await window.transcript.getByText('All 5 tests pass.').waitFor();
  await window.turnEnded();
  await focused(window.message);
});

test('a turn is stopped with Escape, and what to do next is one Tab away', async () => {
  const { window } = view;
  const { page } = window;
  await say(window, 'Take your time.');
  const remove = page.getByRole('button', { name: 'Remove the queued message' });
  await page.keyboard.type('And then this');
  // Until the host has taken the first message, the second stays in the box.
  await expect
    .poll(async () => {
      await page.keyboard.press('Enter');
      return remove.count();
    })
    .toBe(1);
  await tabTo(page, /^Remove the queued message/, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await remove.waitFor({ state: 'detached' });
  await focused(window.message);
  await press(page, 'Escape');
  await window.turnEnded();
  await window.transcript.getByText(/^Stopped/).waitFor();
  await press(page, 'Control+Shift+M');
  await tabTo(page, /^Put the message back/, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await focused(window.message);
  expect(await window.message.inputValue()).toBe('Take your time.');
});

test('the settings open, change and close, and the model is chosen from its chip', async () => {
  const { window } = view;
  const { page } = window;
  await page.keyboard.press('Control+Comma');
  const settings = page.getByRole('main', { name: 'Settings' });
  await settings.waitFor();
  await focused(settings.getByRole('tab', { name: /^Profiles/ }));
  for (const section of ['Models', 'Engine', 'Approvals', 'Appearance']) {
    expect(await press(page, 'ArrowDown')).toMatch(new RegExp(`^${section}`));
  }
  await tabTo(page, /^System$/);
  expect(await press(page, 'ArrowRight')).toBe('Dark');
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  await press(page, 'Escape');
  await focused(window.message);

  await tabTo(page, /^Model:/);
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await press(page, 'ArrowDown');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await keyboardPlace(page)).toMatch(/^Model:/);
});
