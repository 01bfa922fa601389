import { describe, expect, it, vi } from 'vitest';
import { StickToEnd } from './stick-to-end.ts';

/** A scroller of given measures that stands at its end, and says that it scrolled when it is moved. */
function scrollerOf(measures: { scrollHeight: number; clientHeight: number }) {
  const element = document.createElement('div');
  Object.defineProperty(element, 'scrollHeight', { get: () => measures.scrollHeight });
  Object.defineProperty(element, 'clientHeight', { get: () => measures.clientHeight });
  let at = 0;
  Object.defineProperty(element, 'scrollTop', {
    get: () => at,
    set: (top: number) => {
      at = Math.min(top, measures.scrollHeight - measures.clientHeight);
    },
  });
  const stick = new StickToEnd();
  stick.attach(element, document.createElement('div'));
  element.scrollTop = measures.scrollHeight - measures.clientHeight;
  element.dispatchEvent(new Event('scroll'));
  return {
    stick,
    element,
    moveTo: (top: number, now: Partial<typeof measures> = {}): void => {
      Object.assign(measures, now);
      element.scrollTop = top;
      element.dispatchEvent(new Event('scroll'));
    },
  };
}

describe('a transcript at its end', () => {
  it('is left by whoever scrolls up, also while more is written', () => {
    const { stick, moveTo } = scrollerOf({ scrollHeight: 1000, clientHeight: 400 });
    expect(stick.atEnd()).toBe(true);
    moveTo(500, { scrollHeight: 1040 });
    expect(stick.atEnd()).toBe(false);
  });

  it('is left for a place further up only where there is one', () => {
    const whole = scrollerOf({ scrollHeight: 400, clientHeight: 400 });
    whole.stick.leave();
    expect(whole.stick.atEnd()).toBe(true);
    const long = scrollerOf({ scrollHeight: 1000, clientHeight: 400 });
    long.stick.leave();
    expect(long.stick.atEnd()).toBe(false);
  });

  it('stays there when a larger window pushes it up before its rows have their new height', () => {
    const { stick, moveTo } = scrollerOf({ scrollHeight: 1000, clientHeight: 400 });
    moveTo(300, { scrollHeight: 950, clientHeight: 500 });
    expect(stick.atEnd()).toBe(true);
  });

  it('stays there when the window was another one for less than a frame', () => {
    const { stick, moveTo } = scrollerOf({ scrollHeight: 1000, clientHeight: 400 });
    window.dispatchEvent(new Event('resize'));
    moveTo(300);
    expect(stick.atEnd()).toBe(true);
  });

  it('is left, as far as it must be, by whoever opens what does not fit below its head', () => {
    const measures = { scrollHeight: 1000, clientHeight: 400 };
    const { stick, element } = scrollerOf(measures);
    const head = document.createElement('button');
    head.setAttribute('aria-expanded', 'false');
    element.append(head);
    head.getBoundingClientRect = () => new DOMRect(0, 900 - element.scrollTop, 10, 10);
    vi.useFakeTimers();
    head.click();
    measures.scrollHeight = 1200;
    stick.toEnd();
    expect(element.scrollTop).toBe(800);
    expect(stick.atEnd()).toBe(true);
    measures.scrollHeight = 2000;
    stick.toEnd();
    expect(element.scrollTop).toBe(900);
    vi.runAllTimers();
    expect(stick.atEnd()).toBe(false);
    vi.useRealTimers();
  });
});
