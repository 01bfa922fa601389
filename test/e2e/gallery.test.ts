/** Every scene of the gallery in a real Chromium, as small as the window is drawn: nothing complains, all has its room. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { GalleryPage, lookAtAll, openGallerySite, themes, type GallerySite } from '../visual/gallery-site.ts';
import { directionFaults } from '../visual/direction.ts';
import { layoutFaults } from '../visual/layout.ts';
import { scrollFaults } from '../visual/scroll-faults.ts';

/** Minutes on a slow machine: every scene is looked at. */
const patience = 1_200_000;
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
}, patience);
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
    const found = [...(await layoutFaults(gallery.page)), ...(await directionFaults(gallery.page))];
    await gallery.leaveOutRows();
    found.push(...(await gallery.violations()));
    // Last, as it moves what it looks at.
    moved.push(...(await scrollFaults(gallery.page)).map((fault) => `${name}: ${fault}`));
    return found;
  });
  return { drawn, moved };
}

test('no scene complains, leaves anything without room, runs the wrong way or violates a rule of axe', () => {
  expect(faults.drawn).toEqual([]);
});

test('going to any place of any scene moves nothing but what a person can scroll back (audit-U1)', () => {
  expect(faults.moved).toEqual([]);
});

const wished = ['window-stopped', 'window-engine-spilled', 'settings-people', 'profile-tools', 'palette-all'];

test('text has seven to one for who asked for more contrast', async () => {
  const gallery = await GalleryPage.open(browser, site, { contrast: 'more' });
  const found: string[] = [];
  for (const [at, scene] of wished.entries()) {
    await gallery.show({ scene, theme: themes[at % themes.length] ?? 'dark', size });
    found.push(
      ...(await gallery.violations(['color-contrast-enhanced'])).map((fault) => `${scene}: ${fault}`),
    );
  }
  await gallery.page.context().close();
  expect(found).toEqual([]);
});

test('in a contrast theme of the system what is chosen, switched on or filled is seen without its background', async () => {
  const gallery = await GalleryPage.open(browser, site, { forcedColors: 'active' });
  const seen = { chosen: 0, switches: 0, boxes: 0, parts: 0 };
  const faults: string[] = [];
  for (const scene of wished) {
    await gallery.show({ scene, theme: 'dark', size });
    const found = await gallery.page.evaluate(unseenStates);
    faults.push(...found.faults.map((fault) => `${scene}: ${fault}`));
    for (const kind of ['chosen', 'switches', 'boxes', 'parts'] as const) seen[kind] += found.seen[kind];
  }
  await gallery.page.context().close();
  expect(faults).toEqual([]);
  // Nothing is proved by scenes that have none of it.
  expect(Object.values(seen).every((count) => count > 0)).toBe(true);
});

/** In the page. */
function unseenStates(): {
  faults: string[];
  seen: Record<'chosen' | 'switches' | 'boxes' | 'parts', number>;
} {
  const canvas = getComputedStyle(document.body).backgroundColor;
  const isFilled = (element: Element): boolean => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    return backgroundColor !== canvas || backgroundImage !== 'none';
  };
  const chosen = [...document.querySelectorAll('[aria-selected=true], [aria-current=page]')];
  const switches = [...document.querySelectorAll('[role=switch]')];
  const boxes = [...document.querySelectorAll('input[type=checkbox]:checked')];
  const parts = [...document.querySelectorAll('.bar > :not(.sr-only):not([class*="__free"])')];
  const faults = [
    ...chosen.filter((each) => getComputedStyle(each).outlineStyle === 'none'),
    // Their mark is drawn after a switch and before a box.
    ...[...switches, ...boxes].filter((each) => {
      const mark = getComputedStyle(each, each.role === 'switch' ? '::after' : '::before');
      return mark.backgroundColor === getComputedStyle(each).backgroundColor;
    }),
    ...parts.filter((each) => !isFilled(each)),
  ];
  return {
    faults: faults.map((each) => each.outerHTML.slice(0, 120)),
    seen: { chosen: chosen.length, switches: switches.length, boxes: boxes.length, parts: parts.length },
  };
}
