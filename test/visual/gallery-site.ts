/** The gallery as a site of its own: built, served on loopback, and read by pictures and tests. */
import react from '@vitejs/plugin-react';
import axe, { type AxeResults } from 'axe-core';
import { resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { build, preview } from 'vite';
import { cssModules } from '../../scripts/css-modules.ts';

const root = resolve(import.meta.dirname, '../../src/renderer');

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
}

export async function openGallerySite({ folder }: SiteOptions): Promise<GallerySite> {
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    plugins: [react()],
    worker: { format: 'es' },
    css: cssModules,
    build: {
      outDir: folder,
      emptyOutDir: true,
      // The page's policy allows no fonts in the style sheet itself.
      assetsInlineLimit: 0,
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

/** `long` is no language: English with every text a third longer. */
export const drawnLanguages = ['en', 'de', 'long'] as const;
export type DrawnLanguage = (typeof drawnLanguages)[number];

export interface Look {
  /** null = the index. */
  scene: string | null;
  theme: Theme;
  size: { width: number; height: number };
  /** English where it is absent. */
  language?: DrawnLanguage;
  /** As in a language that is written from right to left. */
  mirrored?: boolean;
}

/** A look with the name that is told of what it finds. */
export interface NamedLook extends Look {
  name: string;
}

/** One page in which scene after scene is drawn: loading it takes longer than looking at one. */
export class GalleryPage {
  readonly page: Page;
  readonly #complaints: string[] = [];
  #size: Look['size'] | null = null;

  private constructor(page: Page) {
    this.page = page;
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.#complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.#complaints.push(error.message));
  }

  static async open(
    browser: Browser,
    { address }: GallerySite,
    wishes: Pick<BrowserContextOptions, 'contrast' | 'forcedColors'> = {},
  ): Promise<GalleryPage> {
    const page = await browser.newPage({ reducedMotion: 'reduce', ...wishes });
    const gallery = new GalleryPage(page);
    await page.clock.setFixedTime(moment);
    await page.goto(address);
    await page.evaluate(axe.source);
    return gallery;
  }

  /** What the index lists: every scene. */
  async names(): Promise<string[]> {
    const links = this.page.locator('.g-scenes a');
    await links.first().waitFor();
    return links.allTextContents();
  }

  /** Resolves when nothing comes any more. */
  async show({ scene, theme, size, language = 'en', mirrored = false }: Look): Promise<void> {
    if (size.width !== this.#size?.width || size.height !== this.#size.height) {
      await this.page.setViewportSize(size);
      this.#size = size;
    }
    await this.page.evaluate(drawScene, { scene, theme, language, mirrored });
  }

  /** Says what is drawn in another language, in its place. */
  async speak(language: DrawnLanguage): Promise<void> {
    await this.page.evaluate(speakInPlace, language);
  }

  /** Formulas and diagrams come from a thread of their own, after the text. */
  async untilDrawn(): Promise<void> {
    await this.page.waitForFunction(() => document.querySelector('.prose [aria-busy]') === null);
  }

  /** As do the colours of code. */
  async untilColoured(): Promise<void> {
    await this.untilDrawn();
    if ((await this.page.locator('.code span, .diff').count()) === 0) return;
    const coloured = this.page.locator('.code span[class*="__tone"], .diff span[class*="__tone"]').first();
    await coloured.waitFor({ timeout: 3000 }).catch(() => null);
    await this.page.waitForLoadState('networkidle');
  }

  /** Takes out of long lists all but the first hundred places and the last ones, which are like the others: what follows takes seconds for each thousand. */
  async leaveOutRows(): Promise<void> {
    await this.page.evaluate(() => {
      for (const row of document.querySelectorAll(':nth-child(n+101):nth-last-child(n+6)')) row.remove();
    });
  }

  /** Console errors and warnings and uncaught errors since it was asked last. */
  complaints(): string[] {
    return this.#complaints.splice(0);
  }

  /** What axe finds, one line per rule; by these rules alone, or by all that are on by themselves. */
  async violations(runOnly?: string[]): Promise<string[]> {
    // Everything is in the page: no style sheet is fetched again, and nothing is told of what passed.
    const options = { resultTypes: ['violations'], preload: false, selectors: false, runOnly };
    const { violations } = await this.page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
    return violations.map(
      ({ id, nodes }) => `axe ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    );
  }
}

/** In the page. */
async function drawScene({ scene, theme, language, mirrored }: Omit<Required<Look>, 'size'>) {
  const { showScene, speak } = globalThis as unknown as {
    showScene: (id: string | null, theme: Theme) => void;
    speak: (language: DrawnLanguage) => Promise<void>;
  };
  if (document.documentElement.dataset['drawn'] !== language) await speak(language);
  document.documentElement.dataset['drawn'] = language;
  document.documentElement.dir = mirrored ? 'rtl' : 'ltr';
  let changed = true;
  const observer = new MutationObserver(() => (changed = true));
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  scrollTo(0, 0);
  showScene(scene, theme);
  for (let still = 0; still < 3; still = changed || document.fonts.status === 'loading' ? 0 : still + 1) {
    changed = false;
    await new Promise(requestAnimationFrame);
  }
  observer.disconnect();
}

/** In the page. */
async function speakInPlace(language: DrawnLanguage): Promise<void> {
  const { speak } = globalThis as unknown as { speak: (language: DrawnLanguage) => Promise<void> };
  await speak(language);
  document.documentElement.dataset['drawn'] = language;
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}

/** Several pages side by side. Returns complaints and what `look` found, in the order of `looks`. */
export async function lookAtAll(
  browser: Browser,
  site: GallerySite,
  looks: readonly NamedLook[],
  look: (gallery: GalleryPage, at: NamedLook) => Promise<string[]>,
): Promise<string[]> {
  const found: string[][] = [];
  const waiting = looks.entries();
  const work = async (): Promise<void> => {
    const gallery = await GalleryPage.open(browser, site);
    for (const [index, at] of waiting) {
      await gallery.show(at);
      const faults = await look(gallery, at);
      found[index] = [...gallery.complaints(), ...faults].map((fault) => `${at.name}: ${fault}`);
    }
    await gallery.page.context().close();
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, work));
  return found.flat();
}

const pagesAtOnce = 2;
