/** A question that is out of view says so over the end of the transcript, and one press or key leads to it. */
import { useEffect, useState, type RefObject } from 'react';
import type { ToolItem } from '../../../protocol/model.ts';
import { transcript as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useKeyCaps } from '../../commands/use-key-caps.ts';
import styles from './transcript.module.css';

export function WaitingNotice({ approval }: { approval: NonNullable<ToolItem['approval']> }) {
  const { run } = useCommands();
  const caps = useKeyCaps()('approval/focus');
  return (
    <section className={`notice ${styles.waiting} late`} aria-label={text.approval.waiting}>
      <Mark icon="wait" tone="wait" />
      <span className="strong">{text.approval.titles[approval.risk]}</span>
      <span className="mono cut grow">
        <VisibleText text={approval.summary} oneLine />
      </span>
      <Button small kind="primary" keys={caps} onClick={() => void run('approval/focus')}>
        {text.approval.show}
      </Button>
    </section>
  );
}

/** So much of a row, or of the view where the row is higher, must be in view for a person to notice it. */
const seenShare = 0.5;

/**
 * Whether the row at `index` is in view; false where there is none, or where it is not drawn.
 * @param drawn rows exist in the page only near what is in view
 */
export function useRowInView(
  scroller: RefObject<HTMLElement | null>,
  index: number,
  drawn: boolean,
): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const root = scroller.current;
    const row = drawn ? root?.querySelector(`[data-index="${String(index)}"]`) : null;
    if (!root || !row) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        if (!last) return;
        const whole = Math.min(last.boundingClientRect.height, last.rootBounds?.height ?? Infinity);
        setSeen(last.intersectionRect.height >= whole * seenShare);
      },
      { root, threshold: Array.from({ length: 21 }, (_, step) => step / 20) },
    );
    observer.observe(row);
    return () => {
      observer.disconnect();
      setSeen(false);
    };
  }, [scroller, index, drawn]);
  return seen;
}
