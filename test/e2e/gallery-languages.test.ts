/** Every scene of the gallery in other languages, as small as the window is drawn: all has its room, nothing stays English. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import {
  GalleryPage,
  lookAtAll,
  openGallerySite,
  themes,
  type DrawnLanguage,
  type GallerySite,
  type NamedLook,
} from '../visual/gallery-site.ts';
import { directionFaults } from '../visual/direction.ts';
import { layoutFaults } from '../visual/layout.ts';
import { leftBehind } from '../visual/spoken-words.ts';

/** Minutes on a slow machine: every scene is looked at. */
const patience = 1_200_000;

let folder: ReturnType<typeof temporaryFolder>;
let browser: Browser;
let site: GallerySite;
let names: string[];
beforeAll(async () => {
  folder = temporaryFolder();
  browser = await launchChromium();
  site = await openGallerySite({ folder: join(folder.path, 'site') });
  const index = await GalleryPage.open(browser, site);
  names = await index.names();
  await index.page.context().close();
}, patience);
afterAll(async () => {
  await browser.close();
  await site.close();
  folder.remove();
});

const looksIn = (language: DrawnLanguage): NamedLook[] =>
  names.map((scene, at) => ({
    name: scene,
    scene,
    language,
    theme: themes[at % themes.length] ?? 'dark',
    size: { width: 900, height: 600 },
  }));

/** What looks long at a scene looks at some of them: every one is looked at in English, and no scene has words of its own. */
const every = (nth: number, looks: readonly NamedLook[]): ReadonlySet<NamedLook> =>
  new Set(looks.filter((_, at) => at % nth === 0));

async function violations(gallery: GalleryPage): Promise<string[]> {
  await gallery.leaveOutRows();
  return gallery.violations();
}

test(
  'Every scene has its room in German and violates no rule of axe (lang-4)',
  async () => {
    const looks = looksIn('de');
    const seen = every(6, looks);
    const faults = await lookAtAll(browser, site, looks, async (gallery, look) => [
      ...(await layoutFaults(gallery.page)),
      ...(seen.has(look) ? await violations(gallery) : []),
    ]);
    expect(faults).toEqual([]);
  },
  patience,
);

test(
  'A change of language leaves no word of the old one, and every scene has room for a third more (lang-4)',
  async () => {
    const looks = looksIn('long');
    const changed = every(3, looks);
    const faults = await lookAtAll(browser, site, looks, async (gallery, look) => [
      ...(await layoutFaults(gallery.page)),
      // Last, as it draws another language.
      ...(changed.has(look) ? await leftBehind(gallery, look) : []),
    ]);
    expect(faults).toEqual([]);
  },
  patience,
);

test(
  'In a window from right to left code runs from the left, arrows point the other way and nothing is cut off',
  async () => {
    const looks = looksIn('en').map((look) => ({ ...look, mirrored: true }));
    const faults = await lookAtAll(browser, site, looks, async ({ page }) => [
      ...(await layoutFaults(page)),
      ...(await directionFaults(page)),
    ]);
    expect(faults).toEqual([]);
  },
  patience,
);
