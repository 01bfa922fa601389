/** Versions of a message, gone through by clicks and keys in a real Chromium (audit-U9). */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { startAgentHouse, type AgentHouse } from './agent-house.ts';

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

/** Each answer is another one, and says what was asked before it. */
function counting(): Script {
  let answers = 0;
  return ({ endpoint, messages }) => {
    if (endpoint !== 'chat') return undefined;
    const asked = messages.flatMap(({ role, content }) =>
      role === 'user' ? [/ask \w+/.exec(content)?.[0]] : [],
    );
    return reply().text(`Answer ${String((answers += 1))} to ${asked.join(', ')}.`);
  };
}

test('a person goes back to an earlier version with all that followed, and the model reads that one', async () => {
  const { window, complaints, close } = await house.begin(counting());
  const { page, transcript } = window;
  const say = async (text: string): Promise<void> => {
    await window.ask(text);
    await window.turnEnded();
  };
  await say('ask one');
  await say('ask two');
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await transcript.getByText('Answer 3 to ask one, ask two.').waitFor();
  await window.turnEnded();
  const pager = transcript.getByRole('group', { name: 'Version 2 of 2' });
  await pager.getByText('2/2').waitFor();
  await expect.poll(() => transcript.getByText(/^Earlier version \(/).count()).toBe(0);
  expect(await window.axe()).toEqual([]);

  await pager.getByRole('button', { name: 'Earlier version' }).click();
  await transcript.getByText('Answer 2 to ask one, ask two.').waitFor();
  await expect.poll(() => transcript.getByText('Answer 3').count()).toBe(0);
  await say('ask three');
  await transcript.getByText('Answer 4 to ask one, ask two, ask three.').waitFor();

  // By keyboard alone, there and back: the key stays where it is.
  await transcript.getByRole('button', { name: 'Later version' }).focus();
  await page.keyboard.press('Enter');
  await transcript.getByText('Answer 3 to ask one, ask two.').waitFor();
  await expect.poll(() => transcript.getByText('ask three').count()).toBe(0);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await transcript.getByText('Answer 4 to ask one, ask two, ask three.').waitFor();

  await page.reload();
  await transcript.getByText('Answer 4 to ask one, ask two, ask three.').waitFor();
  await transcript.getByText('1/2').waitFor();
  await expect.poll(() => transcript.getByText('Answer 3').count()).toBe(0);
  await close();
  expect(complaints).toEqual([]);
});

test('an edited message keeps the one before it, and the palette leads back', async () => {
  const { window, complaints, close } = await house.begin(counting());
  const { page, transcript } = window;
  await window.ask('ask one');
  await window.turnEnded();
  await transcript.getByText('ask one', { exact: true }).hover();
  await transcript.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Another version of the message' }).fill('ask other');
  await page.keyboard.press('Enter');
  await transcript.getByText('Answer 2 to ask other.').waitFor();
  await window.turnEnded();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('earlier version');
  await page.getByRole('option', { name: /Go to the earlier version/ }).waitFor();
  await page.keyboard.press('Enter');
  await transcript.getByText('Answer 1 to ask one.').waitFor();
  await expect.poll(() => transcript.getByText('ask other').count()).toBe(0);
  await close();
  expect(complaints).toEqual([]);
});
