/** The message box in a real Chromium: what is written, chosen, pasted and dropped, until the model reads it. */
import { Buffer } from 'node:buffer';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { startAgentHouse, type AgentHouse } from './agent-house.ts';
import { hand, look, notes, pastePhoto, png, screenshot } from './handed-files.ts';
import type { OpenWindow } from './launch-web.ts';

const files = {
  'src/queue/lease.ts': 'export const lease = 1;\n',
  'src/queue/lease.test.ts': 'test\n',
  'docs/my lease notes.md': '# Leases\n',
  'ignored/lease.ts': 'no\n',
  '.gitignore': 'ignored/\n',
};

let browser: Browser;
let house: AgentHouse;
beforeAll(async () => {
  browser = await launchChromium();
  house = await startAgentHouse(browser, {
    files,
    models: [
      { name: 'llama3.1:8b', family: 'template-llama3.1' },
      { name: 'gemma4:8b', family: 'gemma4-small', capabilities: ['completion', 'tools', 'vision'] },
    ],
  });
});
afterAll(async () => {
  await house.close();
  await browser.close();
});

let view: OpenWindow;
let page: Page;
beforeEach(async () => {
  view = await house.begin(script([rule({}, reply().text('Understood.'))]));
  ({ page } = view.window);
});
afterEach(async () => {
  await view.close();
});

/** What the model was sent last, as it was sent. */
const lastChat = (): string =>
  JSON.stringify(house.sim.truth.requests.findLast(({ endpoint }) => endpoint === '/api/chat')?.body);

const sentSchema = z.object({ messages: z.array(z.object({ images: z.array(z.string()).optional() })) });

/** The newest message that a model was sent. */
const lastMessage = () => {
  const chats = house.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');
  const { messages } = sentSchema.parse(chats.at(-1)?.body);
  return messages.findLast(({ images }) => images) ?? {};
};

/** The turn is over: what can be done with its answer stands below it. */
const answered = (): Promise<void> => page.getByRole('button', { name: 'Regenerate' }).waitFor();

describe('a file that is named', () => {
  test('is found while it is written, taken by keyboard, and sent as plain words', async () => {
    const { window, complaints } = view;
    const list = page.getByRole('listbox', { name: 'Files' });
    await window.message.pressSequentially('Compare @lease');
    const first = list.getByRole('option').first();
    await first.waitFor();
    const offered = await list.getByRole('option').allInnerTexts();
    expect(offered.some((words) => words.includes('ignored'))).toBe(false);
    expect(offered.length).toBeGreaterThanOrEqual(3);
    expect(await window.axe()).toEqual([]);
    // Above the word that is written, and inside the window.
    const [box, field] = [await list.boundingBox(), await window.message.boundingBox()];
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((field?.y ?? 0) + 24);
    expect(box?.x).toBeGreaterThan((field?.x ?? 0) + 40);

    await window.message.pressSequentially(' not');
    await list.waitFor({ state: 'detached' });
    await window.message.fill('');
    await window.message.pressSequentially('Read @notes');
    await list.getByRole('option', { name: /my lease notes/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => window.message.inputValue()).toBe('Read @"docs/my lease notes.md" ');
    await page.keyboard.press('Control+z');
    await expect.poll(() => window.message.inputValue()).toBe('Read @notes');
    // What undoing brought back is selected.
    await page.keyboard.press('End');
    await list.getByRole('option', { name: /my lease notes/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await answered();
    await window.transcript.locator('code', { hasText: '@"docs/my lease notes.md"' }).waitFor();
    expect(lastChat()).toContain(String.raw`Read @\"docs/my lease notes.md\"`);
    expect(complaints).toEqual([]);
  });
});

describe('files that go with a message', () => {
  test('are chosen, pasted and dropped, outlive a reload, and are read by the model', async () => {
    const { window, complaints } = view;
    const chips = page.getByRole('list', { name: 'Attachments' }).first();
    await window.message.pressSequentially('/model llama');
    await page.getByRole('option', { name: /llama3\.1:8b/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => window.message.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Model: llama3.1:8b' }).waitFor();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach files' }).click();
    await (
      await chooser
    ).setFiles([
      { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('the first') },
      { name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.from('the second') },
    ]);
    await page.getByRole('button', { name: 'Remove two.txt' }).waitFor();
    await hand(page, 'paste', [screenshot]);
    await page.getByRole('button', { name: 'Remove image.png' }).waitFor();
    await hand(page, 'dragover', [notes('dropped.txt')]);
    await page.getByText('Drop to attach').waitFor();
    await hand(page, 'drop', [notes('dropped.txt')]);
    await page.getByRole('button', { name: 'Remove dropped.txt' }).waitFor();
    await page.getByText('Drop to attach').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Remove two.txt' }).click();
    await chips.locator('img').waitFor();
    expect(await window.axe()).toEqual([]);

    await page.reload();
    await window.ready();
    await chips.locator('img').waitFor();
    await expect.poll(() => chips.getByRole('listitem').count()).toBe(3);
    await page.getByText(/llama3\.1:8b can’t see images/).waitFor();
    await page.getByRole('button', { name: /^Switch to gemma4:8b/ }).click();
    await page.getByRole('button', { name: 'Model: gemma4:8b' }).waitFor();

    // Without a word beside them.
    await window.send.click();
    await answered();
    const sent = lastChat();
    expect(sent).toContain('[Attached files:]');
    expect(sent).toContain('one.txt');
    expect(sent).toContain('dropped.txt');
    expect(sent).not.toContain('two.txt');
    expect(sent).toContain(png.toString('base64'));

    await window.transcript.getByRole('button', { name: 'Look at image.png' }).click();
    await page.getByRole('dialog', { name: 'image.png' }).getByRole('img').waitFor();
    expect(await window.axe()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});

describe('a command that is written', () => {
  test('is chosen from a list and changes what it says', async () => {
    const { window } = view;
    const list = page.getByRole('listbox', { name: 'Commands' });
    await window.ask('Hello');
    await answered();
    await window.message.pressSequentially('/');
    await list.getByRole('option', { name: /^\/rename/ }).waitFor();
    await expect
      .poll(() => list.getByRole('option', { name: /^\/stop/ }).getAttribute('aria-disabled'))
      .toBe('true');
    expect(await window.axe()).toEqual([]);
    await window.message.pressSequentially('rename A better title');
    await page.keyboard.press('Enter');
    await window.sessions.getByText('A better title').waitFor();
    await expect.poll(() => window.message.inputValue()).toBe('');

    await window.message.pressSequentially('/model gem');
    await list.getByRole('option', { name: /gemma4/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Model: gemma4:8b' }).waitFor();

    const download = page.waitForEvent('download');
    await window.message.pressSequentially('/export m');
    await page.keyboard.press('Enter');
    expect((await download).suggestedFilename()).toBe('a-better-title.md');
  });
});

describe('a folder that is dropped', () => {
  test('is told, and the file that came with it is attached', async () => {
    const folder = temporaryFolder();
    try {
      const file = join(folder.path, 'beside.txt');
      writeFileSync(file, 'a note');
      mkdirSync(join(folder.path, 'fixtures'));
      const mouse = await page.context().newCDPSession(page);
      const data = { items: [], files: [join(folder.path, 'fixtures'), file], dragOperationsMask: 1 };
      const drag = (type: 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel') =>
        mouse.send('Input.dispatchDragEvent', { type, x: 720, y: 450, data });
      const frames = () =>
        page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      // A drop that comes before the browser knows that the page takes files goes nowhere.
      const isDropped = async (): Promise<boolean> => {
        for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const) {
          await drag(type);
          await frames();
        }
        const isTold = await page.getByText('fixtures is a folder. Only files can be attached.').isVisible();
        if (!isTold) await drag('dragCancel');
        return isTold;
      };
      await expect.poll(isDropped).toBe(true);
      await page.getByText('fixtures is a folder. Only files can be attached.').waitFor();
      await page.getByRole('button', { name: 'Remove beside.txt' }).waitFor();
      await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(1);
    } finally {
      folder.remove();
    }
  });
});

describe('a photo with more pixels than a model looks at', () => {
  test('is sent smaller, upright, and as the same bytes each time', async () => {
    const { window } = view;
    await window.message.pressSequentially('/model gemma');
    await page.getByRole('option', { name: /gemma4:8b/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Model: gemma4:8b' }).waitFor();
    for (const name of ['one.jpg', 'again.jpg']) {
      await pastePhoto(page, name);
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
    }
    await page
      .getByText(/made smaller: 1,045 × 1,568$/)
      .first()
      .waitFor();
    await window.ask('What is on it?');
    await answered();
    const { images } = lastMessage();
    expect(images).toHaveLength(2);
    expect(images?.[0]).toBe(images?.[1]);
    expect(await page.evaluate(look, images?.[0] ?? '')).toEqual({
      width: 1045,
      height: 1568,
      top: 'red',
      bottom: 'blue',
    });

    // The message keeps its place while its pictures come in, and they are looked at one after the other.
    const picture = window.transcript.getByRole('button', { name: 'Look at one.jpg' });
    await picture.getByRole('img', { name: 'one.jpg' }).waitFor();
    await picture.focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog', { name: 'one.jpg' })
      .getByText(/1,045 × 1,568$/)
      .waitFor();
    expect(await window.axe()).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'again.jpg' }).getByText('2 of 2').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save' }).click();
    expect((await saved).suggestedFilename()).toBe('again.jpg');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await picture.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(view.complaints).toEqual([]);
  });
});

describe('what is written with an input method', () => {
  test('is sent by no key that belongs to it', async () => {
    const { window } = view;
    const keyboard = await page.context().newCDPSession(page);
    await window.message.focus();
    await keyboard.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    // As the browser tells of a key that the input method takes: without its sign.
    await keyboard.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', code: 'Enter' });
    await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Enter', code: 'Enter' });
    await expect.poll(() => window.message.inputValue()).toBe('にほん');
    await keyboard.send('Input.insertText', { text: '日本' });
    await expect.poll(() => window.message.inputValue()).toBe('日本');
    await page.keyboard.press('Enter');
    await answered();
    expect(lastChat()).toContain('日本');
    expect(lastChat()).not.toContain('にほん');
  });
});

describe('what was not sent', () => {
  test('is there again in its session after a reload, with its lines', async () => {
    const { window } = view;
    await window.ask('The first session');
    await answered();
    await window.message.pressSequentially('half a');
    await page.keyboard.press('Shift+Enter');
    await window.message.pressSequentially('thought');
    await page
      .getByRole('button', { name: /^New session/ })
      .first()
      .click();
    await window.message.pressSequentially('another one');
    await page.reload();
    await window.ready();
    await expect.poll(() => window.message.inputValue()).toBe('another one');
    await window.sessions.getByText('The first session').click();
    await expect.poll(() => window.message.inputValue()).toBe('half a\nthought');
  });
});

describe('what is written', () => {
  test('takes 200 kB from the clipboard, and makes a file of them alone', async () => {
    const { window } = view;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const lines = Array.from(
      { length: 4000 },
      (_, line) => `${line} some @words of a log, one after the other`,
    );
    const pasted = lines.join('\n');
    await page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
    await window.message.focus();
    await page.keyboard.press('Control+v');
    await window.message.pressSequentially('Look at it');
    await expect.poll(() => window.message.inputValue()).toBe(`${pasted}Look at it`);
    await page.getByRole('button', { name: 'Attach as file' }).click();
    await page.getByRole('button', { name: 'Remove pasted.txt' }).waitFor();
    await expect.poll(() => window.message.inputValue()).toBe('Look at it');
    await page.getByRole('button', { name: /^Look at pasted.txt/ }).click();
    await page.getByRole('dialog', { name: 'pasted.txt' }).getByText('some @words of a log').waitFor();
  });

  test('grows the box to a third of the window and then scrolls in it', async () => {
    const { window } = view;
    const height = async (): Promise<number> => (await window.message.boundingBox())?.height ?? 0;
    const one = await height();
    await window.message.fill('a\nb\nc\nd');
    expect(await height()).toBeGreaterThan(one + 40);
    await window.message.fill(Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n'));
    expect(await height()).toBeLessThanOrEqual(301);
    expect(await window.message.evaluate((field) => field.scrollHeight > field.clientHeight)).toBe(true);
    await expect.poll(() => window.send.isVisible()).toBe(true);
  });

  test('gives way to earlier messages only at its first and last line as they are seen', async () => {
    const { window } = view;
    await window.ask('The first message');
    await answered();
    const long = 'one long line that has to break '.repeat(8).trim();
    await window.message.fill(long);
    // From its end the first press stays in the text: there are lines above.
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => window.message.inputValue()).toBe(long);
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => window.message.inputValue()).toBe('The first message');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => window.message.inputValue()).toBe(long);
  });
});
