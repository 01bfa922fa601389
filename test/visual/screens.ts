/**
 * Draws the gallery in a real Chromium, writes PNGs, and looks at each scene: is nothing complained of, has everything its
 * room, does everything run its own way, does axe find no violation. Look at the pictures before a change of the window is called done. Ends with 1 when
 * something was found.
 *
 *   npm run screens -- [part of a scene's name …]   every scene, both themes, two sizes: to test/visual/artifacts
 *   npm run screens -- --check [part …]             the same without pictures, several times as fast
 *   npm run screens -- --language de|long [part …]  in German, or a third longer: to test/visual/artifacts/de or …/long
 *   npm run screens -- --size 3840x2160 [part …]    in this size alone: to test/visual/artifacts/3840x2160
 *   npm run screens -- --mirrored [part …]          as in a language from right to left: to test/visual/artifacts/mirrored
 *   npm run screens -- --docs [part …]              the ten that a reader needs: to docs/screens
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../helpers/chromium.ts';
import { directionFaults } from './direction.ts';
import { documented } from './documented.ts';
import {
  drawnLanguages,
  GalleryPage,
  lookAtAll,
  openGallerySite,
  themes,
  type NamedLook,
  type Theme,
} from './gallery-site.ts';
import { layoutFaults } from './layout.ts';
import { smallPng } from './small-png.ts';

const flag = { type: 'boolean', default: false } as const;
const { values, positionals: parts } = parseArgs({
  options: {
    docs: flag,
    check: flag,
    mirrored: flag,
    language: { type: 'string', default: 'en' },
    size: { type: 'string' },
  },
  allowPositionals: true,
});

const artifacts = resolve(import.meta.dirname, 'artifacts');
const docs = resolve(import.meta.dirname, '../../docs/screens');
const language = drawnLanguages.find((each) => each === values.language);
if (!language) throw new Error(`--language is one of ${drawnLanguages.join(', ')}.`);
const { mirrored } = values;
const apart = [language === 'en' ? '' : language, values.size ?? '', mirrored ? 'mirrored' : ''];
const folder = values.docs ? docs : join(artifacts, ...apart);

const workSizes =
  values.size === undefined
    ? [
        { width: 1440, height: 900 },
        { width: 900, height: 600 },
      ]
    : [sizeOf(values.size)];

function sizeOf(words: string): NamedLook['size'] {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(words) ?? [];
  if (width === undefined || height === undefined) throw new Error(`--size is WIDTHxHEIGHT, not ${words}.`);
  return { width: Number(width), height: Number(height) };
}

const index = (theme: Theme): NamedLook => ({
  name: `gallery-${theme}`,
  scene: null,
  size: { width: 1440, height: 900 },
  theme,
});

function shotsOf(names: readonly string[]): NamedLook[] {
  const scenes = values.docs ? names.filter((name) => documented.includes(name)) : names;
  const shots = workSizes.flatMap((size) =>
    themes.flatMap((theme) =>
      scenes.map((scene) => ({
        name: `${scene}-${theme}-${String(size.width)}x${String(size.height)}`,
        scene,
        size,
        theme,
      })),
    ),
  );
  const all = values.docs ? shots : [...shots, ...themes.map(index)];
  return parts.length === 0 ? all : all.filter(({ name }) => parts.some((part) => name.includes(part)));
}

async function take(gallery: GalleryPage, { name, scene }: NamedLook): Promise<string[]> {
  const { page } = gallery;
  if (!values.check) {
    await gallery.untilColoured();
    const png = await page.screenshot({ fullPage: scene === null });
    await writeFile(join(folder, `${name}.png`), values.docs ? smallPng(png) : png);
  }
  // The index shows the same parts many times over, so its landmarks say nothing about the window's.
  if (scene === null) return [];
  return [...(await gallery.violations()), ...(await layoutFaults(page)), ...(await directionFaults(page))];
}

/** What is no screen any more does not stay among those that are. */
async function clear(): Promise<void> {
  for (const name of await readdir(docs)) if (name.endsWith('.png')) await rm(join(docs, name));
}

await mkdir(folder, { recursive: true });
if (values.docs && parts.length === 0) await clear();
const site = await openGallerySite({
  folder: join(artifacts, 'site'),
});
const browser = await launchChromium();
try {
  const gallery = await GalleryPage.open(browser, site);
  const names = await gallery.names();
  await gallery.page.close();
  const unknown = documented.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`No such scenes: ${unknown.join(', ')}`);
  const shots = shotsOf(names).map((shot) => ({ ...shot, language, mirrored }));
  const faults = await lookAtAll(browser, site, shots, take);
  const where = values.check ? 'looked at' : `in ${folder}`;
  process.stdout.write(`${String(shots.length)} pictures ${where}, ${String(faults.length)} faults\n`);
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await site.close();
}
