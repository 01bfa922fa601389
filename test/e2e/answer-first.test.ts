/** A turn as a person reads it in a real Chromium: the question on top, the work in one line, the answer, one quiet line. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { reply, type Script } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { numbered } from '../helpers/long-text.ts';
import { startAgentHouse, type AgentHouse } from './agent-house.ts';
import type { OpenWindow } from './launch-web.ts';

const half = numbered('One more word about the lamp. ', 12);
const long = Array.from({ length: 40 }, (_, at) => `Part ${String(at)} of the lamp.`).join('\n\n');

/** Of letters so narrow that it is one line, and so many that it is taken for two as long as nobody looks. */
const oneLine =
  ' still fills its little tin till it is lit; if it is still lit it tilts, it is in it still, I think, in its tin.';

/** Two calls before every answer; it comes in two halves with a pause between, or is longer than the view. */
const answers: Script = ({ endpoint, lastUser, results }) => {
  if (endpoint !== 'chat') return undefined;
  if (results.length === 0) return reply().text('I look first.').toolCall('list_dir', { path: '.' });
  if (results.length === 1) return reply().toolCall('read_file', { path: 'lamp.ts' });
  if (lastUser.includes('at length')) return reply().text(long);
  if (lastUser.includes('in one line')) return reply().text('It').pause(300).text(oneLine);
  return reply().text(`First half. ${half}`).pause(1_500).text(`${half} The end.`);
};

let browser: Browser;
let house: AgentHouse;
beforeAll(async () => {
  browser = await launchChromium();
  house = await startAgentHouse(browser, { files: { 'lamp.ts': 'const lamp = 1;\n' } });
});
afterAll(async () => {
  await house.close();
  await browser.close();
});

let view: OpenWindow;
beforeEach(async () => {
  view = await house.begin(answers, { viewport: { width: 1100, height: 800 } });
});
afterEach(async () => {
  const { complaints } = view;
  await view.close();
  if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('; ')}`);
});

/** Pixels from the top of the transcript. */
async function topOf(shown: Locator): Promise<number> {
  const [box, outside] = [await shown.boundingBox(), await view.window.transcript.boundingBox()];
  return (box?.y ?? Number.NaN) - (outside?.y ?? 0);
}

async function askTwice(second: string): Promise<Locator> {
  const { window } = view;
  await window.ask('What is the lamp?');
  await window.transcript.getByText('The end.').waitFor();
  await window.turnEnded();
  await window.ask(second);
  return window.transcript.getByText(second, { exact: true });
}

/** Begins to note where the row that begins with `text` is painted, frame by frame; the result returns the places. */
async function watchRow(page: Page, text: string): Promise<() => Promise<string[]>> {
  const places = await page.evaluateHandle((begin) => {
    const seen: string[] = [];
    const look = (): void => {
      const row = [...document.querySelectorAll('[data-index]')].find((one) =>
        one.textContent.startsWith(begin),
      );
      // Read as this frame is painted: before that the page still measures and moves what it draws.
      const painted = new IntersectionObserver(([entry]) => {
        painted.disconnect();
        if (entry?.target.isConnected) note(`at ${entry.boundingClientRect.top.toFixed(0)}`);
      });
      if (row) painted.observe(row);
      else if (seen.length > 0) note('gone');
      requestAnimationFrame(look);
    };
    const note = (place: string): void => {
      if (seen.at(-1) !== place) seen.push(place);
    };
    requestAnimationFrame(look);
    return seen;
  }, text);
  return () => places.jsonValue();
}

test('a message that is sent comes to the top, and nothing moves while its answer is written', async () => {
  const { page, transcript } = view.window;
  const places = await watchRow(page, 'And what is it now?');
  const question = await askTwice('And what is it now?');
  await expect.poll(() => transcript.getByText(/^First half\./).count()).toBe(2);
  await transcript.getByText('The end.').last().waitFor();
  await view.window.turnEnded();
  const top = await topOf(question);
  expect(top).toBeGreaterThan(0);
  expect(top).toBeLessThan(60);
  expect(await places()).toEqual([expect.stringMatching(/^at \d+$/)]);
});

test('a message that is asked again stays where it is, and so do its versions', async () => {
  const { window } = view;
  const { page, transcript } = window;
  await askTwice('And what is it now?');
  await window.turnEnded();
  const places = await watchRow(page, 'And what is it now?');
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await transcript.getByText('2/2').waitFor();
  await window.turnEnded();
  await page.getByRole('button', { name: 'Earlier version' }).click();
  await transcript.getByText('1/2').waitFor();
  expect(await places()).toEqual([expect.stringMatching(/^at \d+$/)]);
});

test('a message comes to the same place whatever stands above it', async () => {
  const { window } = view;
  const tops: number[] = [];
  for (const message of ['Say it in one line', 'And in one line again', 'What is it in one line?']) {
    await window.ask(message);
    await window.turnEnded();
    tops.push(await topOf(window.transcript.getByText(message, { exact: true })));
  }
  // The first one has no hairline above it.
  expect(tops.slice(1)).toEqual([tops[1], tops[1]]);
});

test('what was done stands in one line before the answer, and opens by its steps', async () => {
  const { window } = view;
  await window.ask('What is the lamp?');
  await window.transcript.getByText('The end.').waitFor();
  await window.turnEnded();
  const line = window.transcript.getByRole('button', { name: /^Looked at 1 folder and 1 file/ });
  await line.waitFor();
  const read = window.transcript.getByRole('button', { name: /^Read\s*lamp\.ts/ });
  await expect.poll(() => read.count()).toBe(0);
  await expect.poll(() => window.transcript.getByText('I look first.').count()).toBe(0);
  await window.showWork();
  await read.waitFor();
  await expect.poll(() => line.getAttribute('aria-expanded')).toBe('true');
  await line.click();
  await read.waitFor({ state: 'detached' });
});

test('the time under an answer opens where it went, whole by keyboard, and leads to the engine room', async () => {
  const { window } = view;
  const { page } = window;
  await window.ask('What is the lamp?');
  await window.turnEnded();
  const time = window.transcript.getByTitle('Where the time went');
  await time.focus();
  await page.keyboard.press('Enter');
  const receipt = page.getByRole('dialog', { name: 'Where the time went' });
  await receipt.getByText('Writing').waitFor();
  expect(await window.axe()).toEqual([]);
  await page.keyboard.press('Escape');
  await receipt.waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await receipt.getByRole('button', { name: 'Open the engine room' }).click();
  const room = page.getByRole('region', { name: 'Engine room' });
  await room.getByRole('row', { name: /^What is the lamp\?/ }).waitFor();
  expect(await window.axe()).toEqual([]);
  await page.keyboard.press('Escape');
  await window.message.waitFor();
});

test('an answer that is longer than the view keeps its question over it, and a click leads to it', async () => {
  const question = await askTwice('Tell me at length.');
  const { window } = view;
  const { page, transcript } = window;
  await transcript.getByText('Part 39 of the lamp.').waitFor();
  await window.turnEnded();
  const above = page.getByRole('button', { name: 'Go to the question: Tell me at length.' });
  await above.waitFor();
  expect(await window.axe()).toEqual([]);
  await above.click();
  await expect.poll(() => question.isVisible()).toBe(true);
  await above.waitFor({ state: 'detached' });
});
