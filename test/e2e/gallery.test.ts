/** Every scene of the gallery in a real Chromium, as small as the window is drawn: nothing complains, all has its room. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { openGallerySite, openScene, sceneNames } from '../visual/gallery-site.ts';
import { layoutFaults } from '../visual/layout.ts';

// Contrast, names and roles, both themes and longer texts: `npm run screens`, which takes minutes.
test('no scene complains or leaves anything without room', { timeout: 300_000 }, async () => {
  const folder = temporaryFolder();
  const browser = await launchChromium();
  const site = await openGallerySite({ folder: join(folder.path, 'site') });
  try {
    const faults: string[] = [];
    for (const scene of await sceneNames(browser, site)) {
      const { page, complaints } = await openScene(browser, site, scene, {
        theme: 'dark',
        viewport: { width: 900, height: 600 },
      });
      faults.push(...[...complaints, ...(await layoutFaults(page))].map((fault) => `${scene}: ${fault}`));
      await page.context().close();
    }
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
    await site.close();
    folder.remove();
  }
});
