/** Every scene of the gallery in a real Chromium, as small as the window is drawn: nothing complains, all has its room. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { GalleryPage, openGallerySite, themes, type GallerySite } from '../visual/gallery-site.ts';
import { layoutFaults } from '../visual/layout.ts';
import { scrollFaults } from '../visual/scroll-faults.ts';

const size = { width: 900, height: 600 };

let folder: ReturnType<typeof temporaryFolder>;
let browser: Browser;
let site: GallerySite;
beforeAll(async () => {
  folder = temporaryFolder();
  browser = await launchChromium();
  site = await openGallerySite({ folder: join(folder.path, 'site') });
});
afterAll(async () => {
  await browser.close();
  await site.close();
  folder.remove();
});

/** Each scene in one theme, which alternates. Both themes of each, at two sizes: `npm run screens -- --check`. */
async function lookAtScenes(look: (gallery: GalleryPage) => Promise<string[]>): Promise<string[]> {
  const gallery = await GalleryPage.open(browser, site);
  const names = await gallery.names();
  expect(names.length).toBeGreaterThan(100);
  const faults: string[] = [];
  for (const [index, scene] of names.entries()) {
    await gallery.show({ scene, theme: themes[index % themes.length] ?? 'dark', size });
    const found = await look(gallery);
    faults.push(...[...gallery.complaints(), ...found].map((fault) => `${scene}: ${fault}`));
  }
  await gallery.page.close();
  return faults;
}

test('no scene complains, leaves anything without room or violates a rule of axe', async () => {
  const faults = await lookAtScenes(async (gallery) => [
    ...(await layoutFaults(gallery.page)),
    ...(await gallery.violations()),
  ]);
  expect(faults).toEqual([]);
}, 300_000);

test('going to any place of any scene moves nothing but what a person can scroll back (audit-U1)', async () => {
  expect(await lookAtScenes((gallery) => scrollFaults(gallery.page))).toEqual([]);
}, 300_000);
