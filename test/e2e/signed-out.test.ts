/** Browsers that come with the address that is good now, without it, and from elsewhere on this machine. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { signIn } from '../helpers/server-process.ts';
import { launchQuickDemo, type WebApp } from './launch-web.ts';
import { AndironPage } from './page.ts';

let browser: Browser;
let app: WebApp;
let context: BrowserContext;
beforeAll(async () => {
  browser = await launchChromium();
  app = await launchQuickDemo(browser);
});
beforeEach(async () => {
  context = await browser.newContext();
});
afterEach(() => context.close());
afterAll(async () => {
  await app.close();
  await browser.close();
});

async function openTab(address: string, within = context): Promise<AndironPage> {
  const tab = new AndironPage(await within.newPage());
  await tab.page.goto(address);
  return tab;
}

const waits = { timeout: 150_000 };
/** Resolves once it is so. */
const isIn = (tab: AndironPage): Promise<true> =>
  tab.page
    .getByRole('heading', { name: 'Ready when you are' })
    .waitFor(waits)
    .then(() => true);
const isOut = (tab: AndironPage): Promise<true> =>
  tab.page
    .getByText('This window is not signed in')
    .first()
    .waitFor(waits)
    .then(() => true);

test('a window that is not signed in says where the way in is, and is let in with the next one', async () => {
  const first = await openTab(app.server.origin);
  expect(await isOut(first)).toBe(true);
  expect(await first.axe()).toEqual([]);
  expect(await isIn(await openTab(app.server.address()))).toBe(true);
  expect(await isIn(first)).toBe(true);
});

test('the token leaves the address, and what it was exchanged for is no cookie (audit-S3)', async () => {
  const before = app.server.address();
  const { page } = await openTab(before).then(async (tab) => {
    expect(await isIn(tab)).toBe(true);
    return tab;
  });
  expect(page.url()).toBe(`${app.server.origin}/`);
  expect(await context.cookies()).toEqual([]);
  expect(app.server.address()).not.toBe(before);
  const kept = await page.evaluate(() => JSON.stringify(sessionStorage));
  expect(kept).not.toContain(new URL(before).hash.slice('#token='.length));
});

test('a reload stays signed in, and another browser is not (audit-S3)', async () => {
  const tab = await openTab(app.server.address());
  expect(await isIn(tab)).toBe(true);
  await tab.page.reload();
  expect(await isIn(tab)).toBe(true);
  const stranger = await browser.newContext();
  expect(await isOut(await openTab(app.server.origin, stranger))).toBe(true);
  await stranger.close();
});

test('a second tab of a signed-in browser is let in without a new address (audit-S3)', async () => {
  expect(await isIn(await openTab(app.server.address()))).toBe(true);
  const spent = app.server.address();
  expect(await isIn(await openTab(app.server.origin))).toBe(true);
  expect(app.server.address()).toBe(spent);
});

test('a new address that is pasted into a tab that is not signed in lets it in (audit-S3)', async () => {
  const tab = await openTab(app.server.origin);
  expect(await isOut(tab)).toBe(true);
  // The same page with another fragment: the browser itself loads nothing.
  await tab.page.evaluate((address) => location.assign(address), app.server.address());
  expect(await isIn(tab)).toBe(true);
});

test('signing out everywhere in the settings signs every browser out, and they come back (audit-S28)', async () => {
  const stranger = await browser.newContext();
  const [here, there] = [await openTab(app.server.address()), await openTab(app.server.origin)];
  const elsewhere = await openTab(app.server.address(), stranger);
  for (const tab of [here, there, elsewhere]) expect(await isIn(tab)).toBe(true);
  const printed = app.server.address();
  await here.page.keyboard.press('Control+,');
  await here.page.getByRole('tab', { name: 'About' }).click();
  await here.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  expect(await isOut(there)).toBe(true);
  expect(await isOut(elsewhere)).toBe(true);
  await expect.poll(() => app.server.address()).not.toBe(printed);
  expect(await isIn(await openTab(app.server.address()))).toBe(true);
  expect(await isIn(there)).toBe(true);
  await stranger.close();
});

/** Another program of this machine that serves pages. What it is sent is in `heard`. */
async function openForeignServer() {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(JSON.stringify([request.url, request.headers]));
    response.end('<!doctype html><title>Foreign</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<unknown> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    });
  return { heard, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, close };
}

test('a page on another port of 127.0.0.1 receives nothing and cannot drive the host (audit-S3)', async () => {
  const foreign = await openForeignServer();
  const tab = await openTab(app.server.address());
  expect(await isIn(tab)).toBe(true);
  const secret = await tab.secret();
  const { page } = await openTab(foreign.url);
  const found = await page.evaluate(
    async ({ origin, known }) => {
      const channel = new BroadcastChannel('andiron-sign-in');
      const told: unknown[] = [];
      channel.addEventListener('message', ({ data }) => told.push(data));
      channel.postMessage({ type: 'ask' });
      const socketTo = (path: string): Promise<string> =>
        new Promise((resolve) => {
          const socket = new WebSocket(origin.replace('http', 'ws') + path);
          // Even one who knew the secret: the address that it comes from is the wrong one.
          socket.addEventListener('open', () =>
            socket.send(JSON.stringify({ type: 'sign-in', secret: known })),
          );
          socket.addEventListener('message', () => resolve('answered'));
          socket.addEventListener('close', () => resolve('closed'));
        });
      const read = (path: string, init?: RequestInit): Promise<string> =>
        fetch(origin + path, { credentials: 'include', ...init }).then(
          (answer) => `read ${String(answer.status)}`,
          () => 'refused',
        );
      const signOut = { method: 'DELETE', headers: { authorization: `Bearer ${known}` } };
      return {
        sockets: [await socketTo('/host'), await socketTo('/engine')],
        reads: [
          await read('/'),
          await read('/session', { method: 'POST', body: '{}' }),
          await read('/session', signOut),
        ],
        cookies: document.cookie,
        stored: sessionStorage.length + localStorage.length,
        told,
      };
    },
    { origin: app.server.origin, known: secret },
  );
  expect(found).toEqual({
    sockets: ['closed', 'closed'],
    reads: ['refused', 'refused', 'refused'],
    cookies: '',
    stored: 0,
    told: [],
  });
  expect(foreign.heard.join('\n')).not.toContain(secret);
  expect(foreign.heard.join('\n')).not.toContain('andiron');
  // It was there, and it is signed in still.
  expect(foreign.heard.length).toBeGreaterThan(0);
  await tab.page.reload();
  expect(await isIn(tab)).toBe(true);
  await foreign.close();
});

test('the address is spent by whoever comes first, page or program', async () => {
  const spent = app.server.address();
  await signIn(app.server);
  expect(await isOut(await openTab(spent))).toBe(true);
});
