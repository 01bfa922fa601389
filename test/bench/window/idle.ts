/** What the page paints when nothing happens: by the browser's own trace, with no probe in the page. */
import type { CDPSession, Page } from 'playwright-core';
import { round, type Part } from '../engine/figures.ts';
import { AndironPage } from '../../e2e/page.ts';
import { askFor } from './answer.ts';
import type { House } from './pages.ts';

const watchedMs = 10_000;
/** A frame so soon after news from the server is the one that shows them. */
const showsNewsMs = 150;

interface Traced {
  frames: number;
  /** Of these: not within reach of news. */
  unasked: number;
  news: number;
}

export async function benchIdle(house: House): Promise<Part> {
  // The trace is of the whole browser, and a field with the keyboard blinks.
  await house.app.page.context().close();
  await house.bare.page.context().close();
  const context = await house.browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(house.address());
  const window = new AndironPage(page);
  await window.ready();
  await window.ask(askFor([{ tokens: 300, perSecond: 1_000 }], 6));
  await window.transcript.locator('.prose').first().waitFor();
  await window.turnEnded();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  // What a turn leaves to be done (a warm-up, the end of an animation, an idle callback) is done by then.
  await page.waitForTimeout(5_000);
  const idle = await trace(page);
  await page.evaluate(() => {
    let on = false;
    setInterval(() => {
      on = !on;
      document.body.style.outline = on ? '1px solid red' : '';
    }, 250);
  });
  const control = await trace(page);
  await context.close();
  return {
    title: 'idle',
    figures: {
      idle_frames: idle.unasked,
      idle_news: idle.news,
      idle_frames_with_news: idle.frames - idle.unasked,
      control_frames: control.frames,
    },
    gates: [
      { figure: 'idle_frames', at: 'exactly', limit: 0 },
      { figure: 'control_frames', at: 'above', limit: 20 },
    ],
    rows: [
      ['page', 'frames in 10 s', 'of them unasked', 'news'],
      ['at rest', String(idle.frames), String(idle.unasked), String(idle.news)],
      ['with something that blinks', String(control.frames), '', String(control.news)],
    ],
  };
}

interface TraceEvent {
  name: string;
  /** Microseconds on the browser's monotonic clock. */
  ts: number;
}

async function trace(page: Page): Promise<Traced> {
  const session = await page.context().newCDPSession(page);
  const news: number[] = [];
  session.on('Network.webSocketFrameReceived', ({ timestamp }) => void news.push(timestamp * 1000));
  await session.send('Network.enable');
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] },
  });
  await page.waitForTimeout(watchedMs);
  await endTracing(session);
  await session.detach();
  const frames = events
    .filter(({ name }) => name === 'Paint' || name === 'Commit')
    .map(({ ts }) => ts / 1000);
  // One frame has several such events.
  const distinct = frames
    .toSorted((a, b) => a - b)
    .filter((at, index, all) => at - (all[index - 1] ?? 0) > 8);
  const unasked = distinct.filter((at) => !news.some((told) => at >= told && at - told < showsNewsMs));
  return { frames: distinct.length, unasked: unasked.length, news: round(news.length, 0) };
}

async function endTracing(session: CDPSession): Promise<void> {
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await complete;
}
