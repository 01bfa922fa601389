/** A message whose window is loaded again in the moment of sending is there once, whatever was lost on its way. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { reply, rule, script, startSim } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { launchWeb } from './launch-web.ts';
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

async function launch(): Promise<{ window: AndironPage }> {
  const sim = await startSim({ speed: 50, script: script([rule({}, reply().text('Read.'))]) });
  open.push(sim);
  const workspace = temporaryFolder();
  open.push({ close: () => Promise.resolve(workspace.remove()) });
  const app = await launchWeb(browser, [`--engine-url=${sim.url}`, `--workspace=${workspace.path}`]);
  open.push(app);
  const { window } = await app.open();
  await window.ready();
  await window.ask('Begin');
  await window.turnEnded();
  return { window };
}

/** In the transcript, the queue and the box together. */
async function placesOf(window: AndironPage, text: string): Promise<number> {
  const shown = await window.page.getByText(text, { exact: true }).count();
  return shown + ((await window.message.inputValue()).includes(text) ? 1 : 0);
}

const words = (turn: number): string => `Message number ${String(turn)}`;

/** From the next load of the page on, this frame never reaches its end; each frame is lost once. */
async function losing({ page }: AndironPage): Promise<(frame: RegExp) => Promise<void>> {
  let lost: { frame: RegExp; done: () => void } | null = null;
  const passes = (text: string | Buffer): boolean => {
    if (!lost?.frame.test(String(text))) return true;
    lost.done();
    lost = null;
    return false;
  };
  await page.routeWebSocket(/\/host/v, (client) => {
    const server = client.connectToServer();
    client.onMessage((text) => passes(text) && server.send(text));
    server.onMessage((text) => passes(text) && client.send(text));
  });
  return (frame) => new Promise((resolve) => (lost = { frame, done: resolve }));
}

test.each([
  ['the request was lost', /"method":"turn\/start"/v],
  ['the answer was lost', /"type":"response".*"turnId":"turn_/v],
])('Where %s, a window that is loaded again has its message once, and an empty box', async (_, frame) => {
  const { window } = await launch();
  const lose = await losing(window);
  for (let turn = 0; turn < 2; turn += 1) {
    await window.page.reload();
    await window.transcript.getByText('Begin', { exact: true }).waitFor();
    const lost = lose(frame);
    await window.message.fill(words(turn));
    await window.message.press('Enter');
    await lost;
    await window.page.reload();
    await window.page.getByText(words(turn), { exact: true }).first().waitFor();
    await expect
      .poll(() => window.transcript.innerText())
      .toMatch(new RegExp(`${words(turn)}\\s+Read\\.`, 'v'));
    expect([turn, await placesOf(window, words(turn)), await window.message.inputValue()]).toEqual([
      turn,
      1,
      '',
    ]);
  }
});
