/** The two windows that are compared: Andiron as it is built, and a bare page that only shows what comes. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { WebSocketServer, type WebSocket } from 'ws';
import { startSim, type Sim } from '../../../src/sim/index.ts';
import { launchChromium } from '../../helpers/chromium.ts';
import { startServerProcess, temporaryFolder } from '../../helpers/server-process.ts';
import { AndironPage } from '../../e2e/page.ts';
import { benchScript } from './answer.ts';
import { addProbe } from './probe.ts';

export const model = 'qwen2.5:7b';

/** One page that shows answers. */
export interface Shown {
  page: Page;
  /** Where an answer stands; the last one counts. */
  selector: string;
  /** No answer is in the page any more. */
  clear(): Promise<void>;
  /** Begins an answer. */
  ask(message: string): Promise<void>;
  /** Nothing is being written any more. */
  rest(): Promise<void>;
  /** Gives the keyboard to the field. */
  focusField(): Promise<void>;
}

export interface House {
  browser: Browser;
  sim: Sim;
  app: Shown;
  bare: Shown;
  /** Of the app, for one more window. */
  address(): string;
  close(): Promise<void>;
}

const viewport = { width: 1280, height: 800 };

/** @param fill of the data folder, before the server opens it */
export async function openHouse(fill?: (dataDir: string) => void | Promise<void>): Promise<House> {
  const sim = await startSim({
    speed: 1_000,
    keepRequests: 4,
    gpu: null,
    models: [{ name: model, family: 'template-qwen2.5' }],
    script: benchScript,
  });
  const folder = temporaryFolder();
  await fill?.(folder.path);
  const workspace = temporaryFolder();
  const server = await startServerProcess([
    `--data-dir=${folder.path}`,
    `--engine-url=${sim.url}`,
    `--workspace=${workspace.path}`,
  ]);
  const bareServer = await serveBarePage(sim.url);
  const browser = await launchChromium();
  const app = await openApp(browser, server.address());
  const bare = await openBare(browser, bareServer.url);
  return {
    browser,
    sim,
    app,
    bare,
    address: server.address,
    async close() {
      await browser.close();
      await bareServer.close();
      await server.stop();
      await sim.close();
      folder.remove();
      workspace.remove();
    },
  };
}

export async function newPage(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await addProbe(page);
  await page.goto(address);
  return page;
}

async function openApp(browser: Browser, address: string): Promise<Shown> {
  const page = await newPage(browser, address);
  const window = new AndironPage(page);
  await window.ready();
  return {
    page,
    selector: '[role=log] .prose',
    async clear() {
      await page.getByRole('button', { name: 'New session', exact: true }).click();
      await window.transcript.locator('.prose').first().waitFor({ state: 'detached' });
    },
    ask: (message) => window.ask(message),
    rest: () => window.turnEnded(60_000),
    focusField: () => window.message.focus(),
  };
}

async function openBare(browser: Browser, address: string): Promise<Shown> {
  const page = await newPage(browser, address);
  return {
    page,
    selector: '#out p',
    clear: () => page.evaluate(() => (globalThis as unknown as BareWindow).clear()),
    ask: (message) => page.evaluate((text) => (globalThis as unknown as BareWindow).ask(text), message),
    async rest() {
      await page.waitForFunction(() => (globalThis as unknown as BareWindow).resting());
    },
    focusField: () => page.locator('textarea').focus(),
  };
}

interface BareWindow {
  clear(): void;
  ask(text: string): void;
  resting(): boolean;
}

/** A column, a paragraph for each block, the end always in view: the least that shows an answer as it comes. */
const barePage = `<!doctype html><meta charset="utf-8"><title>Bare</title>
<style>
  body { margin: 0; font: 14px/1.5 sans-serif; display: grid; grid-template-rows: 1fr auto; height: 100vh }
  #out { overflow: auto; padding: 0 20% } p { white-space: pre-wrap } textarea { margin: 0 20% }
</style>
<div id="out"></div><textarea rows="2"></textarea>
<script>
  const out = document.getElementById('out');
  let socket;
  let text;
  let open = false;
  function add(part) {
    for (const [index, piece] of part.split('\\n\\n').entries()) {
      if (index > 0 || !text) {
        text = document.createTextNode('');
        out.appendChild(document.createElement('p')).appendChild(text);
      }
      text.appendData(piece);
    }
    out.scrollTop = out.scrollHeight;
  }
  globalThis.clear = () => {
    out.replaceChildren();
    text = undefined;
  };
  globalThis.ask = (message) => {
    open = true;
    socket = new WebSocket(location.origin.replace('http', 'ws'));
    socket.onopen = () => socket.send(message);
    socket.onmessage = ({ data }) => add(data);
    socket.onclose = () => { open = false };
  };
  globalThis.resting = () => !open;
</script>`;

async function serveBarePage(engineUrl: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(barePage);
  });
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => void relay(engineUrl, data.toString(), socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Every line of the engine as it comes. */
async function relay(engineUrl: string, message: string, socket: WebSocket): Promise<void> {
  const body = JSON.stringify({
    model,
    messages: [{ role: 'user', content: message }],
    options: { num_ctx: 16_384 },
    think: false,
  });
  const asking = request(`${engineUrl}/api/chat`, { method: 'POST' });
  asking.end(body);
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  let rest = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { message: part } = JSON.parse(line) as { message?: { content?: string } };
      if (part?.content) socket.send(part.content);
    }
  }
  socket.close();
}
