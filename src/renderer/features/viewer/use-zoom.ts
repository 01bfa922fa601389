/** Zoom and pan of the picture on the stage. What is pointed at stays where it is while the picture grows around it. */
import { useCallback, useLayoutEffect, useRef, useState, type PointerEvent } from 'react';
import { stepped, wheeled, type Zoom } from './zoom.ts';

interface Point {
  clientX: number;
  clientY: number;
}

/** A point of the picture, in shares of it, and where it is to be seen. */
interface Anchor extends Point {
  shareX: number;
  shareY: number;
}

/** One press of an arrow key. */
const panStep = 64;

const panKeys: Partial<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function useZoom() {
  const stage = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const [{ zoom, held }, setShown] = useState<{ zoom: Zoom; held: Anchor | null }>({
    zoom: 'fit',
    held: null,
  });

  const zoomTo = useCallback((next: (scale: number) => Zoom, at?: Point): void => {
    const [area, picture] = [stage.current, image.current];
    if (!area || !picture || picture.naturalWidth === 0) return;
    const shown = picture.getBoundingClientRect();
    const { clientX, clientY } = at ?? centreOf(area);
    const held = {
      clientX,
      clientY,
      shareX: (clientX - shown.left) / shown.width,
      shareY: (clientY - shown.top) / shown.height,
    };
    setShown({ zoom: next(shown.width / picture.naturalWidth), held });
  }, []);

  useLayoutEffect(() => {
    const [area, picture] = [stage.current, image.current];
    if (!area || !picture || !held) return;
    const shown = picture.getBoundingClientRect();
    area.scrollLeft += shown.left + held.shareX * shown.width - held.clientX;
    area.scrollTop += shown.top + held.shareY * shown.height - held.clientY;
  }, [held]);

  const attach = useCallback(
    (area: HTMLDivElement) => {
      stage.current = area;
      const onWheel = (event: WheelEvent): void => {
        if (!event.ctrlKey && !event.metaKey) return;
        // The page itself would be zoomed. React listens passively, so it cannot be told there.
        event.preventDefault();
        zoomTo((scale) => wheeled(scale, event.deltaY), event);
      };
      area.addEventListener('wheel', onWheel, { passive: false });
      return () => {
        area.removeEventListener('wheel', onWheel);
        stage.current = null;
      };
    },
    [zoomTo],
  );

  const step = (by: 1 | -1): void => zoomTo((scale) => stepped(scale, by));
  const to = (next: Zoom): void => zoomTo(() => next);

  /** true = the key was for the picture. */
  const press = (key: string): boolean => {
    if (!stage.current) return false;
    if (key === '+' || key === '=') step(1);
    else if (key === '-') step(-1);
    else if (key === '0') to('fit');
    else if (key === '1') to(1);
    else return pan(stage.current, panKeys[key]);
    return true;
  };

  return { zoom, image, attach, step, to, press, dragged: useDrag() };
}

/** Only along an axis that has more to show: else the key is free for something else. */
function pan(area: HTMLElement, by: readonly [x: number, y: number] | undefined): boolean {
  if (!by) return false;
  const [x, y] = by;
  const hidden = x === 0 ? area.scrollHeight - area.clientHeight : area.scrollWidth - area.clientWidth;
  if (hidden <= 0) return false;
  area.scrollBy(x * panStep, y * panStep);
  return true;
}

function centreOf(area: HTMLElement): Point {
  const { left, top, width, height } = area.getBoundingClientRect();
  return { clientX: left + width / 2, clientY: top + height / 2 };
}

/** The picture goes with the pointer that holds it. */
function useDrag() {
  const from = useRef<Point | null>(null);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      // A finger scrolls by itself.
      if (event.button !== 0 || event.pointerType === 'touch') return;
      event.currentTarget.setPointerCapture(event.pointerId);
      from.current = { clientX: event.clientX, clientY: event.clientY };
    },
    onPointerMove: ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): void => {
      if (!from.current) return;
      currentTarget.scrollBy(from.current.clientX - clientX, from.current.clientY - clientY);
      from.current = { clientX, clientY };
    },
    onLostPointerCapture: (): void => {
      from.current = null;
    },
  };
}
