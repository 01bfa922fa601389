/** Every scene of the gallery in a real Chromium: nothing complains, axe finds nothing, everything has its room. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import {
  openGallerySite,
  openScene,
  sceneNames,
  themes,
  violations,
  type GallerySite,
} from '../visual/gallery-site.ts';
import { layoutFaults } from '../visual/layout.ts';

/** The smallest window that is designed. */
const smallest = { width: 900, height: 600 };
const longest = 300_000;

const folder = temporaryFolder();
let browser: Browser;
let site: GallerySite;
let longSite: GallerySite;
beforeAll(async () => {
  browser = await launchChromium();
  site = await openGallerySite({ folder: join(folder.path, 'site') });
  longSite = await openGallerySite({ folder: join(folder.path, 'long'), longTexts: true });
});
afterAll(async () => {
  await browser.close();
  await site.close();
  await longSite.close();
  folder.remove();
});

test.each(themes)(
  'no scene complains, breaks a rule of axe or leaves something without room: %s',
  async (theme) => {
    const faults: string[] = [];
    for (const scene of await sceneNames(browser, site)) {
      const { page, complaints } = await openScene(browser, site, scene, { theme, viewport: smallest });
      const found = [...complaints, ...(await violations(page)), ...(await layoutFaults(page))];
      faults.push(...found.map((fault) => `${scene}: ${fault}`));
      await page.close();
    }
    expect(faults).toEqual([]);
  },
  longest,
);

test(
  'texts a third longer still have their room in every scene',
  async () => {
    const faults: string[] = [];
    for (const scene of await sceneNames(browser, longSite)) {
      const { page } = await openScene(browser, longSite, scene, { theme: 'light', viewport: smallest });
      faults.push(...(await layoutFaults(page)).map((fault) => `${scene}: ${fault}`));
      await page.close();
    }
    expect(faults).toEqual([]);
  },
  longest,
);
