/** A whole task by keyboard alone: no mouse, no focus by script, and after every key the keyboard can be seen. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { go, isAt, place, press, type } from './keyboard-person.ts';
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

let view: OpenWindow;
let window: AndironPage;
let page: Page;
async function open(options?: Parameters<WebApp['open']>[0]): Promise<void> {
  view = await app.open(options);
  ({ window } = view);
  ({ page } = window);
  await window.ready();
}
beforeEach(() => open());
afterEach(async () => {
  await view.close();
});

async function chooseProfile(name: string): Promise<void> {
  await go(page, 'Tab', /^Profile:/);
  await page.keyboard.press('Enter');
  // Opened by a key, a menu begins at an item; a key that comes before would be the trigger's.
  await page.locator('[role=menuitemradio][data-highlighted]').waitFor();
  await go(page, 'ArrowDown', new RegExp(`^${name}`));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Profile: ${name}` }).waitFor();
  await isAt(page, page.getByRole('button', { name: `Profile: ${name}` }));
}

async function say(words: string): Promise<void> {
  await isAt(page, window.message);
  await type(page, words);
  await page.keyboard.press('Enter');
  await window.stop.waitFor();
}

test('a session from its first message to another profile, and the theme from the palette', async () => {
  expect(await press(page, 'Alt+n')).toBe('Message');
  await chooseProfile('Reader');
  await press(page, 'Shift+Tab');
  await chooseProfile('Developer');
  await press(page, 'Control+Shift+M');

  await say('Run the tests');
  const question = window.transcript.getByRole('region', { name: 'Approval' });
  await question.waitFor();
  await isAt(page, question);
  await go(page, 'Tab', /^Allow once/);
  await page.keyboard.press('Enter');
  await window.transcript.getByText('All 5 tests pass.').waitFor();
  await window.turnEnded();

  await say('Take your time.');
  expect(await press(page, 'Escape')).toBe('Message');
  await window.turnEnded();
  await window.transcript.getByText(/^Stopped/).waitFor();

  expect(await press(page, 'Alt+n')).toBe('Message');
  await press(page, 'Control+Shift+F');
  await isAt(page, page.getByRole('searchbox', { name: 'Search sessions' }));
  await type(page, 'run the tests');
  await window.sessions.getByRole('button', { name: /^Run the tests/ }).waitFor();
  expect(await press(page, 'ArrowDown')).toMatch(/^Run the tests/);
  await page.keyboard.press('Enter');
  await window.transcript.getByText('All 5 tests pass.').waitFor();
  await isAt(page, window.message);

  await page.keyboard.press('Control+Comma');
  const settings = page.getByRole('main', { name: 'Settings' });
  await isAt(page, settings.getByRole('tab', { name: /^Profiles/ }));
  await go(page, 'Tab', /^Developer/);
  await go(page, 'ArrowDown', /^Reader/);
  await settings
    .getByText(/re-reads .*tokens|nothing has been read yet/)
    .first()
    .waitFor();
  await go(page, 'Tab', /^Switch session/);
  await page.keyboard.press('Enter');
  await settings.getByText(/^In use in/).waitFor();
  await page.keyboard.press('Escape');
  await isAt(page, window.message);
  await page.getByRole('button', { name: 'Profile: Reader' }).waitFor();

  await page.keyboard.press('Control+k');
  await isAt(page, page.getByRole('combobox'));
  await type(page, 'dark theme');
  await expect.poll(() => page.getByRole('option', { selected: true }).innerText()).toBe('Dark theme');
  expect(await window.axe()).toEqual([]);
  await page.keyboard.press('Enter');
  await page.locator('html[data-theme=dark]').waitFor();
  await isAt(page, window.message);
  expect(view.complaints).toEqual([]);
});

test('keys are changed by keys, and hold at once and after a reload', async () => {
  await page.keyboard.press('Control+k');
  await isAt(page, page.getByRole('combobox'));
  await type(page, 'settings: shortcuts');
  await page.keyboard.press('Enter');
  const settings = page.getByRole('main', { name: 'Settings' });
  await isAt(page, settings.getByRole('tab', { name: 'Shortcuts' }));
  await go(page, 'Tab', /^New session/);
  await go(page, 'ArrowDown', /^Show or hide the sessions/);
  await page.keyboard.press('Enter');
  await settings.getByText('Press the new keys').first().waitFor();
  // It belongs to another command, which gets the old keys of this one.
  await page.keyboard.press('Control+j');
  expect(await place(page)).toMatch(/^Swap: “Show or hide the files changed” gets Ctrl B/);
  await page.keyboard.press('Enter');
  expect(await place(page)).toMatch(/^Show or hide the sessions Ctrl J/);
  await page.keyboard.press('Escape');
  await isAt(page, window.message);

  const search = page.getByRole('searchbox', { name: 'Search sessions' });
  await page.keyboard.press('Control+j');
  await search.waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+Slash');
  const sheet = page.getByRole('dialog', { name: 'Shortcuts' });
  await sheet.getByText('Ctrl J').first().waitFor();
  await place(page);
  expect(await window.axe()).toEqual([]);
  await page.keyboard.press('Escape');
  await isAt(page, window.message);
  // Storage is written a moment later, or when the page goes.
  await page.reload();
  await window.ready();
  await page.keyboard.press('Control+j');
  await search.waitFor();
  expect(view.complaints).toEqual([]);
});

test('a command is declined with one key, which hears nothing that was meant for the message', async () => {
  const question = window.transcript.getByRole('region', { name: 'Approval' });
  await say('Run the tests');
  await question.waitFor();
  await isAt(page, question);
  // The card does not listen to keys that were pressed as it came.
  await expect
    .poll(async () => {
      await page.keyboard.press('d');
      return question.count();
    })
    .toBe(0);
  await window.turnEnded();
  await isAt(page, window.message);
  await expect.poll(() => window.message.inputValue()).toMatch(/^d*$/);
});

test('a turn is stopped with Escape, and what to do next is one Tab away', async () => {
  await say('Take your time.');
  const remove = page.getByRole('button', { name: 'Remove the queued message' });
  await type(page, 'And then this');
  // Until the host has taken the first message, the second stays in the box.
  await expect
    .poll(async () => {
      await page.keyboard.press('Enter');
      return remove.count();
    })
    .toBe(1);
  await go(page, 'Shift+Tab', /^Remove the queued message/);
  await page.keyboard.press('Enter');
  await remove.waitFor({ state: 'detached' });
  await isAt(page, window.message);
  await press(page, 'Escape');
  await window.turnEnded();
  await window.transcript.getByText(/^Stopped/).waitFor();
  await press(page, 'Control+Shift+M');
  await go(page, 'Shift+Tab', /^Edit message/);
  await page.keyboard.press('Enter');
  await isAt(page, window.message);
  await expect.poll(() => window.message.inputValue()).toBe('Take your time.');
});

test('the settings open, change and close, and the model is chosen from its chip', async () => {
  await page.keyboard.press('Control+Comma');
  const settings = page.getByRole('main', { name: 'Settings' });
  await isAt(page, settings.getByRole('tab', { name: /^Profiles/ }));
  for (const section of ['Models', 'Connections', 'Collections', 'Engine', 'Approvals', 'Appearance']) {
    expect(await press(page, 'ArrowDown')).toMatch(new RegExp(`^${section}`));
  }
  await go(page, 'Tab', /^System$/);
  expect(await press(page, 'ArrowRight')).toBe('Dark');
  await page.locator('html[data-theme=dark]').waitFor();
  await press(page, 'Escape');
  await isAt(page, window.message);

  await go(page, 'Tab', /^Model:/);
  await page.keyboard.press('Enter');
  await page.locator('[role=menuitemradio][data-highlighted]').waitFor();
  await press(page, 'ArrowDown');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await place(page)).toMatch(/^Model:/);
});

test('a call is opened and closed, and every control is reached by Tab, in the order in which the window is read', async () => {
  await say('What is in this folder? Read the readme and tell me what it does.');
  await window.turnEnded();
  await window.showWork();
  const card = window.transcript.getByRole('button', { name: /README\.md/ });
  // Rows are drawn a frame after they are told.
  await card.waitFor();
  await go(page, 'Shift+Tab', /README\.md/);
  const isOpen = (): Promise<string | null> => card.getAttribute('aria-expanded');
  // Opened at the transcript's end, it grows beyond the end: its head stays where it is seen.
  expect(await press(page, 'Enter')).toMatch(/README\.md/);
  await expect.poll(isOpen).toBe('true');
  await page.keyboard.press('Space');
  await expect.poll(isOpen).toBe('false');
  expect(await press(page, 'Control+Shift+M')).toBe('Message');
  const regions = await tour();
  expect(regions.order).toEqual(regions.order.toSorted((a, b) => a - b));
  expect(new Set(regions.order).size).toBeGreaterThanOrEqual(4);
  expect(regions.missed).toEqual([]);
  expect(view.complaints).toEqual([]);
});

test('nothing moves for somebody who wants no motion', async () => {
  expect(await moving(page)).toBeGreaterThan(0);
  await view.close();
  await open({ reducedMotion: 'reduce' });
  expect(await moving(page)).toBe(0);
  await page.keyboard.press('Control+k');
  await isAt(page, page.getByRole('combobox'));
  expect(await moving(page)).toBe(0);
  expect(view.complaints).toEqual([]);
});

/** How many elements would take time to change, or move by themselves. */
function moving(page: Page): Promise<number> {
  return page.evaluate(() => {
    return [...document.querySelectorAll('*')].filter((element) => {
      const { transitionDuration, animationDuration, animationName } = getComputedStyle(element);
      const durations = [transitionDuration, animationName === 'none' ? '0s' : animationDuration];
      return durations.some((each) => each.split(',').some((duration) => Number.parseFloat(duration) > 0));
    }).length;
  });
}

/** With Tab through the whole window, from its beginning to its end. */
async function tour(): Promise<{ order: number[]; missed: string[] }> {
  await goOut('Shift+Tab');
  await page.evaluate(() => {
    const state = { seen: new Set<Element>(), order: [] as number[] };
    Object.assign(globalThis, { tour: state });
    const regions = ['header:not(main *)', 'nav', 'main', 'aside', 'footer'];
    document.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof Element)) return;
      state.seen.add(target);
      const region = regions.findIndex((selector) => target.closest(selector));
      if (region !== -1) state.order.push(region);
    });
  });
  await goOut('Tab');
  return page.evaluate(() => {
    const { tour: toured } = globalThis as unknown as { tour: { seen: Set<Element>; order: number[] } };
    const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    const missed = [...document.querySelectorAll<HTMLElement>(controls)].filter((control) => {
      const { width, height } = control.getBoundingClientRect();
      // One of several with one stop is reached by arrows.
      const roving = control.tabIndex < 0 && control.closest('[role=tablist], [role=radiogroup], ul');
      const off = control.matches(':disabled') || control.closest('[inert]') !== null;
      return !toured.seen.has(control) && width > 0 && height > 0 && !roving && !off;
    });
    return { order: toured.order, missed: missed.map((control) => control.outerHTML.slice(0, 160)) };
  });
}

/** Until the window ends: beyond it the keyboard is the browser's. */
async function goOut(key: 'Tab' | 'Shift+Tab'): Promise<void> {
  for (let step = 0; step < 150; step += 1) {
    await page.keyboard.press(key);
    if (await page.evaluate(() => document.activeElement === document.body)) return;
    await place(page);
  }
  throw new Error(`${key} does not lead out of the window.`);
}
