/** What was said as a thing of its own, in a real Chromium: other versions, branches, summaries, search, and the queue. */
import type { Browser, Download } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { reply, rule, script, startSim, type Script } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { launchWeb, type OpenWindow } from './launch-web.ts';
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

/** Each answer names its place, so that two are never alike. */
const numbered: Script = script([
  rule({ user: /wait/ }, reply().text('Begun.').pause(60_000)),
  rule({ nth: 1 }, reply().text('The first lantern.')),
  rule({ nth: 2 }, reply().text('The second lantern.')),
  rule({ nth: 3 }, reply().text('The third lantern.')),
  rule({}, reply().text('One more lantern.')),
]);

async function start(answers = numbered): Promise<OpenWindow> {
  const sim = await startSim({ speed: 50, script: answers });
  open.push(sim);
  const workspace = temporaryFolder();
  open.push({ close: () => Promise.resolve(workspace.remove()) });
  const app = await launchWeb(browser, [`--engine-url=${sim.url}`, `--workspace=${workspace.path}`]);
  open.push(app);
  const view = await app.open();
  await view.window.ready();
  return view;
}

async function say(window: AndironPage, message: string, answer: string): Promise<void> {
  await window.ask(message);
  await window.transcript.getByText(answer).waitFor();
  await window.turnEnded();
}

const chooseInMenu = async (window: AndironPage, item: string): Promise<void> => {
  await window.page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await window.page.getByRole('menuitem', { name: item, exact: true }).click();
};

describe('another version', () => {
  test('of a message, by keyboard, and of an answer; the earlier ones stay beside it', async () => {
    const { window, complaints } = await start();
    await say(window, 'Tell me', 'The first lantern.');
    await window.transcript.getByRole('button', { name: 'Edit' }).focus();
    await window.page.keyboard.press('Enter');
    await window.page.keyboard.type(' more');
    await window.page.keyboard.press('Enter');
    await window.transcript.getByText('The second lantern.').waitFor();
    await window.turnEnded();
    await window.transcript.getByText('Tell me more').waitFor();
    await expect.poll(() => window.transcript.getByText('The first lantern.').count()).toBe(0);

    await window.transcript.getByRole('button', { name: 'Regenerate' }).click();
    await window.transcript.getByText('The third lantern.').waitFor();
    await window.turnEnded();
    for (const lantern of ['The second lantern.', 'The first lantern.']) {
      await window.transcript.getByRole('button', { name: 'Earlier version' }).click();
      await window.transcript.getByText(lantern).waitFor();
    }
    expect(await window.axe()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('begins as a session of its own from any message', async () => {
    const { window } = await start();
    await say(window, 'Tell me', 'The first lantern.');
    await say(window, 'And then?', 'The second lantern.');
    await window.transcript.getByText('Tell me').hover();
    await window.transcript.getByRole('button', { name: 'Fork from here' }).first().click();
    await window.sessions.getByRole('listitem').nth(1).waitFor();
    await window.transcript.getByText('The second lantern.').waitFor({ state: 'detached' });
    await window.transcript.getByText('The first lantern.').waitFor();
    await expect.poll(() => window.transcript.getByText('And then?').count()).toBe(0);
  });
});

describe('a session', () => {
  test('is found by what was said, deleted, and brought back', async () => {
    const { window } = await start();
    await say(window, 'Tell me', 'The first lantern.');
    await window.page.getByRole('button', { name: 'New session', exact: true }).click();
    await window.page.getByRole('searchbox').fill('lantern');
    await window.page.locator('[data-row^="hit:"] > button').first().click();
    await window.transcript.getByText('The first lantern.').waitFor();
    await window.page.getByRole('searchbox').fill('');

    await chooseInMenu(window, 'Delete');
    await window.page.getByText('“Tell me” deleted').waitFor();
    await expect.poll(() => window.sessions.getByText('Tell me').count()).toBe(0);
    await window.page.getByRole('button', { name: 'Undo' }).click();
    await window.transcript.getByText('The first lantern.').waitFor();
  });

  test('is saved as a file, and comes back out of it', async () => {
    const { window } = await start();
    await say(window, 'Tell me', 'The first lantern.');
    const saved: Promise<Download> = window.page.waitForEvent('download');
    await chooseInMenu(window, 'Export');
    const download = await saved;
    expect(download.suggestedFilename()).toBe('tell-me.json');
    const chooser = window.page.waitForEvent('filechooser');
    await chooseInMenu(window, 'Import a session');
    await (await chooser).setFiles(await download.path());
    await window.sessions.getByRole('listitem').nth(1).waitFor();
    await window.transcript.getByText('The first lantern.').waitFor();
  });
});

test('a queued message is moved up, changed in its place and taken out; Escape in it stops nothing', async () => {
  const { window } = await start();
  await window.ask('Please wait');
  await window.transcript.getByText('Begun.').waitFor();
  const queue = window.page.getByRole('list', { name: 'Queued messages' });
  for (const [place, message] of ['Second', 'Third'].entries()) {
    await window.message.fill(message);
    await window.message.press('Enter');
    // On its way it is listed already; what can be done with it comes with the host's word.
    await queue.getByRole('button', { name: 'Edit' }).nth(place).waitFor();
  }
  await queue.getByRole('button', { name: 'Move the queued message up' }).click();
  await queue.getByRole('listitem').first().getByText('Third').waitFor();
  await queue.getByRole('button', { name: 'Edit' }).first().click();
  const field = queue.getByRole('textbox', { name: 'Queued message' });
  await field.press('Escape');
  await window.stop.waitFor();
  await queue.getByRole('button', { name: 'Edit' }).first().click();
  await field.fill('Third, changed');
  await field.press('Enter');
  await field.waitFor({ state: 'hidden' });
  await queue.getByText('Third, changed').waitFor();
  await queue.getByRole('button', { name: 'Remove the queued message' }).first().click();
  await queue.getByText('Third, changed').waitFor({ state: 'hidden' });
  await expect.poll(() => queue.getByRole('listitem').count()).toBe(1);
});

test('after Stop nothing queued starts until the person sends it, also after a reload (audit-U6)', async () => {
  const { window, complaints } = await start();
  await window.ask('Please wait');
  await window.transcript.getByText('Begun.').waitFor();
  for (const message of ['Second', 'Third', 'Fourth']) await window.enqueue(message);
  await window.message.press('Escape');
  await window.turnEnded();
  const rows = window.queue.getByRole('listitem');
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual([
      expect.stringContaining('Not sent: Second'),
      expect.stringContaining('Not sent: Third'),
      expect.stringContaining('Not sent: Fourth'),
    ]);
  expect(await window.axe()).toEqual([]);

  await window.page.reload();
  await rows.nth(2).waitFor();
  await window.ask('Something else');
  await window.transcript.getByText(/lantern/).waitFor();
  await window.turnEnded();
  await expect.poll(() => rows.count()).toBe(3);

  await rows.nth(1).getByRole('button', { name: 'Send now' }).click();
  await window.transcript.getByText('Third', { exact: true }).waitFor();
  await window.turnEnded();
  await rows.first().getByRole('button', { name: 'Edit' }).click();
  await window.queue.getByRole('textbox').fill('Second, changed');
  await window.queue.getByRole('textbox').press('Enter');
  await rows.nth(1).getByRole('button', { name: 'Remove the queued message' }).click();
  await expect.poll(() => rows.count()).toBe(1);
  await rows.getByRole('button', { name: 'Send now' }).click();
  await window.transcript.getByText('Second, changed').waitFor();
  await window.turnEnded();
  const said = await window.transcript.innerText();
  expect(said).toMatch(/Please wait[^]*Something else[^]*Third[^]*Second, changed/);
  expect(said).not.toContain('Fourth');
  await expect.poll(() => window.queue.count()).toBe(0);
  expect(complaints).toEqual([]);
});
