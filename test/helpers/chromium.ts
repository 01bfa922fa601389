/** A real browser for tests, from wherever this machine has one. None at all is an error, never a skip. */
import { existsSync } from 'node:fs';
import type { Browser, BrowserContext, LaunchOptions } from 'playwright-core';
import { chromium } from 'playwright-core';

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Launches the first Chromium that starts. Its own default arguments, so nothing of its security is switched off. */
export const launchChromium = (options: LaunchOptions = {}): Promise<Browser> =>
  startFirst((found) => chromium.launch({ ...options, ...found }));

/** One of a person who comes back: it finds what it kept in that folder before, compiled code among it. */
export const openProfile = (
  folder: string,
  options: Parameters<typeof chromium.launchPersistentContext>[1] = {},
): Promise<BrowserContext> =>
  startFirst((found) => chromium.launchPersistentContext(folder, { ...options, ...found }));

async function startFirst<Started>(start: (found: LaunchOptions) => Promise<Started>): Promise<Started> {
  const failures: string[] = [];
  for (const { name, launch } of candidates()) {
    try {
      return await start(await launch());
    } catch (error) {
      failures.push(
        `${name}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`,
      );
    }
  }
  throw new Error(
    `No Chromium for the tests. Install Chrome, Edge or Chromium, or name one in CHROMIUM.\n${failures.join('\n')}`,
  );
}

/** Does beforehand what two processes must not do at once: unpack the browser that comes with `npm ci`. */
export async function prepareChromium(): Promise<void> {
  if (candidates()[0] === packaged) await packaged.launch();
}

interface Candidate {
  name: string;
  launch: () => LaunchOptions | Promise<LaunchOptions>;
}

function candidates(): Candidate[] {
  const named = process.env['CHROMIUM'];
  // Whoever names a browser wants that one.
  if (named) return [{ name: `CHROMIUM=${named}`, launch: () => ({ executablePath: named }) }];
  const found = installed.filter((path) => existsSync(path));
  return [
    ...found.map((path) => ({ name: path, launch: () => ({ executablePath: path }) })),
    ...(process.platform === 'linux' && process.arch === 'x64' ? [packaged] : []),
    ...['chrome', 'msedge'].map((channel) => ({ name: channel, launch: () => ({ channel }) })),
  ];
}

/** Comes with `npm ci` and needs nothing of the system; unpacked into the temporary folder the first time. */
const packaged: Candidate = {
  name: '@sparticuz/chromium',
  async launch() {
    const { default: packagedChromium } = await import('@sparticuz/chromium');
    return { executablePath: await packagedChromium.executablePath() };
  },
};
