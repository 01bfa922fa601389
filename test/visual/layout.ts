/** What a designer would see at once and a screenshot comparison would not name: text cut off, controls out of reach. */
import type { Page } from 'playwright-core';

/** One line for each place; empty where everything has its room. */
export const layoutFaults = (page: Page): Promise<string[]> =>
  page.evaluate(
    `(() => {
      const isAbove = ${String(isAbove)};
      const isForEyes = ${String(isForEyes)};
      const isShown = ${String(isShown)};
      const name = ${String(name)};
      const visiblePart = ${String(visiblePart)};
      return (${String(findFaults)})();
    })()`,
  );

const name = (element: Element): string => {
  const words = (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 50);
  return `${element.tagName.toLowerCase()}.${String(element.getAttribute('class'))} “${words}”`;
};

const isShown = (element: Element): boolean =>
  element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
  element.getClientRects().length > 0;

/** Text that only a screen reader hears is drawn in one pixel. */
const isForEyes = (element: Element): boolean => element.closest('.sr-only') === null;

/** In a layer that lies above the other on purpose: a list, a dialog, a button over what scrolls. */
const isAbove = (upper: Element, lower: Element): boolean => {
  for (let layer: Element | null = upper; layer && !layer.contains(lower); layer = layer.parentElement) {
    if (['absolute', 'fixed', 'sticky'].includes(getComputedStyle(layer).position)) return true;
  }
  return false;
};

/** The part of it that its scrolling parents let through; null = none. */
const visiblePart = (element: Element): DOMRect | null => {
  let { left, top, right, bottom } = element.getBoundingClientRect();
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (getComputedStyle(parent).overflow === 'visible') continue;
    const box = parent.getBoundingClientRect();
    left = Math.max(left, box.left);
    top = Math.max(top, box.top);
    right = Math.min(right, box.right);
    bottom = Math.min(bottom, box.bottom);
  }
  return right - left < 2 || bottom - top < 2 ? null : new DOMRect(left, top, right - left, bottom - top);
};

function findFaults(): string[] {
  const faults: string[] = [];
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`the page is ${String(scrollWidth - clientWidth)} px too wide`);
  if (scrollHeight > clientHeight)
    faults.push(`the page is ${String(scrollHeight - clientHeight)} px too tall`);

  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    if (!isShown(element) || !isForEyes(element)) continue;
    const { overflowX, textOverflow } = getComputedStyle(element);
    // What is drawn in a pixel or two is for screen readers, whatever hides it.
    const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 2;
    const hides = overflowX === 'hidden' || overflowX === 'clip';
    const ownText = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
    if (isCut && hides && ownText && textOverflow !== 'ellipsis')
      faults.push(`text is cut: ${name(element)}`);
  }

  // Wide code scrolls in a place of its own; a column that scrolls sideways hides what stands at its edge.
  for (const pane of document.querySelectorAll('aside, nav, [role="log"]')) {
    if (isShown(pane) && pane.clientWidth > 2 && pane.scrollWidth > pane.clientWidth + 1)
      faults.push(`${String(pane.scrollWidth - pane.clientWidth)} px too wide: ${name(pane)}`);
  }

  // Code scrolls inside its box; a box as wide as its longest line hides the buttons at its edge.
  for (const box of document.querySelectorAll<HTMLElement>('figure')) {
    if (isShown(box) && box.parentElement && box.offsetWidth > box.parentElement.clientWidth + 1)
      faults.push(`wider than its place: ${name(box)}`);
  }

  for (const control of document.querySelectorAll(
    'button, a[href], input, textarea, select, [tabindex="0"]',
  )) {
    if (!isShown(control) || !isForEyes(control)) continue;
    const part = visiblePart(control);
    if (!part) continue;
    if (part.left < -1 || part.right > innerWidth + 1 || part.top < -1 || part.bottom > innerHeight + 1) {
      faults.push(`outside of the window: ${name(control)}`);
      continue;
    }
    const hit = document.elementFromPoint(part.left + part.width / 2, part.top + part.height / 2);
    // What is scrolled under the question of its turn is out of view, as above the edge.
    const isUnder = hit?.closest('[data-over]') && control.closest('[role="log"]');
    if (hit && !isUnder && !control.contains(hit) && !hit.contains(control) && !isAbove(hit, control)) {
      faults.push(`covered by ${name(hit)}: ${name(control)}`);
    }
  }
  return faults;
}
