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

/** What opens when it is pressed, so many pixels below the top of all. */
function headIn(element: HTMLElement, top: number): HTMLElement {
  const head = document.createElement('button');
  head.setAttribute('aria-expanded', 'false');
  head.getBoundingClientRect = () => new DOMRect(0, top - element.scrollTop, 10, 10);
  element.append(head);
  return head;
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
    const head = headIn(element, 900);
    // The window changes its size, and what is held at its end is put there again.
    const keep = (): void => {
      window.dispatchEvent(new Event('resize'));
      element.dispatchEvent(new Event('scroll'));
    };
    vi.useFakeTimers();
    head.click();
    measures.scrollHeight = 1200;
    keep();
    expect(element.scrollTop).toBe(800);
    expect(stick.atEnd()).toBe(true);
    measures.scrollHeight = 2000;
    keep();
    expect(element.scrollTop).toBe(900);
    vi.runAllTimers();
    expect(stick.atEnd()).toBe(false);
    vi.useRealTimers();
  });

  it('is gone to by a message that is sent after something was opened further up (audit-U2)', () => {
    const measures = { scrollHeight: 1000, clientHeight: 400 };
    const { stick, element, moveTo } = scrollerOf(measures);
    const head = headIn(element, 100);
    moveTo(80);
    head.click();
    measures.scrollHeight = 1200;
    stick.toEnd();
    expect(element.scrollTop).toBe(800);
    measures.scrollHeight = 1300;
    stick.toEnd();
    expect(element.scrollTop).toBe(900);
    expect(stick.atEnd()).toBe(true);
  });

  it('is gone to by a message that is sent while something still opens (audit-U2)', () => {
    const measures = { scrollHeight: 1000, clientHeight: 400 };
    const { stick, element } = scrollerOf(measures);
    headIn(element, 700).click();
    measures.scrollHeight = 2000;
    stick.toEnd();
    expect(element.scrollTop).toBe(1600);
  });

  it('is held by nothing that was pressed and did not open (audit-U2)', () => {
    vi.useFakeTimers();
    const measures = { scrollHeight: 1000, clientHeight: 400 };
    const { stick, element } = scrollerOf(measures);
    headIn(element, 700).click();
    vi.advanceTimersByTime(2_000);
    measures.scrollHeight = 2000;
    window.dispatchEvent(new Event('resize'));
    element.dispatchEvent(new Event('scroll'));
    expect(element.scrollTop).toBe(1600);
    expect(stick.atEnd()).toBe(true);
    vi.useRealTimers();
  });
});
