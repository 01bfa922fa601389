import { act, render } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useVirtualRows } from './virtual-rows.ts';

const [viewPx, rowPx, paddingPx] = [400, 500, 32];

const observers: ResizeObserverCallback[] = [];

/** Tells nothing by itself: nothing has a size here. */
class ToldSizes {
  constructor(told: ResizeObserverCallback) {
    observers.push(told);
  }

  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

afterEach(() => {
  vi.restoreAllMocks();
  observers.length = 0;
});

interface RowsProps {
  held: boolean;
  /** Height of all in the page, in pixels. */
  allPx: number;
  onScroll: (place: unknown) => void;
}

/** Three rows in a view that is at its end while `held`. */
function Rows({ held, allPx, onScroll }: RowsProps) {
  const scroller = useRef<HTMLDivElement | null>(null);
  const { rows, measure } = useVirtualRows(scroller, {
    count: 3,
    key: String,
    estimate: () => rowPx,
    held: () => held,
    anchor: -1,
  });
  const lay = (element: HTMLDivElement | null): void => {
    scroller.current = element;
    set(element, { offsetHeight: viewPx, clientHeight: viewPx, scrollHeight: allPx, scrollTo: onScroll });
  };
  const draw = (element: HTMLDivElement | null): void => {
    set(element, { offsetHeight: rowPx });
    measure(element);
  };
  return (
    <div ref={lay}>
      {rows.map(({ index, key }) => (
        <div key={key} data-index={index} ref={draw} />
      ))}
    </div>
  );
}

function set(element: Element | null, values: object): void {
  for (const [name, value] of Object.entries(values))
    if (element) Object.defineProperty(element, name, { value, configurable: true });
}

function grow(row: Element | null, px: number): void {
  const entry = { target: row, borderBoxSize: [{ blockSize: px, inlineSize: 100 }] };
  const told = [entry as unknown as ResizeObserverEntry];
  for (const tell of observers) tell(told, {} as ResizeObserver);
}

test('what grew while the end was held moves nobody who reads further up later', () => {
  vi.spyOn(document.defaultView ?? window, 'ResizeObserver').mockImplementation(ToldSizes);
  const onScroll = vi.fn<(place: unknown) => void>();
  const allPx = 3 * rowPx + paddingPx;
  const { rerender, container } = render(<Rows held allPx={allPx} onScroll={onScroll} />);
  act(() => grow(container.querySelector('[data-index="2"]'), rowPx + 200));
  onScroll.mockClear();
  rerender(<Rows held={false} allPx={allPx + 600} onScroll={onScroll} />);
  expect(onScroll).not.toHaveBeenCalled();
});
