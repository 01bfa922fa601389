/**
 * Draws the gallery: builds it, opens every scene in a real Chromium and writes PNGs of both themes and both sizes to
 * test/visual/artifacts. Look at them before a change of the window is called done. Ends with 1 when a page complained
 * or axe found a violation.
 *
 *   node test/visual/screens.ts [part of a scene's name …]
 */
import react from '@vitejs/plugin-react';
import axe, { type AxeResults } from 'axe-core';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build, preview } from 'vite';
import { launchChromium } from '../helpers/chromium.ts';

const root = resolve(import.meta.dirname, '../../src/renderer');
const artifacts = resolve(import.meta.dirname, 'artifacts');
const site = join(artifacts, 'site');

const themes = ['dark', 'light'] as const;
const sizes = [
  { width: 1440, height: 900 },
  { width: 900, height: 600 },
];
/** Every picture is of this moment, so that two runs can be compared. */
const moment = new Date('2026-11-14T10:04:00');

async function buildGallery(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    plugins: [react()],
    build: {
      outDir: site,
      emptyOutDir: true,
      rolldownOptions: { input: join(root, 'gallery.html') },
    },
  });
}

interface Shot {
  name: string;
  query: string;
  size: { width: number; height: number };
  theme: (typeof themes)[number];
  /** The whole page, however tall. */
  full: boolean;
}

function shotsOf(names: string[]): Shot[] {
  const shots = themes.flatMap((theme) => [
    { name: `gallery-${theme}`, query: '', size: { width: 1440, height: 900 }, theme, full: true },
    ...names.flatMap((scene) =>
      sizes.map((size) => ({
        name: `${scene}-${theme}-${size.width}x${size.height}`,
        query: `scene=${scene}`,
        size,
        theme,
        full: false,
      })),
    ),
  ]);
  const wanted = process.argv.slice(2);
  return wanted.length === 0 ? shots : shots.filter(({ name }) => wanted.some((part) => name.includes(part)));
}

/** What the page itself offers: the index lists every scene. */
async function sceneNames(browser: Browser, address: string): Promise<string[]> {
  const page = await browser.newPage();
  await page.goto(address);
  const links = page.locator('.g-scenes a');
  await links.first().waitFor();
  const names = await links.allTextContents();
  await page.close();
  return names;
}

/** Returns what the page complained about. */
async function take(browser: Browser, address: string, shot: Shot): Promise<string[]> {
  const page = await browser.newPage({ viewport: shot.size, reducedMotion: 'reduce' });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.clock.setFixedTime(moment);
  await page.goto(`${address}?${shot.query}&theme=${shot.theme}`);
  await page.locator('#root > *').first().waitFor();
  // Highlighting arrives after the text; grammars are the last thing that is fetched.
  await page.waitForLoadState('networkidle');
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await page.screenshot({ path: join(artifacts, `${shot.name}.png`), fullPage: shot.full });
  // The index shows the same parts many times over, so its landmarks say nothing about the window's.
  if (!shot.full) complaints.push(...(await violations(page)));
  await page.close();
  return complaints.map((complaint) => `${shot.name}: ${complaint}`);
}

/** What axe finds, one line per rule. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const results = await page.evaluate<AxeResults>('axe.run()');
  return results.violations.map(
    ({ id, nodes }) => `axe ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}

await mkdir(artifacts, { recursive: true });
await buildGallery();
const server = await preview({
  configFile: false,
  root,
  build: { outDir: site },
  preview: { host: '127.0.0.1', port: 0 },
  logLevel: 'silent',
});
const address = new URL('gallery.html', server.resolvedUrls?.local[0]).href;
const browser = await launchChromium();
try {
  const shots = shotsOf(await sceneNames(browser, address));
  const complaints: string[] = [];
  for (const shot of shots) complaints.push(...(await take(browser, address, shot)));
  process.stdout.write(`${shots.length} pictures in ${artifacts}\n`);
  for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
  if (complaints.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await server.close();
}
