/** What a person finds in the window when a process behind it was killed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { reply, sequence, startSim, type Reply } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { launchWeb, type WebApp } from './launch-web.ts';
import type { AndironPage } from './page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
});

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

async function launch(...replies: Reply[]): Promise<{ app: WebApp; window: AndironPage }> {
  const sim = await startSim({ speed: 50, script: sequence(...replies) });
  open.push(sim);
  const workspace = temporaryFolder();
  open.push({ close: () => Promise.resolve(workspace.remove()) });
  const app = await launchWeb(browser, [`--engine-url=${sim.url}`, `--workspace=${workspace.path}`]);
  open.push(app);
  const { window } = await app.open();
  await window.ready();
  return { app, window };
}

/** The agent host holds the data folder, and says in its lock who it is. */
function killHost(app: WebApp): void {
  const { pid } = JSON.parse(readFileSync(join(app.dataDir, 'andiron.lock'), 'utf8')) as { pid: number };
  expect(pid).not.toBe(app.server.pid);
  process.kill(pid, 'SIGKILL');
}

/** Their code and their styles are in the page. */
async function settingsFetched({ page }: AndironPage): Promise<void> {
  await page.waitForFunction(
    () =>
      performance.getEntriesByType('resource').filter(({ name }) => name.includes('/settings-')).length >= 2,
  );
}

test('messages that a killed host left in the queue are shown as not sent, and sent in their order', async () => {
  const asks = reply().toolCall('run_command', { command: 'echo hi' });
  const { app, window } = await launch(asks, reply().text('One.'), reply().text('Two.'));
  await window.ask('Run it');
  await window.transcript.getByRole('button', { name: /^Allow once/ }).waitFor();
  for (const message of ['The first of two', 'The second of two']) await window.enqueue(message);

  killHost(app);
  const queue = window.page.getByRole('list', { name: 'Queued messages' });
  await queue.getByText('Not sent: The second of two').waitFor();
  await expect.poll(() => window.transcript.innerText()).toContain('interrupted while it asked');

  await queue.getByRole('button', { name: 'Send all' }).click();
  await window.transcript.getByText('Two.').waitFor();
  await queue.waitFor({ state: 'hidden' });
  await expect
    .poll(() => window.transcript.innerText())
    .toMatch(/The first of two[^]*One\.[^]*The second of two[^]*Two\./);
});

test('A message whose host is killed right after Enter is there once: sent, not sent yet or back in its box', async () => {
  const { app, window } = await launch(reply().text('Begun.'), reply().text('Read.'), reply().text('Read.'));
  await window.ask('Begin');
  await window.turnEnded();
  const places = async () => {
    const shown = await window.page.getByText(/^(?:Not sent: )?A message on its way$/).count();
    return shown + ((await window.message.inputValue()) === 'A message on its way' ? 1 : 0);
  };
  await window.message.fill('A message on its way');
  await window.message.press('Enter');
  killHost(app);
  await window.page.getByText('The agent host does not answer').waitFor({ state: 'hidden' });
  await window.turnEnded();
  await expect.poll(places).toBe(1);
});

test('a killed server is told in one line; the message stays in the box, and the settings open', async () => {
  const { app, window } = await launch(reply().text('Half an answer').pause(60_000));
  await window.ask('Go on');
  await window.transcript.getByText('Half an answer').waitFor();
  await settingsFetched(window);

  process.kill(app.server.pid, 'SIGKILL');
  await window.page.getByText('The agent host does not answer').waitFor();
  await window.message.fill('Are you there?');
  await window.message.press('Enter');
  await window.page.getByRole('button', { name: /^Settings/ }).click();
  await window.page.getByRole('main', { name: 'Settings' }).waitFor();
  await window.page.keyboard.press('Escape');
  await expect.poll(() => window.message.inputValue()).toBe('Are you there?');
  await expect.poll(() => window.page.getByText('There is no connection').count()).toBe(0);
  await expect.poll(() => window.transcript.innerText()).toContain('Half an answer');
});
