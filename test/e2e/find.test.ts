/** Words are found in a long session, in a real Chromium: what is far away is fetched, drawn, brought into view and marked. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { startAgentHouse, type AgentHouse } from './agent-house.ts';

const part = (number: number): string =>
  `## Part ${String(number)}\n\nThe quick brown fox jumps over the lazy dog, again and again.\n`;
const answer = Array.from({ length: 60 }, (_, number) => part(number)).join('\n');

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

test('a place in the middle of a long answer is found by keyboard, marked, and let go by Escape', async () => {
  const { window, complaints, close } = await house.begin(
    script([rule({ user: 'everything' }, reply().text(answer)), rule({}, reply().text('Nothing more.'))]),
    { viewport: { width: 900, height: 600 } },
  );
  const { page } = window;
  await window.ask('Tell me everything');
  await window.turnEnded();
  await window.ask('And else?');
  await window.turnEnded();

  await page.keyboard.press('Control+f');
  const bar = page.getByRole('search', { name: 'Find in this session' });
  await page.keyboard.type('part 33');
  await bar.getByText('1 of 1').waitFor();
  const heading = window.transcript.getByRole('heading', { name: 'Part 33' });
  await heading.waitFor();
  await expect.poll(() => heading.evaluate(isInView)).toBe(true);
  await expect.poll(() => page.evaluate(marked)).toEqual(['Part 33']);
  expect(await window.axe()).toEqual([]);

  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => CSS.highlights.size)).toBe(0);
  await close();
  expect(complaints).toEqual([]);
});

test('Ctrl+A in the transcript takes the whole conversation, and Ctrl+C copies it, drawn or not', async () => {
  const { window, complaints, close } = await house.begin(
    script([rule({ user: 'everything' }, reply().text(answer)), rule({}, reply().text('Nothing more.'))]),
    { viewport: { width: 900, height: 600 } },
  );
  const { page } = window;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await window.ask('Tell me everything');
  await window.turnEnded();
  await window.ask('And else?');
  await window.turnEnded();

  await window.transcript.focus();
  await page.keyboard.press('Control+a');
  await page.getByText('The whole conversation is selected').waitFor({ state: 'attached' });
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('');
  expect(await window.axe()).toEqual([]);
  await page.keyboard.press('Control+c');
  await page.getByText('The conversation is copied as Markdown.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  for (const said of ['Tell me everything', 'Part 0', 'Part 33', 'Part 59', 'And else?', 'Nothing more.']) {
    expect(copied).toContain(said);
  }
  await close();
  expect(complaints).toEqual([]);
});

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  const log = element.closest('[role=log]')?.getBoundingClientRect();
  return log !== undefined && top >= log.top && bottom <= log.bottom;
}

function marked(): string[] {
  return [...(CSS.highlights.get('found') ?? [])].map(String);
}
