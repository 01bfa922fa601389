/** Keeps a scroller at its end while it is there, and nowhere else: whoever scrolls up to read is left alone. */

/** Closer than this to the end counts as at the end, in pixels. */
const threshold = 32;

export class StickToEnd {
  #sticking = true;
  #reachable = true;
  #scroller: HTMLElement | null = null;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly atEnd = (): boolean => this.#sticking;

  readonly toEnd = (): void => {
    this.#set(true);
    this.#scroll();
  };

  /** False while what is shown does not reach up to the newest: its last row is then no end to stay at. */
  readonly reach = (reachable: boolean): void => {
    this.#reachable = reachable;
    if (!reachable) this.#set(false);
  };

  /** Something further up is about to be shown, and what grows on the way there must not pull back. */
  readonly leave = (): void => this.#set(false);

  /** `content` grows; the scroller's own size changes too (window, message box). */
  attach(scroller: HTMLElement | null, content: HTMLElement | null): () => void {
    if (!scroller || !content) return () => undefined;
    this.#scroller = scroller;
    let lastTop = scroller.scrollTop;
    const onScroll = (): void => {
      const movedUp = scroller.scrollTop < lastTop;
      lastTop = scroller.scrollTop;
      const distance = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
      // Growth alone never unsticks; only a move away from the end does.
      if (distance <= threshold) this.#set(this.#reachable);
      else if (movedUp) this.#set(false);
    };
    const observer = new ResizeObserver(() => this.#sticking && this.#scroll());
    scroller.addEventListener('scroll', onScroll, { passive: true });
    observer.observe(content);
    observer.observe(scroller);
    if (this.#sticking) this.#scroll();
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }

  #scroll(): void {
    if (this.#scroller) this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  #set(sticking: boolean): void {
    if (sticking === this.#sticking) return;
    this.#sticking = sticking;
    for (const listener of this.#listeners) listener();
  }
}
