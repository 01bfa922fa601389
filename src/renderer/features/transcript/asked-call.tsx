/** What a question asks about: the whole call, in a box that scrolls where it is long. */
import { useMemo, useRef, useState, type ReactNode } from 'react';
import type { Approval, ToolItem } from '../../../protocol/model.ts';
import { signs, transcript as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { DiffView } from '../../components/diff-view.tsx';
import { ScrollText } from '../../components/scroll-region.tsx';
import type { Sight } from '../../components/sight.ts';
import { useGrowing } from '../../components/use-growing.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { argumentsText } from './call-details.tsx';
import styles from './approval.module.css';

interface AskedCallProps {
  item: ToolItem;
  approval: Approval;
  sight: Sight;
}

export function AskedCall({ item, approval, sight }: AskedCallProps) {
  const { summary, editable, host } = approval;
  const [open, setOpen] = useState(false);
  if (item.display?.kind !== 'diff') {
    // The command was asked about before, and stands beneath.
    const more = editable || host ? '' : unsaid(item.args, summary);
    return <AskedText text={more === '' ? summary : `${summary}\n\n${more}`} sight={sight} />;
  }
  const { display } = item;
  const lines = display.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  return (
    <div className={styles.asked}>
      <p className="mono">
        <VisibleText text={summary} oneLine />
      </p>
      <Long open={open} onOpen={() => setOpen(true)} words={signs.showLines(lines)} sight={sight}>
        {(ends) => <DiffView diff={display} label={display.path} wrapped all={open} {...ends} />}
      </Long>
    </div>
  );
}

/** Pieces that are drawn before all of it is asked for: more than the box has room for. */
const firstPieces = 2;

/** Words of a call with all that hides in them. */
export function AskedText({ text: asked, sight }: { text: string; sight: Sight }) {
  const [open, setOpen] = useState(false);
  const pieces = useMemo(() => textPieces(asked), [asked]);
  const { length } = pieces;
  const shown = useGrowing({ first: firstPieces, step: firstPieces, total: length, all: open });
  const lines = asked.split('\n').length;
  const words = lines > 3 ? signs.showLines(lines) : signs.showCharacters(asked.length);
  return (
    <Long open={open} onOpen={() => setOpen(true)} words={words} sight={sight}>
      {({ before, after }) => (
        <ScrollText className={`code ${styles.asked} wrap`} label={text.approval.call}>
          {before}
          {pieces.slice(0, shown).map((piece) => (
            <VisibleText key={piece.at} text={piece.text} />
          ))}
          {shown === length && after}
        </ScrollText>
      )}
    </Long>
  );
}

interface LongProps {
  open: boolean;
  onOpen: () => void;
  /** What the button says, which opens all of it. */
  words: string;
  sight: Sight;
  children: (ends: { before: ReactNode; after: ReactNode }) => ReactNode;
}

/** A box with marks at both ends of what it holds. What does not fit is offered by its size; then the box is higher. */
function Long({ open, onOpen, words, sight, children }: LongProps) {
  const around = useRef<HTMLDivElement>(null);
  // It stays while it has the keyboard, which would else be nowhere.
  const [focused, setFocused] = useState(false);
  const show = (): void => {
    onOpen();
    // Its keys scroll it from here on.
    around.current?.querySelector<HTMLElement>('[role=group]')?.focus();
  };
  return (
    <div ref={around} className={open ? `${styles.box} ${styles.open}` : styles.box}>
      {children({ before: <End watch={sight.start} />, after: <End watch={sight.end} /> })}
      {!open && (sight.hidesEnd || focused) && (
        <Button
          kind="quiet"
          small
          icon="fold"
          onClick={show}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
        >
          {words}
        </Button>
      )}
    </div>
  );
}

function End({ watch }: { watch: Sight['start'] }) {
  return <span ref={watch} className={styles.sightEnd} />;
}

/** The arguments, where the words of the question do not hold all of them. */
function unsaid(args: unknown, summary: string): string {
  if (typeof args !== 'object' || args === null) return argumentsText(args);
  const isSaid = Object.values(args).every(
    (value) => value === null || (typeof value !== 'object' && summary.includes(String(value).trim())),
  );
  return isSaid ? '' : argumentsText(args);
}

/** A long text in pieces that are drawn one after the other. Pure. */
interface TextPiece {
  /** Where it begins. */
  at: number;
  text: string;
}

const usualLength = 4_000;
/** Beyond the usual length a piece ends where a line with something in it begins, if one comes this soon. */
const slack = 4_000;

/** All of the text, in its order; no piece is cut inside of a character or, where that can be helped, of a run of blanks. */
function textPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  while (at < text.length) {
    const end = endOf(text, at + usualLength);
    pieces.push({ at, text: text.slice(at, end) });
    at = end;
  }
  return pieces;
}

function endOf(text: string, from: number): number {
  if (from >= text.length) return text.length;
  const lineEnd = /\n(?=\S)/g;
  lineEnd.lastIndex = from;
  const found = lineEnd.exec(text.slice(0, from + slack));
  if (found) return found.index + 1;
  const code = text.charCodeAt(from);
  return code >= 0xdc_00 && code <= 0xdf_ff ? from + 1 : from;
}
