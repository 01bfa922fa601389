/** Colours for code, worked out by a worker. Without one, or when it dies, code stays plain and readable. */
import { createContext } from 'react';
import type { StartWorker } from '../page-worker.ts';
import type { ColourReply, ColourRequest } from './colourist.ts';
import workerAddress from './highlight-worker.ts?worker&url';
import { decodeLines, type CodeLine } from './tones.ts';

export interface Coloured {
  lines: CodeLine[];
  /** Goes on at the end of these lines; null = cannot be gone on with. */
  state: number | null;
}

export interface Highlighter {
  /** Colours of a whole text that were asked for before. */
  known(language: string, code: string): CodeLine[] | null;
  remember(language: string, code: string, lines: CodeLine[]): void;
  /** Colours of whole lines, those of `after` standing before them; null = they stay plain. */
  colour(language: string, code: string, after?: number | null): Promise<Coloured | null>;
  /** When the window has nothing better to do. Returns how to call it off. */
  whenIdle(callback: () => void): () => void;
}

/** Null in tests and before the app is up: code is then shown without colours. */
export const HighlighterContext = createContext<Highlighter | null>(null);

/** The part of a Worker that is used. */
export interface ColourWorker {
  postMessage(request: ColourRequest): void;
  addEventListener(type: 'message', listener: (event: { data: ColourReply }) => void): void;
  addEventListener(type: 'error' | 'messageerror', listener: () => void): void;
  terminate(): void;
}

export interface HighlighterClock {
  after(ms: number, callback: () => void): () => void;
  whenIdle(callback: () => void): () => void;
}

/** Characters of finished texts whose colours are kept; the longest unused go first. */
const keptCharacters = 1_000_000;
/** No grammar needs that long: the worker hangs. */
const answerMs = 10_000;
/** After so many deaths there are no more colours. */
const lives = 3;

interface Waiting {
  code: string;
  resolve: (coloured: Coloured | null) => void;
}

export function createHighlighter(start: () => ColourWorker, clock: HighlighterClock): Highlighter {
  const kept = new Map<string, { lines: CodeLine[]; size: number }>();
  let keptSize = 0;
  let waiting = new Map<number, Waiting>();
  let worker: ColourWorker | null = null;
  let deaths = 0;
  let lastId = 0;
  let stopWatch: (() => void) | null = null;

  const die = (): void => {
    worker?.terminate();
    worker = null;
    deaths += 1;
    stopWatch?.();
    stopWatch = null;
    const lost = waiting;
    waiting = new Map();
    for (const { resolve } of lost.values()) resolve(null);
  };

  const watch = (): void => {
    stopWatch?.();
    stopWatch = waiting.size === 0 ? null : clock.after(answerMs, die);
  };

  const alive = (): ColourWorker | null => {
    if (worker || deaths >= lives) return worker;
    try {
      worker = start();
    } catch {
      deaths = lives;
      return null;
    }
    worker.addEventListener('message', ({ data: { id, tones, state } }) => {
      const request = waiting.get(id);
      waiting.delete(id);
      watch();
      request?.resolve(tones && { lines: decodeLines(request.code, tones), state });
    });
    worker.addEventListener('error', die);
    worker.addEventListener('messageerror', die);
    return worker;
  };

  return {
    known(language, code) {
      const key = keyOf(language, code);
      const entry = kept.get(key);
      if (!entry) return null;
      // The last one used is the last one to go.
      kept.delete(key);
      kept.set(key, entry);
      return entry.lines;
    },
    remember(language, code, lines) {
      const key = keyOf(language, code);
      if (kept.has(key)) return;
      kept.set(key, { lines, size: code.length });
      keptSize += code.length;
      for (const [oldest, { size }] of kept) {
        if (keptSize <= keptCharacters || oldest === key) break;
        kept.delete(oldest);
        keptSize -= size;
      }
    },
    colour(language, code, after = null) {
      const target = alive();
      if (!target) return Promise.resolve(null);
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => {
        waiting.set(id, { code, resolve });
        if (!stopWatch) watch();
        target.postMessage({ id, language, code, after });
      });
    },
    whenIdle: (callback) => clock.whenIdle(callback),
  };
}

const keyOf = (language: string, code: string): string => `${language}\n${code}`;

/** With a worker of the page, and its idle time. */
export function pageHighlighter(page: Window, startWorker: StartWorker): Highlighter {
  return createHighlighter(() => startWorker(workerAddress, 'code'), {
    after(ms, callback) {
      const timer = page.setTimeout(callback, ms);
      return () => page.clearTimeout(timer);
    },
    whenIdle(callback) {
      const handle = page.requestIdleCallback(() => callback(), { timeout: 500 });
      return () => page.cancelIdleCallback(handle);
    },
  });
}
