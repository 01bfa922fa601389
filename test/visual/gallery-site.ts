/** The gallery as a site of its own: built, served on loopback, and read by pictures and tests. */
import react from '@vitejs/plugin-react';
import axe, { type AxeResults } from 'axe-core';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build, preview } from 'vite';

const root = resolve(import.meta.dirname, '../../src/renderer');
const english = resolve(import.meta.dirname, '../../src/text/languages.ts');
const stretched = resolve(import.meta.dirname, 'stretched-language.ts');

export const themes = ['dark', 'light'] as const;
export type Theme = (typeof themes)[number];

/** Every picture is of this moment, so that two runs can be compared. */
const moment = new Date('2026-11-14T10:04:00');

export interface GallerySite {
  address: string;
  close(): Promise<void>;
}

export interface SiteOptions {
  /** Where it is built; a folder of its own for each site that lives at the same time. */
  folder: string;
  /** Every text a third longer, as German would be. */
  longTexts?: boolean;
}

export async function openGallerySite({ folder, longTexts = false }: SiteOptions): Promise<GallerySite> {
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    plugins: [react(), ...(longTexts ? [inOtherWords] : [])],
    worker: { format: 'es' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: { input: resolve(root, 'gallery.html') },
    },
  });
  const server = await preview({
    configFile: false,
    root,
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0 },
    logLevel: 'silent',
  });
  return {
    address: new URL('gallery.html', server.resolvedUrls?.local[0]).href,
    close: () => server.close(),
  };
}

/** The window asks for its dictionary at one place, which gets another one here. */
const inOtherWords = {
  name: 'in-other-words',
  enforce: 'pre' as const,
  async resolveId(
    this: { resolve(source: string, importer?: string, options?: object): Promise<{ id: string } | null> },
    source: string,
    importer: string | undefined,
  ): Promise<string | null> {
    if (!source.endsWith('languages.ts') || importer === stretched) return null;
    const found = await this.resolve(source, importer, { skipSelf: true });
    return found?.id === english ? stretched : null;
  },
};

/** What the page itself offers: the index lists every scene. */
export async function sceneNames(browser: Browser, { address }: GallerySite): Promise<string[]> {
  const page = await browser.newPage();
  await page.goto(address);
  const links = page.locator('.g-scenes a');
  await links.first().waitFor();
  const names = await links.allTextContents();
  await page.close();
  return names;
}

export interface ScenePage {
  page: Page;
  /** Console errors and warnings, uncaught errors. */
  complaints: string[];
}

export interface SceneOptions {
  theme: Theme;
  viewport: { width: number; height: number };
  /** Waits also until code has its colours, which come after the text and move nothing. */
  colours?: boolean;
}

/** @param scene null = the index */
export async function openScene(
  browser: Browser,
  { address }: GallerySite,
  scene: string | null,
  { theme, viewport, colours = false }: SceneOptions,
): Promise<ScenePage> {
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.clock.setFixedTime(moment);
  await page.goto(`${address}?${scene === null ? '' : `scene=${scene}&`}theme=${theme}`);
  await page.locator('#root > *').first().waitFor();
  if (colours) await untilColoured(page);
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  return { page, complaints };
}

/** They come from a thread of their own; grammars are the last thing that is fetched. */
async function untilColoured(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  if ((await page.locator('.code .code-group, .diff').count()) === 0) return;
  const coloured = page.locator('[class^="tk-"]').first();
  await coloured.waitFor({ timeout: 3000 }).catch(() => null);
}

/** What axe finds, one line per rule. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const results = await page.evaluate<AxeResults>('axe.run()');
  return results.violations.map(
    ({ id, nodes }) => `axe ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}
