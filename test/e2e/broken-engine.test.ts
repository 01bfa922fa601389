/** Each engine that cannot answer a first task, as the first start shows it: what is wrong, and the next step, taken. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { demoScript } from '../../src/sim/demo/index.ts';
import { startSim } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { fakeOllama } from './fake-programs.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { launchWeb } from './launch-web.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** What a first start shows that looks for an engine at this address. */
async function firstStart(url: string, env: NodeJS.ProcessEnv = {}) {
  const app = await launchWeb(browser, [], { ...env, OLLAMA_HOST: url });
  cleanUps.push(() => app.close());
  const { window, complaints, close } = await app.open();
  cleanUps.push(close);
  const screen = window.page.getByRole('region', { name: 'Set up Andiron' });
  await screen.waitFor();
  return { window, screen, complaints };
}

async function simulate(models: Parameters<typeof startSim>[0]) {
  const sim = await startSim({ speed: 50, ...models });
  cleanUps.push(() => sim.close());
  return sim;
}

/** The title of the step that is now. */
const now = (screen: Locator, words: string): Locator =>
  screen.getByRole('heading', { level: 2, name: new RegExp(`^${words} ?, now$`) });

/** The engine and a model are there, and a folder is next; which model that is. */
async function ready(screen: Locator): Promise<string> {
  await now(screen, 'Choose a folder').waitFor();
  const model = screen
    .getByRole('listitem')
    .filter({ has: screen.page().getByRole('heading', { name: /^Model/ }) });
  await model.getByText(/^\S+:\S+$/).waitFor();
  return model.getByText(/^\S+:\S+$/).innerText();
}

const model = { name: 'qwen3.5:9b', family: 'qwen3.5' } as const;

test('no Ollama: the set-up is offered with its source and folder, and one that appears is used', async () => {
  const port = await freePort();
  const { window, screen, complaints } = await firstStart(`http://127.0.0.1:${String(port)}`);
  await now(screen, 'Set up Ollama').waitFor();
  await screen.getByRole('button', { name: 'Set up Ollama' }).waitFor();
  await screen.getByRole('button', { name: 'Details' }).click();
  await screen.getByText(/^https:\/\/.*ollama/).waitFor();
  expect(await window.axe()).toEqual([]);

  await simulate({ port, models: [model] });
  expect(await ready(screen)).toBe('qwen3.5:9b');
  expect(complaints).toEqual([]);
});

test('an Ollama that does not run is started at a click', async () => {
  const port = await freePort();
  const ollama = fakeOllama(port);
  cleanUps.push(() => {
    ollama.end();
    ollama.remove();
  });
  const { screen } = await firstStart(`http://127.0.0.1:${String(port)}`, ollama.env);
  await screen.getByRole('button', { name: 'Start Ollama' }).click();
  expect(await ready(screen)).toBe('qwen3.5:9b');
});

test('another program at its address is named as such, with what it said', async () => {
  const stranger = createServer((_, response) => response.end('<html>Printer</html>'));
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => stranger.close());
  const { port } = stranger.address() as AddressInfo;
  const { screen } = await firstStart(`http://127.0.0.1:${String(port)}`);
  await now(screen, 'Find Ollama').waitFor();
  const said = await screen.getByText(/Stop the program at this address/).innerText();
  expect(said).toContain(`Something else is using http://127.0.0.1:${String(port)}: `);
});

test('without a model one is fetched on the spot', async () => {
  const small = { name: 'qwen3.5:2b', family: 'qwen3.5', bytes: 1.9e9, bytesPerSecond: 1e10 } as const;
  const { url } = await simulate({ models: [], pullable: [small], gpu: null });
  const { screen } = await firstStart(url);
  await now(screen, 'Choose a model').waitFor();
  await screen.getByRole('button', { name: /^Download qwen3\.5:2b/ }).click();
  expect(await ready(screen)).toBe('qwen3.5:2b');
});

test('a model that cannot call tools by itself calls them in a fixed form with one press, and one made for them is another away', async () => {
  const talker = { name: 'talker:3b', family: 'template-gemma3', card: { parameterSize: '3.2B' } } as const;
  const { url, truth } = await simulate({ models: [talker], gpu: null, script: demoScript });
  const { window, screen } = await firstStart(url);
  await now(screen, 'talker:3b does not support tools').waitFor();
  await screen.getByRole('button', { name: /^Download / }).waitFor();
  expect(await window.axe()).toEqual([]);

  // What it is worth here is measured before it is chosen.
  await screen.getByText(/: 12 questions, at most 3 min/).waitFor();
  await screen.getByRole('button', { name: 'Measure it' }).click();
  await screen.getByText(/^\d+ of 12 correct with constrained calls$/).waitFor();
  await screen.getByRole('button', { name: 'Constrain talker:3b' }).click();
  const folder = now(screen, 'Choose a folder');
  await folder.waitFor();
  await screen.getByText('talker:3b, constrained calls').waitFor();
  expect(await window.axe()).toEqual([]);
  await screen.getByRole('button', { name: 'Undo' }).click();
  await screen.getByRole('button', { name: 'Constrain talker:3b' }).click();
  await folder.waitFor();

  await screen.getByRole('button', { name: 'Use a sample project' }).click();
  await screen
    .getByRole('textbox', { name: 'First task' })
    .fill('Write a report about this folder into REPORT.md.');
  await screen.getByRole('button', { name: 'Start', exact: true }).click();
  await window.approval.waitFor();
  await window.allow();
  await window.turnEnded();
  const chats = truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');
  expect(chats.every(({ body }) => (body as { tools?: unknown }).tools === undefined)).toBe(true);
});

test('a message sent without Ollama is kept over a reload, and sent with a model (audit-U5)', async () => {
  const port = await freePort();
  const { window, screen, complaints } = await firstStart(`http://127.0.0.1:${String(port)}`);
  await now(screen, 'Set up Ollama').waitFor();
  await screen.getByRole('button', { name: 'Skip setup' }).click();
  await window.message.fill('What is in this folder?');
  await window.send.click();
  // Nobody has chosen where to work: it is asked for beside the message.
  const work = temporaryFolder();
  cleanUps.push(() => work.remove());
  await window.page.getByRole('textbox', { name: 'Path of the folder' }).fill(work.path);
  expect(await window.axe()).toEqual([]);
  await window.page.keyboard.press('Enter');
  const row = window.queue.getByRole('listitem');
  await row.getByText('Sent as soon as a model is ready:').waitFor();
  await expect.poll(() => row.innerText()).toContain('What is in this folder?');
  await window.page.getByText('Ollama was not found').waitFor();
  await expect.poll(() => window.sessions.getByText('failed').count()).toBe(0);
  expect(await window.axe()).toEqual([]);

  await window.page.reload();
  await row.getByText('Sent as soon as a model is ready:').waitFor();
  await expect.poll(() => screen.count()).toBe(0);
  await simulate({ port, models: [model], script: demoScript });
  await window.page.getByRole('button', { name: 'Check again' }).click();
  await window.transcript.getByText('What is in this folder?').waitFor();
  await window.turnEnded();
  await expect.poll(() => window.queue.count()).toBe(0);
  expect(complaints).toEqual([]);
});
