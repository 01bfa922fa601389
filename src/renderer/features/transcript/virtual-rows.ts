/** Which rows of a long transcript exist in the page. Rows stand in the flow between two spacers and are measured. */
import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type Range,
  type VirtualItem,
} from '@tanstack/react-virtual';
import { useLayoutEffect, useState, useSyncExternalStore } from 'react';

export interface RowSizes {
  count: number;
  key: (index: number) => string;
  /** Height before it is measured; only the length of the scroll bar depends on it. */
  estimate: (index: number) => number;
  /** It is kept at its end: where it stands is then not for the rows to decide. */
  held: () => boolean;
  /** The row that stands at the top while what follows it is shorter than the view; -1 = none. */
  anchor: number;
}

export interface VisibleRows {
  rows: VirtualItem[];
  /** Heights of what is left out before and after, in pixels. */
  before: number;
  after: number;
  /**
   * Heights of what is above the anchor when it stands at the top, in pixels. All together is that and one view high at
   * least: what is written below the anchor takes its height from the free room without a measurement in between.
   */
  aboveAnchor: number;
  /** Where the view begins, in pixels from the top of all. */
  top: number;
  measure: (element: HTMLElement | null) => void;
  /** Brings a row into view: to the top, or into the middle. */
  scrollTo: (index: number, align: 'start' | 'center') => void;
  /** Where a row begins and ends, in pixels from the top of all. */
  startOf: (index: number) => number;
  endOf: (index: number) => number;
}

/** Rows kept beyond what is visible, so that a quick scroll shows no gap. */
const overscan = 4;
/** Above the first and below the last row, in pixels; the spacers carry it. */
const padding = 16;
/** The hairline above a turn, with the space around it, is out of view when its message stands at the top. */
const abovePx = 9;

/**
 * A row that was measured keeps that height. The virtualizer forgets one that was as estimated, and a row whose text grows
 * within its line would take the next estimate for its height.
 */
function measureRow(
  element: HTMLElement,
  entry: ResizeObserverEntry | undefined,
  virtualizer: Virtualizer<HTMLElement, HTMLElement>,
): number {
  const size = measureElement(element, entry, virtualizer);
  const row = virtualizer.measurementsCache[virtualizer.indexFromElement(element)];
  if (row?.size === size) virtualizer.itemSizeCache.set(row.key, size);
  return size;
}

class VirtualRows {
  readonly #virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  readonly #listeners = new Set<() => void>();
  #scroller: HTMLElement | null = null;
  readonly #selected = new SelectedRows((element) => this.#keyAround(element));
  #version = 0;
  #held = false;
  /** Key of the first row: another one says that rows were put in front, or let go of. */
  #first: string;

  constructor(sizes: RowSizes) {
    this.#virtualizer = new Virtualizer(this.#options(sizes));
    this.#first = sizes.key(0);
    // Whatever changes its height above what is read must not move it. Scrolled upwards, a row that is new in view
    // stands above what was read, so its true height is taken from what is above as well.
    this.#virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ key, start, size }) => {
      if (sizes.held()) return false;
      const top = this.#virtualizer.scrollOffset ?? 0;
      if (this.#virtualizer.itemSizeCache.has(key)) return start + size <= top;
      const height = this.#virtualizer.scrollRect?.height ?? 0;
      // At the end rows are new because they are written, not because the reader came up to them.
      const read = top > 0 && top + height < this.#virtualizer.getTotalSize() - height;
      const upwards = read && this.#virtualizer.scrollDirection === 'backward';
      return start < (upwards ? top + height / 2 : top);
    };
  }

  #options(sizes: RowSizes) {
    return {
      count: sizes.count,
      getItemKey: sizes.key,
      estimateSize: sizes.estimate,
      getScrollElement: () => this.#scroller,
      rangeExtractor: (range: Range) => this.#drawn(range, sizes),
      paddingStart: padding,
      paddingEnd: padding,
      // Rows put in front (an older page) leave what is read where it is.
      anchorTo: 'end' as const,
      // Following the end is not its business: what it would write there while the end is held is refused, and it would try
      // that again later, when somebody has long been reading further up.
      scrollEndThreshold: -1,
      observeElementRect,
      observeElementOffset,
      measureElement: measureRow,
      scrollToFn: (
        offset: number,
        how: Parameters<typeof elementScroll>[1],
        virtualizer: Virtualizer<HTMLElement, HTMLElement>,
      ) => {
        if (!sizes.held()) elementScroll(offset, how, virtualizer);
      },
      onChange: () => {
        this.#version += 1;
        for (const listener of this.#listeners) listener();
      },
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;

  readonly measure = (element: HTMLElement | null): void => this.#virtualizer.measureElement(element);

  readonly scrollTo = (index: number, align: 'start' | 'center'): void =>
    this.#virtualizer.scrollToIndex(index, { align });

  // Not by the offset that a scroll to it would have: the last rows begin further down than one can scroll.
  readonly startOf = (index: number): number => this.#virtualizer.measurementsCache[index]?.start ?? 0;

  readonly endOf = (index: number): number => this.#virtualizer.measurementsCache[index]?.end ?? 0;

  mount(scroller: HTMLElement | null): () => void {
    this.#scroller = scroller;
    // It begins where the scroller stands (at its end), so that no row of the top is drawn for nothing.
    this.#virtualizer.scrollOffset = scroller?.scrollTop ?? null;
    const { _didMount: didMount } = this.#virtualizer;
    const unmount = didMount();
    const unfollow = this.#selected.follow(document);
    return () => {
      unfollow();
      unmount();
    };
  }

  update(): void {
    const { _willUpdate: willUpdate } = this.#virtualizer;
    willUpdate();
  }

  #drawn({ startIndex, endIndex }: Range, { count, key }: RowSizes): number[] {
    const first = Math.max(0, startIndex - overscan);
    const last = Math.min(count - 1, endIndex + overscan);
    const indexOf = (name: string): number => {
      for (let index = 0; index < count; index += 1) if (key(index) === name) return index;
      return -1;
    };
    const [from, to] = this.#selected.around(first, last, indexOf);
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  }

  #keyAround(element: Element): string | null {
    const row = element.closest<HTMLElement>('[data-index]');
    if (!row || !this.#scroller?.contains(row)) return null;
    return String(this.#virtualizer.options.getItemKey(Number(row.dataset['index'])));
  }

  #endOffset(aboveAnchor: number): number {
    return Math.max(
      aboveAnchor,
      this.#virtualizer.getTotalSize() - (this.#virtualizer.scrollRect?.height ?? 0),
    );
  }

  /** The first row has only the padding above it. */
  readonly #above = (anchor: number): number => (anchor > 0 ? this.startOf(anchor) + abovePx : 0);

  visible(sizes: RowSizes): VisibleRows {
    const first = sizes.key(0);
    if (first !== this.#first) {
      this.#first = first;
      // A scroll whose event is still to come counts, else it would be taken back.
      if (this.#scroller) this.#virtualizer.scrollOffset = this.#scroller.scrollTop;
    }
    this.#virtualizer.setOptions(this.#options(sizes));
    const aboveAnchor = this.#above(sizes.anchor);
    const held = sizes.held();
    // The scroll to the end comes only after the rows, which must be the last ones by then.
    if (held) this.#virtualizer.scrollOffset = this.#endOffset(aboveAnchor);
    // Let go of in between: where it stands now is not the end, and its event is still to come.
    else if (this.#held && this.#scroller) this.#virtualizer.scrollOffset = this.#scroller.scrollTop;
    this.#held = held;
    const rows = this.#virtualizer.getVirtualItems();
    return {
      rows,
      before: rows[0]?.start ?? 0,
      after: this.#virtualizer.getTotalSize() - (rows.at(-1)?.end ?? 0),
      aboveAnchor,
      top: this.#virtualizer.scrollOffset ?? 0,
      measure: this.measure,
      scrollTo: this.scrollTo,
      startOf: this.startOf,
      endOf: this.endOf,
    };
  }
}

export function useVirtualRows(scroller: React.RefObject<HTMLElement | null>, sizes: RowSizes): VisibleRows {
  const [virtual] = useState(() => new VirtualRows(sizes));
  useSyncExternalStore(virtual.subscribe, virtual.version);
  useLayoutEffect(() => virtual.mount(scroller.current), [virtual, scroller]);
  useLayoutEffect(() => virtual.update());
  return virtual.visible(sizes);
}

/** Larger selections lose what is furthest away, so that they cost no more than what is drawn for them. */
const most = 400;

/** Rows that a selection of text begins and ends in: gone from the page, they would be gone from what is copied. */
class SelectedRows {
  #keys: string[] = [];
  readonly #keyOf: (element: Element) => string | null;

  /** `keyOf` names the row that an element is in. */
  constructor(keyOf: (element: Element) => string | null) {
    this.#keyOf = keyOf;
  }

  follow(page: Document): () => void {
    const onChange = (): void => {
      const selection = page.getSelection();
      const ends = selection && !selection.isCollapsed ? [selection.anchorNode, selection.focusNode] : [];
      this.#keys = ends.flatMap((node) => {
        const element = node instanceof Element ? node : node?.parentElement;
        return (element && this.#keyOf(element)) ?? [];
      });
    };
    page.addEventListener('selectionchange', onChange);
    return () => page.removeEventListener('selectionchange', onChange);
  }

  /** The rows from `first` to `last`, and on to those that the selection needs. */
  around(first: number, last: number, indexOf: (key: string) => number): [first: number, last: number] {
    const kept = this.#keys.map(indexOf).filter((index) => index !== -1);
    return [
      Math.min(first, ...kept.filter((index) => last - index < most)),
      Math.max(last, ...kept.filter((index) => index - first < most)),
    ];
  }
}
