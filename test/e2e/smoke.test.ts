import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { GREETING } from '../../src/sim/demo/talk.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { openSocket, startServerProcess, temporaryFolder } from '../helpers/server-process.ts';
import { launchWeb, type WebApp } from './launch-web.ts';

let browser: Browser;
let app: WebApp;
beforeAll(async () => {
  browser = await launchChromium();
  app = await launchWeb(browser, ['--demo']);
});
afterAll(async () => {
  await app.close();
  await browser.close();
});

test.each([
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 900, height: 600 } },
] as const)(
  'the window opens without complaints and without axe violations, $colorScheme, $viewport.width px',
  async (options) => {
    const { window, complaints, close } = await app.open(options);
    await window.ready();
    expect(await window.axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  },
);

test('the window is drawn in the fonts that it brings, its letters and its paths (audit-U16)', async () => {
  const { window, close } = await app.open();
  await window.ready();
  const client = await window.page.context().newCDPSession(window.page);
  await client.send('DOM.enable');
  await client.send('CSS.enable');
  const { root } = await client.send('DOM.getDocument');
  const fontsOf = async (selector: string): Promise<string[]> => {
    const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    const { fonts } = await client.send('CSS.getPlatformFontsForNode', { nodeId });
    return fonts.map(({ familyName, isCustomFont }) => `${familyName} ${isCustomFont ? 'brought' : 'found'}`);
  };
  await expect.poll(() => fontsOf('header > :first-child')).toEqual(['Inter brought']);
  await expect.poll(() => fontsOf('main .mono')).toEqual(['JetBrains Mono brought']);
  await close();
});

test('a demo says in every session that it is one, and how to leave it', async () => {
  const { window, close } = await app.open();
  await window.ready();
  const notice = window.page.getByText('Demo. The model and the GPU are simulated.');
  await notice.waitFor();
  await window.ask('Hello');
  await window.transcript.getByText(GREETING.slice(0, 20)).waitFor();
  await expect.poll(() => notice.isVisible()).toBe(true);
  await expect.poll(() => window.page.getByRole('button', { name: 'Leave demo' }).isVisible()).toBe(true);
  await close();
});

test('nothing inline runs and nothing from elsewhere loads', async () => {
  const { window, close } = await app.open();
  await window.ready();
  const blocked = await window.page.evaluate(async () => {
    const violations = new Set<string>();
    document.addEventListener('securitypolicyviolation', (event) => violations.add(event.effectiveDirective));
    const script = document.createElement('script');
    script.append('globalThis.inlineRan = true');
    const image = document.createElement('img');
    image.src = 'https://example.com/pixel.png';
    document.body.append(script, image);
    await fetch('https://example.com/').catch(() => undefined);
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });
    return { violations: [...violations].toSorted(), inlineRan: 'inlineRan' in globalThis };
  });
  expect(blocked).toEqual({
    violations: ['connect-src', 'img-src', 'require-trusted-types-for'],
    inlineRan: false,
  });
  await close();
});

test('a page of another site can neither read nor connect', async () => {
  const { window, close } = await app.open();
  await window.ready();
  const secret = await window.secret();
  const connect = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${app.server.origin.replace('http', 'ws')}/host`, { headers });
      socket.on('open', () => resolve(101));
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
      socket.on('error', () => undefined);
      socket.on('open', () => socket.close());
    });
  const { origin } = app.server;
  expect(await connect({ origin: 'https://evil.example' })).toBe(403);
  expect(await connect({ origin, host: 'evil.example' })).toBe(403);
  expect(await connect({})).toBe(403);
  // The right ones: the refusals above are for the right reason.
  const own = await openSocket(app.server, '/host', secret);
  const [greeting] = (await once(own, 'message')) as [Buffer];
  expect(greeting.toString()).toContain('"hello"');
  own.close();
  await close();
});

test('a second server on the same data folder is told whose it is', async () => {
  await expect(startServerProcess([`--data-dir=${app.dataDir}`])).rejects.toThrow(
    /Another Andiron \(process \d+\) is using/,
  );
});

test('Ctrl-C ends the server politely: the agent host has let go of the data folder', async () => {
  const folder = temporaryFolder();
  const lock = join(folder.path, 'andiron.lock');
  const second = await startServerProcess([`--data-dir=${folder.path}`, '--demo']);
  expect(existsSync(lock)).toBe(true);
  expect(await second.stop()).toBe(0);
  expect(existsSync(lock)).toBe(false);
  folder.remove();
});
