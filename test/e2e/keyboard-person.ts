/** Somebody who has only a keyboard: no mouse, no focus by script, and after every key a look at where the keyboard is. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

interface Place {
  /** As a screen reader would call it. */
  name: string;
  /** Somewhere, on the screen, and seen to be there: a ring, or what stands for one. */
  visible: boolean;
}

/** What has the keyboard now, and how that can be seen. */
async function look(page: Page): Promise<Place> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { name: '', visible: false };
    const [ringColour, frameColour] = ['--focus', '--l3'].map((variable) => {
      const probe = document.createElement('i');
      probe.style.color = `var(${variable})`;
      document.body.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    const group = element.closest('[role=radiogroup], fieldset');
    const frame = element instanceof HTMLTextAreaElement ? element.parentElement : null;
    const ringed = [element, label, group, element.parentElement].some((candidate) => {
      if (!candidate) return false;
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(candidate);
      const drawn = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
      return drawn && !outlineColor.endsWith(', 0)');
    });
    const shown =
      ringed ||
      // An entry of a menu is a line of its own colour, the edge of a column a line of the ring's.
      (element.hasAttribute('data-highlighted') &&
        !getComputedStyle(element).backgroundColor.endsWith(', 0)')) ||
      getComputedStyle(element, '::after').backgroundColor === ringColour ||
      // The message box shows it on its frame.
      (frame !== null && getComputedStyle(frame).borderTopColor === frameColour);
    const { width, height, top, right, bottom, left } = element.getBoundingClientRect();
    const inView =
      Math.min(width, height, bottom, right) > 0 && top < window.innerHeight && left < window.innerWidth;
    const labelledBy = element.getAttribute('aria-labelledby');
    const name =
      element.getAttribute('aria-label') ??
      (labelledBy === null ? null : document.getElementById(labelledBy)?.innerText) ??
      label?.innerText ??
      element.innerText;
    return { name: name.replaceAll(/\s+/g, ' ').trim(), visible: shown && inView };
  });
}

/** Where the keyboard is. Fails where that is nowhere, has no name or cannot be seen; a colour may take its moment. */
export async function place(page: Page): Promise<string> {
  await expect.poll(() => look(page)).toEqual({ name: expect.stringMatching(/\S/), visible: true });
  return (await look(page)).name;
}

export async function press(page: Page, key: string): Promise<string> {
  await page.keyboard.press(key);
  return place(page);
}

export async function type(page: Page, words: string): Promise<void> {
  await page.keyboard.type(words);
  await place(page);
}

/** Presses one key again and again until the keyboard is on what is wanted. */
export async function go(page: Page, key: string, wanted: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < 60; step += 1) {
    const reached = await press(page, key).catch((cause: unknown) => {
      throw new Error(`${key} lost the keyboard after: ${passed.join(' | ')}`, { cause });
    });
    if (wanted.test(reached)) return;
    passed.push(reached);
  }
  throw new Error(`${key} does not lead to ${String(wanted)}, only to: ${passed.join(' | ')}`);
}

/** Waits until the window has put the keyboard where it should be. */
export async function isAt(page: Page, locator: Locator): Promise<void> {
  const keyboard = (): Promise<string> =>
    locator.evaluate((element) => {
      const active = document.activeElement;
      return element === active ? 'where it should be' : (active?.outerHTML.slice(0, 300) ?? 'nowhere');
    });
  await expect.poll(keyboard).toBe('where it should be');
  await place(page);
}
