/** Somebody who reads further up in a real Chromium: what they press, what they send, and what waits for them meanwhile. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { reply, type Script } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { numbered } from '../helpers/long-text.ts';
import { movedPlaces } from '../visual/scroll-faults.ts';
import { startAgentHouse, type AgentHouse } from './agent-house.ts';
import type { OpenWindow } from './launch-web.ts';

const file = Array.from({ length: 120 }, (_, line) => `line ${String(line)} of the lamp`).join('\n');
const pause = 'Wait before the question';

/** Work with rows of every kind that opens; then an answer to whatever is said, and a question on demand. */
function answers(): Script {
  const work = [
    reply().thinking(numbered('First the files. ', 60)).toolCall('list_dir', { path: '.' }),
    reply().toolCall('read_file', { path: 'lamp.ts' }),
    reply().thinking(numbered('Then the words. ', 60)).toolCall('search', { pattern: 'lamp' }),
    reply().text('It is a lamp.\n\n'.repeat(30)),
  ];
  return ({ endpoint, lastUser, results }) => {
    if (endpoint !== 'chat') return undefined;
    if (lastUser.includes('Look around')) return work[results.length];
    const message = lastUser.split('\n')[0] ?? '';
    if (!message.includes(pause)) return reply().text(`Answer to: ${message}`);
    return results.length === 0
      ? reply().text(`Working on: ${message}`).pause(1_500).toolCall('run_command', { command: 'echo asked' })
      : reply().text(`Done with: ${message}`);
  };
}

let browser: Browser;
let house: AgentHouse;
beforeAll(async () => {
  browser = await launchChromium();
  house = await startAgentHouse(browser, { files: { 'lamp.ts': file, 'README.md': '# Lamp\n' } });
});
afterAll(async () => {
  await house.close();
  await browser.close();
});

let view: OpenWindow;
beforeEach(async () => {
  view = await house.begin(answers(), { viewport: { width: 900, height: 600 } });
  await view.window.ask('Look around');
  await view.window.transcript.getByText('It is a lamp.').first().waitFor();
  await view.window.turnEnded();
});
afterEach(() => view.close());

const distanceToEnd = (): Promise<number> =>
  view.window.transcript.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);

async function isInView(shown: Locator): Promise<boolean> {
  const [box, outside] = [await shown.boundingBox(), await view.window.transcript.boundingBox()];
  if (!box || !outside) return false;
  return box.y >= outside.y && box.y + box.height <= outside.y + outside.height;
}

/** As a person does it, with the wheel over the transcript. */
async function wheelUp(): Promise<void> {
  const { page, transcript } = view.window;
  const box = await transcript.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 100);
  await page.mouse.wheel(0, -20_000);
  await expect.poll(() => transcript.evaluate((log) => log.scrollTop)).toBe(0);
}

test('whatever row is opened while scrolled up, the next message and its answer are in view (audit-U2)', async () => {
  const { window } = view;
  const { page, transcript } = window;
  await wheelUp();
  const heads = transcript.locator('[aria-expanded]');
  const count = await heads.count();
  expect(count).toBeGreaterThanOrEqual(3);
  for (let at = 0; at < count; at += 1) {
    await wheelUp();
    const head = heads.nth(at);
    const open = await head.getAttribute('aria-expanded');
    await head.click();
    await expect.poll(() => head.getAttribute('aria-expanded')).not.toBe(open);
    // Opening moves nothing else.
    expect(await movedPlaces(page)).toEqual([]);
    await expect.poll(() => isInView(head)).toBe(true);

    const message = `Message ${String(at)}`;
    await window.ask(message);
    const answer = transcript.getByText(`Answer to: ${message}`);
    await answer.waitFor();
    await window.turnEnded();
    await expect.poll(distanceToEnd).toBeLessThanOrEqual(1);
    expect(await isInView(answer)).toBe(true);
    expect(await isInView(transcript.getByText(message, { exact: true }))).toBe(true);
  }
  expect(view.complaints).toEqual([]);
});

test('a question that waits below the view is announced over it, and one press leads to it (audit-U2)', async () => {
  const { window } = view;
  const { page, approval, transcript } = window;
  for (const way of ['press', 'key'] as const) {
    const message = `${pause}, ${way}`;
    await window.ask(message);
    await transcript.getByText(`Working on: ${message}`).waitFor();
    await wheelUp();
    const notice = page.getByRole('region', { name: 'Waiting for you' });
    await notice.waitFor();
    await expect.poll(() => notice.innerText()).toContain('echo asked');
    expect((await approval.count()) === 1 && (await isInView(approval))).toBe(false);
    expect(await window.axe()).toEqual([]);
    if (way === 'press') await notice.getByRole('button', { name: 'Show' }).click();
    else await page.keyboard.press('Alt+a');
    await approval.waitFor();
    await expect.poll(() => isInView(approval.getByRole('button', { name: /^Allow once/ }))).toBe(true);
    await expect.poll(() => approval.evaluate((card) => card.contains(document.activeElement))).toBe(true);
    await notice.waitFor({ state: 'detached' });
    await approval.getByRole('button', { name: /^Decline/ }).click();
    await transcript.getByText(`Done with: ${message}`).waitFor();
    await window.turnEnded();
  }
  expect(view.complaints).toEqual([]);
});

test('a question in view is announced by nothing else (audit-U2)', async () => {
  const { window } = view;
  const notice = window.page.getByRole('region', { name: 'Waiting for you' });
  await window.ask(pause);
  await window.approval.waitFor();
  await expect.poll(() => isInView(window.approval.getByRole('button', { name: /^Allow once/ }))).toBe(true);
  await notice.waitFor({ state: 'detached' });
  await wheelUp();
  await notice.waitFor();
  await notice.getByRole('button', { name: 'Show' }).click();
  await window.approval.getByRole('button', { name: /^Decline/ }).click();
  await window.turnEnded();
});
