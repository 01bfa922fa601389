/** One of two ways to open the window in tests: the headless server and a real Chromium. */
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { copyDemoWorkspace } from '../../src/platform/demo.ts';
import { demoOptions } from '../../src/sim/demo/index.ts';
import { startSim } from '../../src/sim/index.ts';
import { beginFolder } from '../helpers/begun-folder.ts';
import {
  projectRoot,
  startServerProcess,
  temporaryFolder,
  type ServerProcess,
} from '../helpers/server-process.ts';
import { AndironPage } from './page.ts';

export interface OpenWindow {
  window: AndironPage;
  /** Whatever the page complained of: console errors, uncaught errors, refused loads. */
  complaints: string[];
  close: () => Promise<void>;
}

export interface WebApp {
  server: ServerProcess;
  dataDir: string;
  /** Opens a window of its own, signed in with the address that is good now. */
  open: (options?: BrowserContextOptions) => Promise<OpenWindow>;
  close: () => Promise<void>;
}

/** @param args of the server, for example `--demo` or `--engine-url=http://127.0.0.1:PORT` */
export async function launchWeb(
  browser: Browser,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<WebApp> {
  const folder = temporaryFolder();
  const all = [`--data-dir=${folder.path}`, ...args];
  // The last one holds.
  const dataDir = all.findLast((arg) => arg.startsWith('--data-dir='))?.slice('--data-dir='.length);
  beginFolder(dataDir ?? folder.path, Object.keys(env).length === 0);
  const server = await startServerProcess(all, projectRoot, env);
  return {
    server,
    dataDir: folder.path,
    open: (options) => openWindow(browser, server, options),
    async close() {
      await server.stop();
      folder.remove();
    },
  };
}

/** What `--demo` shows, on its models and in its folder, without the pace that is meant for people. */
export async function launchQuickDemo(browser: Browser): Promise<WebApp & { workspace: string }> {
  const folder = temporaryFolder();
  const workspace = await copyDemoWorkspace(join(projectRoot, 'resources'), folder.path);
  const sim = await startSim({ ...demoOptions(), speed: 20 });
  const app = await launchWeb(browser, [`--engine-url=${sim.url}`, `--workspace=${workspace}`]);
  return {
    ...app,
    workspace,
    async close() {
      await app.close();
      await sim.close();
      folder.remove();
    },
  };
}

async function openWindow(
  browser: Browser,
  server: ServerProcess,
  options: BrowserContextOptions = {},
): Promise<OpenWindow> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  // Shorter than a test's own limit, so that a failure names what was waited for.
  context.setDefaultTimeout(150_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that is reloaded breaks off what it was fetching.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${reason}`);
  });
  await page.goto(server.address());
  return { window: new AndironPage(page), complaints, close: () => context.close() };
}
