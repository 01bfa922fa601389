/** What both pages carry: when frames came, which token was painted when, and how long a key took to be seen. */
import type { Page } from 'playwright-core';

export interface Seen {
  /** Milliseconds between frames from the first painted token to the last one. */
  frames: number[];
  firstToken: number;
  /** When it was painted, in milliseconds of the epoch. */
  firstPaintedAt: number;
  lastToken: number;
  /** From the first painted token to the last one. */
  paintedMs: number;
  /** Key to painted frame. */
  keys: number[];
}

interface Probe {
  start(selector: string, last: number): void;
  done: boolean;
  painted: number;
  seen(): Seen;
}

declare global {
  interface Window {
    benchProbe: Probe;
  }
}

/** Runs in the page. What a frame shows is read in the first task after it, when it has been painted. */
function installProbe(): void {
  let selector = '';
  let last = -1;
  let painted = -1;
  let first = -1;
  let firstAt = 0;
  let lastAt = 0;
  let before = 0;
  let frames: number[] = [];
  let keys: number[] = [];
  let pressed: number[] = [];
  let run = 0;
  const tasks = new MessageChannel();
  let after: (() => void) | undefined;
  tasks.port1.onmessage = () => after?.();

  const newest = (): number => {
    const all = document.querySelectorAll(selector);
    // The last one may have been begun and be empty still.
    for (let place = all.length - 1; place >= 0 && place >= all.length - 2; place -= 1) {
      const numbers = all[place]?.textContent.slice(-400).match(/w\d+\b/g);
      if (numbers) return Number(numbers.at(-1)?.slice(1));
    }
    return -1;
  };
  addEventListener('keydown', (event) => void pressed.push(event.timeStamp), true);

  const look = (own: number, at: number): void => {
    if (own !== run) return;
    const previous = before;
    before = at;
    if (firstAt > 0 && !window.benchProbe.done) frames.push(at - previous);
    after = () => {
      const now = performance.now();
      for (const key of pressed) if (key < at) keys.push(now - key);
      pressed = pressed.filter((key) => key >= at);
      const token = newest();
      if (token <= painted) return;
      painted = token;
      window.benchProbe.painted = token;
      if (firstAt === 0) {
        first = token;
        firstAt = now;
      }
      lastAt = now;
      if (token >= last) window.benchProbe.done = true;
    };
    tasks.port2.postMessage(0);
    requestAnimationFrame((next) => look(own, next));
  };

  window.benchProbe = {
    done: false,
    painted: -1,
    start(where, until) {
      selector = where;
      last = until;
      painted = -1;
      firstAt = 0;
      frames = [];
      keys = [];
      pressed = [];
      run += 1;
      window.benchProbe.done = false;
      window.benchProbe.painted = -1;
      const own = run;
      requestAnimationFrame((at) => {
        before = at;
        look(own, at);
      });
    },
    seen() {
      run += 1;
      return {
        frames,
        firstToken: first,
        firstPaintedAt: performance.timeOrigin + firstAt,
        lastToken: painted,
        paintedMs: lastAt - firstAt,
        keys,
      };
    },
  };
}

export const addProbe = (page: Page): Promise<unknown> => page.addInitScript(installProbe);

/** @param selector of the elements of answers; the last one in the page is read */
export const startProbe = (page: Page, selector: string, last: number): Promise<void> =>
  page.evaluate(([where, until]) => window.benchProbe.start(where, until), [selector, last] as const);

export const untilPainted = async (page: Page, token: number, timeoutMs: number): Promise<void> => {
  await page.waitForFunction((wanted) => window.benchProbe.painted >= wanted, token, {
    polling: 50,
    timeout: timeoutMs,
  });
};

export const probeSeen = (page: Page): Promise<Seen> => page.evaluate(() => window.benchProbe.seen());
