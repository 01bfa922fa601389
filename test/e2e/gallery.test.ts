/** Every scene of the gallery in a real Chromium, as small as the window is drawn: nothing complains, all has its room. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { GalleryPage, openGallerySite, themes } from '../visual/gallery-site.ts';
import { layoutFaults } from '../visual/layout.ts';

const size = { width: 900, height: 600 };

// Each scene in one theme, which alternates. Both themes of each, at two sizes: `npm run screens -- --check`.
test('no scene complains, leaves anything without room or violates a rule of axe', async () => {
  const folder = temporaryFolder();
  const browser = await launchChromium();
  const site = await openGallerySite({ folder: join(folder.path, 'site') });
  try {
    const gallery = await GalleryPage.open(browser, site);
    const names = await gallery.names();
    expect(names.length).toBeGreaterThan(100);
    const faults: string[] = [];
    for (const [index, scene] of names.entries()) {
      await gallery.show({ scene, theme: themes[index % themes.length] ?? 'dark', size });
      const found = [...(await layoutFaults(gallery.page)), ...(await gallery.violations())];
      faults.push(...[...gallery.complaints(), ...found].map((fault) => `${scene}: ${fault}`));
    }
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
    await site.close();
    folder.remove();
  }
}, 300_000);
