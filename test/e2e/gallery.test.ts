/** Every scene of the gallery in a real Chromium, as small as the window is drawn: nothing complains, all has its room. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { GalleryPage, lookAtAll, openGallerySite, themes, type GallerySite } from '../visual/gallery-site.ts';
import { layoutFaults } from '../visual/layout.ts';
import { scrollFaults } from '../visual/scroll-faults.ts';

const size = { width: 900, height: 600 };

let folder: ReturnType<typeof temporaryFolder>;
let browser: Browser;
let site: GallerySite;
let faults: Record<'drawn' | 'moved', string[]>;
beforeAll(async () => {
  folder = temporaryFolder();
  browser = await launchChromium();
  site = await openGallerySite({ folder: join(folder.path, 'site') });
  faults = await lookAtScenes();
}, 300_000);
afterAll(async () => {
  await browser.close();
  await site.close();
  folder.remove();
});

/** Each scene once, in one theme, which alternates. Both themes of each, at two sizes: `npm run screens -- --check`. */
async function lookAtScenes(): Promise<typeof faults> {
  const index = await GalleryPage.open(browser, site);
  const names = await index.names();
  await index.page.context().close();
  expect(names.length).toBeGreaterThan(100);
  const looks = names.map((scene, at) => ({
    name: scene,
    scene,
    theme: themes[at % themes.length] ?? 'dark',
    size,
  }));
  const moved: string[] = [];
  const drawn = await lookAtAll(browser, site, looks, async (gallery, { name }) => {
    const found = [...(await layoutFaults(gallery.page)), ...(await gallery.violations())];
    // Last, as it moves what it looks at.
    moved.push(...(await scrollFaults(gallery.page)).map((fault) => `${name}: ${fault}`));
    return found;
  });
  return { drawn, moved };
}

test('no scene complains, leaves anything without room or violates a rule of axe', () => {
  expect(faults.drawn).toEqual([]);
});

test('going to any place of any scene moves nothing but what a person can scroll back (audit-U1)', () => {
  expect(faults.moved).toEqual([]);
});
