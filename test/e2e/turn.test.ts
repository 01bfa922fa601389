/** A turn as a person sees it, in a real Chromium, from the message to the proof of a stop. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { reply, rule, script, sequence, type Script, type TruthRequest } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { startAgentHouse, type AgentHouse } from './agent-house.ts';
import { launchQuickDemo, type OpenWindow } from './launch-web.ts';

let browser: Browser;
let house: AgentHouse;
beforeAll(async () => {
  browser = await launchChromium();
  house = await startAgentHouse(browser);
});
afterAll(async () => {
  await house.close();
  await browser.close();
});

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

/** A window on a demo of its own. */
async function demo(): Promise<OpenWindow> {
  const app = await launchQuickDemo(browser);
  open.push(app);
  const view = await app.open();
  await view.window.ready();
  return view;
}

/** A window on a new session, in which the model answers like this. */
async function scripted(answers: Script): Promise<OpenWindow> {
  const view = await house.begin(answers);
  open.push(view);
  return view;
}

const chats = (): TruthRequest[] =>
  house.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');

const demoFile = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../../resources/demo-workspace', path), 'utf8');

describe('the demo', () => {
  test('reads the folder and the readme with real tools, and answers out of them', async () => {
    const { window, complaints } = await demo();
    await window.ask('What is in this folder? Read the readme and tell me what it does.');
    await window.stop.waitFor();
    await window.turnEnded();

    const title = demoFile('README.md').split('\n')[0]?.replace('# ', '') ?? '';
    await expect.poll(() => window.transcript.innerText()).toContain(title);
    await window.showWork();
    await window.transcript.getByRole('button', { name: /README\.md/ }).click();
    await window.transcript
      .getByText(demoFile('README.md').split('\n')[2]?.slice(0, 30) ?? '?')
      .first()
      .waitFor();
    await expect.poll(() => window.transcript.getByText(/^Thought for/).count()).toBeGreaterThan(0);
    expect(await window.axe()).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('a page that is reloaded in mid-turn', () => {
  test('doubles nothing, loses nothing and goes on streaming', async () => {
    const words = Array.from({ length: 400 }, (_, index) => `word${index}`);
    const answer = reply()
      .text(words.slice(0, 200).join(' '))
      .pause(3000)
      .text(` ${words.slice(200).join(' ')}`);
    const { window } = await scripted(script([rule({}, answer)]));
    await window.ask('Count for me');
    await window.transcript.getByText('word150').waitFor();

    await window.page.reload();
    await window.transcript.getByText('word150').waitFor();
    await expect.poll(() => window.stop.isVisible()).toBe(true);
    await window.turnEnded();

    const shown = await window.transcript.innerText();
    expect(shown.match(/Count for me/g)).toHaveLength(1);
    expect(shown.match(/word\d+/g)).toEqual(words);

    const second = await house.app.open();
    await second.window.ready();
    await second.window.sessions.getByText('Count for me').click();
    await second.window.transcript.getByText('word399').waitFor();
    expect((await second.window.transcript.innerText()).match(/word\d+/g)).toEqual(words);
    await second.close();
  });
});

describe('Stop', () => {
  test('ends a long prefill at a click, proves that the model stayed, and the next message is answered', async () => {
    const { window } = await scripted(
      script([rule({ nth: 1 }, reply().prefill(60).text('never')), rule({}, reply().text('Here I am.'))]),
    );
    const { truth } = house.sim;
    const prefill = truth.next('batch-evaluated', ({ request }) => request?.endpoint === '/api/chat');
    await window.ask('Read all of this');
    await prefill;
    const clickedAt = Date.now();
    await window.stop.click();
    await window.transcript.getByText(/still in VRAM/).waitFor();
    // A sixth of the prefill, of which most is the click itself on a busy machine; `npm run bench:engine` has the figure.
    expect((truth.last()?.closeSeenAt ?? Infinity) - clickedAt).toBeLessThan(10_000);

    await window.ask('Hello?');
    await window.transcript.getByText('Here I am.').waitFor();
  });

  test('is the Escape key too, and keeps what was written', async () => {
    const { window } = await scripted(
      sequence(reply().text('The beginning of').pause(60_000).text(' the end')),
    );
    await window.message.fill('Go');
    await window.message.press('Enter');
    await window.transcript.getByText('The beginning of').waitFor();
    await window.page.keyboard.press('Escape');
    await window.turnEnded();
    await expect.poll(() => window.transcript.innerText()).toContain('The beginning of');
  });
});

describe('an approval', () => {
  test('is answered by keyboard alone, and only then does anything happen', async () => {
    const { window } = await scripted(
      sequence(
        reply().toolCall('run_command', { command: 'echo made-by-command' }),
        reply().text('It is done.'),
      ),
    );
    await window.message.fill('Run it');
    await window.message.press('Enter');
    const allow = window.transcript.getByRole('button', { name: /^Allow once/ });
    await allow.waitFor();
    // What keeps it in, or that nothing does: that is the machine's.
    await expect.poll(() => window.transcript.innerText()).toMatch(/^(?:Not sandboxed|Sandboxed:)/m);
    await allow.focus();
    await window.page.keyboard.press('Enter');
    await window.transcript.getByText('It is done.').waitFor();
  });
});

describe('switching the profile in the settings pane while a turn runs', () => {
  test('sends the new head with the next request and says what it read anew', async () => {
    const { window } = await scripted(
      sequence(reply().toolCall('run_command', { command: 'echo hi' }), reply().text('Switched.')),
    );
    const before = chats().length;
    await window.ask('Run it');
    await window.transcript.getByRole('button', { name: /^Allow once/ }).waitFor();
    await window.page.getByRole('button', { name: /^Settings/ }).click();
    const settings = window.page.getByRole('main', { name: 'Settings' });
    await settings.getByRole('tab', { name: /^Reader/ }).click();
    await settings.getByRole('button', { name: /^Switch session/ }).click();
    await window.page.keyboard.press('Escape');
    await window.transcript.getByRole('button', { name: /^Decline/ }).click();
    await window.transcript.getByText('Switched.').waitFor();

    const [first, second] = chats()
      .slice(before)
      .map((request) => request.body as { messages: { content: string }[] });
    expect(second?.messages[0]?.content).not.toBe(first?.messages[0]?.content);
    const anew = house.sim.truth.last()?.evaluated ?? -1;
    await window.transcript
      .getByText(new RegExp(anew.toLocaleString('en-US')))
      .first()
      .waitFor();
  });
});
