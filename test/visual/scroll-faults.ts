/** What moves when somebody goes to a place in the window: nothing but what is made to scroll may. */
import type { Page } from 'playwright-core';

/** Goes to every element of the page in turn. One line for each place that is wrong; empty where nothing else moved. */
export const scrollFaults = (page: Page): Promise<string[]> =>
  page.evaluate(
    `(() => {
      const name = ${String(name)};
      const movable = ${String(movable)};
      const holdsPlaces = ${String(holdsPlaces)};
      return (${String(findFaults)})();
    })()`,
  );

/** What stands moved now although no person can move it back; empty where all is in its place. */
export const movedPlaces = (page: Page): Promise<string[]> =>
  page.evaluate(
    `(() => {
      const name = ${String(name)};
      const movable = ${String(movable)};
      const holdsPlaces = ${String(holdsPlaces)};
      return (${String(findMoved)})();
    })()`,
  );

const name = (element: Element): string =>
  `${element.tagName.toLowerCase()}.${String(element.getAttribute('class'))}`;

/** Along which axes a person can scroll it, and so bring it back. */
const movable = (element: Element): { x: boolean; y: boolean } => {
  const { overflowX, overflowY } = getComputedStyle(element);
  return { x: /auto|scroll/.test(overflowX), y: /auto|scroll/.test(overflowY) };
};

/** Fields scroll their own text, and nothing else is in them. */
const holdsPlaces = (element: Element): boolean =>
  element instanceof HTMLElement && !['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName);

function findFaults(): string[] {
  const faults = new Set<string>();
  const all = [...document.querySelectorAll<HTMLElement>('body, body *')].filter(holdsPlaces);
  for (const element of all) {
    const { x, y } = movable(element);
    const { overflowX, position } = getComputedStyle(element);
    if (!x && !y && overflowX === 'hidden' && element.hasChildNodes())
      faults.add(`${name(element)} hides what a script can still scroll to: it needs overflow: clip`);
    // What is placed inside it by its own coordinates would otherwise stick out of one of its parents.
    if ((x || y) && position === 'static') faults.add(`${name(element)} scrolls and has no position`);
  }

  const check = (visited: Element): void => {
    for (let place: Element | null = visited; place; place = place.parentElement) {
      const may = movable(place);
      const moved = (!may.y && place.scrollTop !== 0) || (!may.x && place.scrollLeft !== 0);
      if (!moved || !holdsPlaces(place)) continue;
      faults.add(`${name(place)} was moved by going to ${name(visited)}`);
      place.scrollTo(0, 0);
    }
    if (scrollX === 0 && scrollY === 0) return;
    faults.add(`the page was moved by going to ${name(visited)}`);
    scrollTo(0, 0);
  };
  const ways: ((element: HTMLElement) => void)[] = [
    (element) => element.scrollIntoView({ block: 'start', inline: 'start' }),
    (element) => element.scrollIntoView({ block: 'end', inline: 'end' }),
    (element) => element.focus(),
  ];
  for (const element of all) {
    for (const go of ways) {
      go(element);
      check(element);
    }
  }
  return [...faults];
}

function findMoved(): string[] {
  const moved = [...document.querySelectorAll('body, body *')].filter((place) => {
    const may = movable(place);
    const isOff = (!may.y && place.scrollTop !== 0) || (!may.x && place.scrollLeft !== 0);
    return isOff && holdsPlaces(place);
  });
  return [...moved.map(name), ...(scrollX === 0 && scrollY === 0 ? [] : ['the page'])];
}
