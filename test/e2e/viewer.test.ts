/** A picture larger than the window, in a real Chromium: zoom and pan stand on the layout and on the wheel of a browser. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { GalleryPage, openGallerySite, type GallerySite } from '../visual/gallery-site.ts';

const folder = temporaryFolder();
let browser: Browser;
let site: GallerySite;
let gallery: GalleryPage;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  site = await openGallerySite({ folder: join(folder.path, 'site') });
  gallery = await GalleryPage.open(browser, site);
  page = gallery.page;
});
afterAll(async () => {
  await browser.close();
  await site.close();
  folder.remove();
});

/** 6,000 × 1,200 in a window of 900 × 600. */
beforeEach(async () => {
  await gallery.show({ scene: null, theme: 'dark', size: { width: 900, height: 600 } });
  await gallery.show({ scene: 'files-viewer-huge', theme: 'dark', size: { width: 900, height: 600 } });
  await zoomed('Fitted');
});

const zoomed = (words: string): Promise<void> =>
  page.getByRole('dialog').getByRole('status').filter({ hasText: words }).waitFor();

/** The stage, and where in the picture (in shares of it) a point of the window is. */
function seen(x = 450, y = 300) {
  return page.getByRole('group', { name: /^Picture/ }).evaluate(
    (stage, at) => {
      const picture = stage.querySelector('img')?.getBoundingClientRect() ?? new DOMRect();
      const area = stage.getBoundingClientRect();
      return {
        left: stage.scrollLeft,
        hidden: stage.scrollWidth - stage.clientWidth + stage.scrollHeight - stage.clientHeight,
        width: picture.width,
        inside: picture.left >= area.left && picture.right <= area.right,
        shareX: (at.x - picture.left) / picture.width,
        shareY: (at.y - picture.top) / picture.height,
      };
    },
    { x, y },
  );
}

test('it fits at first; of its own size the middle stays in the middle, and arrow keys move it and turn no page', async () => {
  expect(await seen()).toMatchObject({ hidden: 0, inside: true });
  await page.keyboard.press('1');
  await zoomed('100 %');
  const whole = await seen();
  expect(whole.width).toBe(6000);
  expect(whole.shareX).toBeCloseTo(0.5, 2);
  await page.keyboard.press('ArrowRight');
  expect((await seen()).left).toBe(whole.left + 64);
  await page.getByText('4 of 9').waitFor();
  expect(await gallery.violations()).toEqual([]);
  await page.keyboard.press('0');
  await zoomed('Fitted');
  expect(await seen()).toMatchObject({ hidden: 0, inside: true });
});

test('the wheel with Ctrl enlarges it around the pointer, and the page stays as it is', async () => {
  await page.keyboard.press('1');
  await zoomed('100 %');
  const before = await seen(200, 200);
  await page.mouse.move(200, 200);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await zoomed('141 %');
  const after = await seen(200, 200);
  expect(after.width).toBeGreaterThan(before.width);
  expect(after.shareX).toBeCloseTo(before.shareX, 3);
  expect(after.shareY).toBeCloseTo(before.shareY, 3);
  expect(await page.evaluate(() => visualViewport?.scale)).toBe(1);
});

test('it is drawn along by the mouse, and two clicks fit it again', async () => {
  await page.keyboard.press('1');
  await zoomed('100 %');
  const { left } = await seen();
  await page.mouse.move(450, 300);
  await page.mouse.down();
  await page.mouse.move(350, 300, { steps: 4 });
  await page.mouse.up();
  expect((await seen()).left).toBe(left + 100);
  await page.mouse.move(250, 300);
  expect((await seen()).left).toBe(left + 100);
  await page.mouse.dblclick(450, 300);
  await zoomed('Fitted');
});
