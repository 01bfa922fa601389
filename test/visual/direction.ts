/** What runs the wrong way, in a window from right to left as in one from left to right: code, foreign words, arrows, edges. */
import type { Page } from 'playwright-core';

/** Icons that point along the line, by what they show; all others look the same in every window. */
const pointing = ['right', 'previous', 'undo', 'open', 'left', 'panel', 'send', 'plan'];

/** One line for each place; empty where everything runs its own way. */
export const directionFaults = (page: Page): Promise<string[]> =>
  page.evaluate(
    `(() => {
      const pointing = ${JSON.stringify(pointing)};
      const name = ${String(name)};
      const isSeen = ${String(isSeen)};
      const beginsAtRight = ${String(beginsAtRight)};
      const isApart = ${String(isApart)};
      const turn = ${String(turn)};
      return [
        ...(${String(misreadTexts)})(),
        ...(${String(unturnedIcons)})(),
        ...(${String(cutControls)})(),
      ];
    })()`,
  );

const name = (element: Element): string => {
  const words = (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 50);
  return `${element.tagName.toLowerCase()}.${String(element.getAttribute('class'))} “${words}”`;
};

const isSeen = (element: Element): boolean =>
  element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
  element.closest('.sr-only') === null;

/** The first letter that says a direction says: from the right. */
const beginsAtRight = (words: string): boolean =>
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(words);

/** What runs from the left has no part in the order of a line around it that runs from the right. */
const isApart = (element: Element): boolean => {
  for (let place: Element | null = element; place?.parentElement; place = place.parentElement) {
    if (getComputedStyle(place.parentElement).direction === 'ltr') continue;
    const { display, unicodeBidi } = getComputedStyle(place);
    return display !== 'inline' || /isolate|plaintext/.test(unicodeBidi);
  }
  return true;
};

/** Code runs from the left wherever it stands; foreign words run as they are written. */
function misreadTexts(): string[] {
  const faults: string[] = [];
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    const own = isField
      ? element.value
      : [...element.childNodes].map((node) => (node.nodeType === 3 ? node.nodeValue : '')).join('');
    const { direction, fontFamily, unicodeBidi } = getComputedStyle(element);
    if (!isSeen(element)) continue;
    // Asked for their own direction, they were not heard: of a part that is set apart nothing is known.
    if (element.dir === 'auto' && direction === 'ltr' && beginsAtRight(element.textContent))
      faults.push(`words that run from the left: ${name(element)}`);
    if (!own.trim()) continue;
    const isCode = /Mono/.test(fontFamily) || /^\s*(?:[~.]*\/|https?:)[^\s/]\S*$/.test(own);
    if (isCode && !beginsAtRight(own)) {
      if (direction !== 'ltr' && unicodeBidi !== 'plaintext')
        faults.push(`code that runs from the right: ${name(element)}`);
      else if (!isApart(element)) faults.push(`code that joins the line around it: ${name(element)}`);
    }
    if (isCode || direction === 'rtl' || unicodeBidi === 'plaintext' || !beginsAtRight(own)) continue;
    let block: Element = element;
    while (block.parentElement && getComputedStyle(block).display === 'inline') block = block.parentElement;
    if (isField || block === element || beginsAtRight(block.textContent))
      faults.push(`words that run from the left: ${name(element)}`);
  }
  return faults;
}

/** -1 = mirrored, as often as not by what is around it. */
const turn = (element: Element): number => {
  let way = 1;
  for (let place: Element | null = element; place; place = place.parentElement) {
    const { scale, transform } = getComputedStyle(place);
    if (scale !== 'none') way *= Math.sign(Number(scale.split(' ')[0]));
    if (transform !== 'none') way *= Math.sign(new DOMMatrix(transform).a);
  }
  return way;
};

function unturnedIcons(): string[] {
  return [...document.querySelectorAll('svg.ic')].filter(isSeen).flatMap((icon) => {
    const shows = String(icon.getAttribute('data-icon'));
    const isMirrored = icon.closest('[dir="ltr"], [dir="rtl"]')?.getAttribute('dir') === 'rtl';
    const isTurned = turn(icon) < 0;
    if (!icon.hasAttribute('data-icon')) return [`an icon that does not say which: ${name(icon)}`];
    if (isTurned === (isMirrored && pointing.includes(shows))) return [];
    return [`icon “${shows}” is ${isTurned ? '' : 'not '}mirrored: ${name(icon.parentElement ?? icon)}`];
  });
}

/** Nobody scrolls to the rest of what is cut off at a side; the end of a text that is cut says so. */
function cutControls(): string[] {
  const faults: string[] = [];
  for (const control of document.querySelectorAll('button, a[href], input, textarea, select, svg, img')) {
    if (!isSeen(control) || control.parentElement?.closest('svg')) continue;
    const box = control.getBoundingClientRect();
    if (box.width < 1) continue;
    for (let place = control.parentElement; place; place = place.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(place);
      if (/auto|scroll/.test(overflowX) || textOverflow === 'ellipsis') break;
      if (overflowX === 'visible' && place !== document.body) continue;
      const { left, right } = place.getBoundingClientRect();
      if (box.left >= left - 1 && box.right <= right + 1) continue;
      faults.push(`cut off at the side of ${place.tagName.toLowerCase()}: ${name(control)}`);
      break;
    }
  }
  return faults;
}
