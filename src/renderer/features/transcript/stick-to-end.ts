/** Keeps a scroller at its end while it is there, and nowhere else: whoever scrolls up to read is left alone. */

/** Closer than this to the end counts as at the end, in pixels. */
const threshold = 32;

/** For so long what is pressed may take to open, and then to grow; its head is kept in view meanwhile, in milliseconds. */
const openingMs = 500;

export class StickToEnd {
  #sticking = true;
  #reachable = true;
  #scroller: HTMLElement | null = null;
  /** What was pressed at the end a moment ago to open or close something, and how high the content was then. */
  #pressed: { head: Element; height: number; grows: boolean } | null = null;
  #opening: ReturnType<typeof setTimeout> | undefined;
  /** Where the scroller stood, and how far it could go, when it was last looked at. */
  #seen = { top: 0, end: 0 };
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly atEnd = (): boolean => this.#sticking;

  /** Nothing that was pressed before holds it back. */
  readonly toEnd = (): void => {
    this.#forgetPressed();
    this.#set(true);
    this.#scroll();
  };

  /** False while what is shown does not reach up to the newest: its last row is then no end to stay at. */
  readonly reach = (reachable: boolean): void => {
    this.#reachable = reachable;
    if (!reachable) this.#set(false);
  };

  /** Something further up is about to be shown, and what grows on the way there must not pull back. */
  readonly leave = (): void => {
    // Where everything is in view there is nowhere else to be.
    if (!this.#scroller || placeOf(this.#scroller).end > 0) this.#set(false);
  };

  /** `content` grows; the scroller's own size changes too (window, message box). */
  attach(scroller: HTMLElement | null, content: HTMLElement | null): () => void {
    if (!scroller || !content) return () => undefined;
    this.#scroller = scroller;
    this.#seen = placeOf(scroller);
    const onScroll = (): void => {
      const before = this.#seen;
      const { top, end } = (this.#seen = placeOf(scroller));
      if (end - top <= threshold) this.#set(this.#reachable);
      // Growth alone never unsticks, nor does an end that came nearer (another window, shorter rows) and pushed the
      // scroller up; only a move away from the end does.
      else if (resized || end < before.end) this.#keep();
      else if (top < before.top) this.#set(false);
    };
    // A window that changes twice in a frame pushes and is back at its size, with nothing to observe.
    let resized = false;
    const onResize = (): void => {
      resized = true;
      requestAnimationFrame(() => (resized = false));
    };
    const onClick = ({ target }: Event): void => {
      const head = target instanceof Element ? target.closest('[aria-expanded]') : null;
      // Whoever reads further up is held there by nothing, and nothing is left to hold them later.
      if (!head || !this.#sticking) return;
      this.#pressed = { head, height: scroller.scrollHeight, grows: false };
      this.#waitForGrowth(scroller);
    };
    const observer = new ResizeObserver(() => this.#keep());
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener('resize', onResize, { signal });
    scroller.addEventListener('scroll', onScroll, { passive: true, signal });
    scroller.addEventListener('click', onClick, { capture: true, signal });
    observer.observe(content);
    observer.observe(scroller);
    this.#keep();
    return () => {
      stop.abort();
      observer.disconnect();
      this.#forgetPressed();
    };
  }

  #keep(): void {
    if (this.#sticking) this.#scroll();
  }

  #scroll(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    scroller.scrollTop = scroller.scrollHeight;
    this.#keepPressed(scroller);
    this.#seen = placeOf(scroller);
  }

  /** What a person opens grows beyond the end: the end is left as far as its head would leave the view. */
  #keepPressed(scroller: HTMLElement): void {
    const pressed = this.#pressed;
    if (!pressed || scroller.scrollHeight === pressed.height) return;
    const hidden = scroller.getBoundingClientRect().top - pressed.head.getBoundingClientRect().top;
    if (hidden > 0) scroller.scrollTop -= hidden;
    if (pressed.grows) return;
    pressed.grows = true;
    this.#waitForGrowth(scroller);
  }

  /** Only when it has its height is the end left: until then the rows are not to move the scroller either. */
  #waitForGrowth(scroller: HTMLElement): void {
    clearTimeout(this.#opening);
    this.#opening = setTimeout(() => {
      this.#pressed = null;
      const { top, end } = placeOf(scroller);
      if (end - top > threshold) this.#set(false);
    }, openingMs);
  }

  #forgetPressed(): void {
    clearTimeout(this.#opening);
    this.#pressed = null;
  }

  #set(sticking: boolean): void {
    if (!sticking) this.#forgetPressed();
    if (sticking === this.#sticking) return;
    this.#sticking = sticking;
    for (const listener of this.#listeners) listener();
  }
}

function placeOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): { top: number; end: number } {
  return { top: scrollTop, end: scrollHeight - clientHeight };
}
