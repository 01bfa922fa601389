/**
 * Draws the gallery in a real Chromium and writes PNGs. Look at them before a change of the window is called done. Ends
 * with 1 when a page complained, axe found a violation or something has no room.
 *
 *   npm run screens -- [part of a scene's name …]   every scene, both themes, two sizes: to test/visual/artifacts
 *   npm run screens -- --docs                       the screens of the window, three sizes: to docs/screens
 *   npm run screens -- --long [part …]              with every text a third longer: to test/visual/artifacts/long
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../helpers/chromium.ts';
import { documented } from './documented.ts';
import {
  openGallerySite,
  openScene,
  sceneNames,
  themes,
  violations,
  type GallerySite,
  type Theme,
} from './gallery-site.ts';
import { layoutFaults } from './layout.ts';

const { values, positionals: parts } = parseArgs({
  options: { docs: { type: 'boolean', default: false }, long: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const artifacts = resolve(import.meta.dirname, 'artifacts');
const docs = resolve(import.meta.dirname, '../../docs/screens');
const folder = values.docs ? docs : values.long ? join(artifacts, 'long') : artifacts;

const workSizes = [
  { width: 1440, height: 900 },
  { width: 900, height: 600 },
];
const docsSizes = [
  { width: 900, height: 600 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

interface Shot {
  name: string;
  /** null = the index, as tall as it is. */
  scene: string | null;
  size: { width: number; height: number };
  theme: Theme;
}

const index = (theme: Theme): Shot => ({
  name: `gallery-${theme}`,
  scene: null,
  size: { width: 1440, height: 900 },
  theme,
});

function shotsOf(names: readonly string[]): Shot[] {
  const scenes = values.docs ? names.filter((name) => documented.includes(name)) : names;
  const sizes = values.docs ? docsSizes : workSizes;
  const shots = themes.flatMap((theme) => [
    ...(values.docs ? [] : [index(theme)]),
    ...scenes.flatMap((scene) =>
      sizes.map((size) => ({
        name: `${scene}-${theme}-${String(size.width)}x${String(size.height)}`,
        scene,
        size,
        theme,
      })),
    ),
  ]);
  return parts.length === 0 ? shots : shots.filter(({ name }) => parts.some((part) => name.includes(part)));
}

/** Returns what the page complained about. */
async function take(browser: Browser, site: GallerySite, shot: Shot): Promise<string[]> {
  const { page, complaints } = await openScene(browser, site, shot.scene, {
    theme: shot.theme,
    viewport: shot.size,
    colours: true,
  });
  const isIndex = shot.scene === null;
  await page.screenshot({ path: join(folder, `${shot.name}.png`), fullPage: isIndex });
  // The index shows the same parts many times over, so its landmarks say nothing about the window's.
  if (!isIndex) complaints.push(...(await violations(page)), ...(await layoutFaults(page)));
  await page.close();
  return complaints.map((complaint) => `${shot.name}: ${complaint}`);
}

/** What is no screen any more does not stay among those that are. */
async function clear(): Promise<void> {
  for (const name of await readdir(docs)) if (name.endsWith('.png')) await rm(join(docs, name));
}

await mkdir(folder, { recursive: true });
if (values.docs && parts.length === 0) await clear();
const site = await openGallerySite({ folder: join(artifacts, 'site'), longTexts: values.long });
const browser = await launchChromium();
try {
  const names = await sceneNames(browser, site);
  const unknown = documented.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`No such scenes: ${unknown.join(', ')}`);
  const shots = shotsOf(names);
  const complaints: string[] = [];
  for (const shot of shots) complaints.push(...(await take(browser, site, shot)));
  process.stdout.write(`${String(shots.length)} pictures in ${folder}\n`);
  for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
  if (complaints.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await site.close();
}
