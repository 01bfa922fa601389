import { useLayoutEffect, useState, useSyncExternalStore, type RefObject } from 'react';
import type { Span } from './list-rows.ts';

/** The list is drawn anew when it has been scrolled this far, not with every pixel; as much is ready on either side. */
const stepPx = 280;
/** Before it is measured: a tall window. */
const unmeasuredPx = 1120;

class Viewport {
  readonly #listeners = new Set<() => void>();
  #span: Span = { from: -stepPx, to: unmeasuredPx + stepPx };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly span = (): Span => this.#span;

  attach(element: HTMLElement | null): (() => void) | undefined {
    if (!element) return undefined;
    const measure = (): void => {
      const from = Math.floor(element.scrollTop / stepPx) * stepPx - stepPx;
      const height = Math.ceil((element.clientHeight || unmeasuredPx) / stepPx) * stepPx;
      // One step for what the first one hides, one in reserve.
      const to = from + height + 3 * stepPx;
      if (from === this.#span.from && to === this.#span.to) return;
      this.#span = { from, to };
      for (const listener of this.#listeners) listener();
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }
}

/** What of a scrolled list is in view, in coarse steps. */
export function useSpan(scroller: RefObject<HTMLElement | null>): Span {
  const [viewport] = useState(() => new Viewport());
  useLayoutEffect(() => viewport.attach(scroller.current), [viewport, scroller]);
  return useSyncExternalStore(viewport.subscribe, viewport.span);
}
