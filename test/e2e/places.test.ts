/** Ways to a place in the settings, pressed one by one: the place comes into view, and only its pane moves. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { someOf } from '../helpers/thorough.ts';
import { movedPlaces } from '../visual/scroll-faults.ts';
import { launchQuickDemo, type OpenWindow, type WebApp } from './launch-web.ts';

const [width, height] = [900, 600];

let browser: Browser;
let app: WebApp;
let view: OpenWindow;
let page: Page;
let settings: Locator;
beforeAll(async () => {
  browser = await launchChromium();
  app = await launchQuickDemo(browser);
});
afterAll(async () => {
  await app.close();
  await browser.close();
});
beforeEach(async () => {
  view = await app.open({ viewport: { width, height } });
  await view.window.ready();
  ({ page } = view.window);
  // The host has answered.
  await page.getByRole('button', { name: 'Profile: Developer' }).waitFor();
  await page.keyboard.press('Control+,');
  settings = page.getByRole('main', { name: 'Settings' });
  await settings.waitFor();
});
afterEach(() => view.close());

/** Title bar, navigation and bottom bar are where they were. */
async function frameStaysPut(pressed: string): Promise<void> {
  const [title, close, bar] = await Promise.all(
    [
      page.getByRole('banner'),
      settings.getByRole('button', { name: 'Done' }),
      page.getByRole('contentinfo'),
    ].map((part) => part.boundingBox()),
  );
  const bottom = (bar?.y ?? 0) + (bar?.height ?? 0);
  const moved = await movedPlaces(page);
  expect({ pressed, moved, title: title?.y, bottom }).toEqual({
    pressed,
    moved: [],
    title: 0,
    bottom: height,
  });
  expect(close?.y).toBeGreaterThan(0);
}

/** A tall one begins in view or reaches through it. */
async function placeOf(row: Locator): Promise<{ top: number; bottom: number; inView: boolean }> {
  const box = await row.boundingBox();
  const [top, bottom] = [box?.y ?? 0, (box?.y ?? 0) + (box?.height ?? 0)];
  return { top, bottom, inView: top < height - 28 && bottom > 36 };
}

test(
  'every hit of a settings search is shown by moving its pane alone (audit-U1)',
  { timeout: 900_000 },
  async () => {
    const seen = new Set<string>();
    for (const query of ['e', 'a', 'o']) {
      const options = page.getByRole('option');
      const find = async (): Promise<string[]> => {
        await page.keyboard.press('Control+f');
        await page.keyboard.type(query);
        await options.first().waitFor();
        return options.allInnerTexts();
      };
      for (const [at, hit] of someOf([...(await find()).entries()], 8)) {
        if (seen.has(hit)) continue;
        seen.add(hit);
        if ((await options.count()) === 0) await find();
        await options.nth(at).click();
        const row = page.locator('[data-sought]');
        await row.waitFor();
        await frameStaysPut(hit);
        // What the pane's new width moves is brought back in the frame after.
        await expect
          .poll(async () => ({ hit, ...(await placeOf(row)) }))
          .toMatchObject({ hit, inView: true });
      }
      await page.keyboard.press('Control+f');
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
    }
    expect(seen.size).toBeGreaterThan(12);
    expect(view.complaints).toEqual([]);
  },
);
