/** The edge of the sessions, which is dragged or moved by keys. What lies beside it is drawn again only by the browser. */
import {
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type PointerEvent,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { shell as text } from '../text.ts';
import { useCommands } from '../commands/commands.ts';
import { clampWidth, type Column, fitColumn } from '../stores/columns.ts';
import { useUi } from '../stores/stores.ts';
import { useArrowStep, useLineWay } from '../components/line-way.ts';
import styles from './column-edge.module.css';

const property = '--w-left';
/** With Shift. */
const stepPx = 8;
const wideStepPx = 40;

/** Writes the width where the styles read them; draws nothing. */
export function ColumnWidth() {
  const { width } = useColumn();
  useLayoutEffect(() => setWidth(width), [width]);
  return null;
}

function setWidth(width: number): () => void {
  const { style } = document.documentElement;
  style.setProperty(property, `${width}px`);
  return () => style.removeProperty(property);
}

interface Drag {
  pointer: number;
  from: number;
  /** As it was, and as it is drawn now. */
  before: number;
  width: number;
}

export function ColumnEdge() {
  const { run } = useCommands();
  const column = useColumn();
  const way = useLineWay();
  const arrowStep = useArrowStep();
  const drag = useRef<Drag | null>(null);
  const keep = (width: number | null): void => void run('view/column-width', { width });
  /** Ends a drag; without `kept` the column is as it was. */
  const end = (kept: boolean): void => {
    const ended = drag.current;
    drag.current = null;
    if (!ended) return;
    if (kept && ended.width !== ended.before) keep(ended.width);
    else setWidth(ended.before);
  };
  const follow = ({ pointerId, clientX }: PointerEvent): void => {
    const { current } = drag;
    if (current?.pointer !== pointerId) return;
    const moved = way * (clientX - current.from);
    current.width = clampWidth(current.before + moved, column);
    // Past React: a drag draws nothing but the columns.
    setWidth(current.width);
  };
  const hand = {
    onPointerDown(event: PointerEvent): void {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const { width } = column;
      drag.current = { pointer: event.pointerId, from: event.clientX, before: width, width };
    },
    onPointerMove: follow,
    onPointerUp: () => end(true),
    onPointerCancel: () => end(false),
    onDoubleClick: () => keep(null),
    onKeyDown(event: KeyboardEvent): void {
      if (event.key === 'Escape' && drag.current) end(false);
      else {
        const width = widthAfter(event, column, arrowStep(event.key));
        if (width === null) return;
        keep(width);
      }
      event.preventDefault();
    },
  };
  return (
    <div
      className={`${styles.edge} ${styles.ofLeft}`}
      {...separator}
      aria-label={text.columns.left}
      aria-valuenow={column.width}
      aria-valuemin={column.least}
      aria-valuemax={column.most}
      aria-valuetext={text.columns.width(column.width)}
      title={text.columns.help}
      {...hand}
    />
  );
}

/** One that takes the focus is a control, unlike a rule between two texts. */
const separator = { role: 'separator', tabIndex: 0, 'aria-orientation': 'vertical' } as const;

/** The arrow moves the edge its own way, Home and End as far as it goes; null = not one of these keys. */
function widthAfter(
  { key, shiftKey }: KeyboardEvent,
  column: Column,
  step: number | undefined,
): number | null {
  if (step !== undefined) return clampWidth(column.width + step * (shiftKey ? wideStepPx : stepPx), column);
  if (key === 'Home') return column.least;
  return key === 'End' ? column.most : null;
}

/** How wide the list is now, in this window. */
function useColumn(): Column {
  const wish = useUi((ui) => ui.columns);
  const windowPx = useSyncExternalStore(followWidth, () => window.innerWidth);
  return useMemo(() => fitColumn(windowPx, wish), [windowPx, wish]);
}

function followWidth(onChange: () => void): () => void {
  window.addEventListener('resize', onChange);
  return () => window.removeEventListener('resize', onChange);
}
