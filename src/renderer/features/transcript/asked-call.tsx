/** What a question asks about: the whole call, in a box that scrolls where it is long. */
import { useMemo, useState, type ComponentProps, type ReactNode } from 'react';
import type { Approval, ToolItem } from '../../../protocol/model.ts';
import { signs, transcript as text } from '../../text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { DiffView } from '../../components/diff-view.tsx';
import type { Diff } from '../../components/diff-lines.ts';
import { ScrollText } from '../../components/scroll-region.tsx';
import type { Sight } from '../../components/sight.ts';
import { useGrowing } from '../../components/use-growing.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { argumentsText } from './call-details.tsx';
import styles from './approval.module.css';

export interface Asked {
  /** In place of the words: what would be another in a file, which the title names. */
  diff: Diff | null;
  words: string;
  lines: number;
  /** What a button says that opens all of it. */
  showAll: string;
}

export function askedOf({ display, args, subject }: ToolItem, approval: Approval): Asked {
  const { summary, editable, host } = approval;
  if (display?.kind === 'diff') {
    const lines = display.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
    return { diff: display, words: '', lines, showAll: signs.showLines(lines) };
  }
  // The title names the host; what wants to reach it is asked about here.
  const said = host ? subject : summary;
  const more = editable || host ? '' : unsaid(args, summary);
  const words = more === '' ? said : `${said}\n\n${more}`;
  return { diff: null, words, lines: words.split('\n').length, showAll: showAllOf(words) };
}

export function showAllOf(words: string): string {
  const lines = words.split('\n').length;
  return lines > 3 ? signs.showLines(lines) : signs.showCharacters(words.length);
}

interface AskedCallProps {
  asked: Asked;
  sight: Sight;
  /** All of it was asked for: the box is higher, and draws to its end. */
  open: boolean;
  onEdit: (() => void) | undefined;
}

export function AskedCall({ asked: { diff, words }, sight, open, onEdit }: AskedCallProps) {
  return (
    <div className={onEdit ? `${styles.box} ${styles.editable}` : styles.box}>
      {diff ? (
        <DiffBox diff={diff} sight={sight} open={open} />
      ) : (
        <AskedText text={words} sight={sight} open={open} />
      )}
      {onEdit && (
        <IconButton
          icon="edit"
          label={text.approval.edit}
          title={`${text.approval.edit} (${text.approval.editKey})`}
          onClick={onEdit}
        />
      )}
    </div>
  );
}

function DiffBox({ diff, sight, open }: { diff: Diff; sight: Sight; open: boolean }) {
  return (
    <div className={open ? styles.open : undefined}>
      <DiffView
        diff={diff}
        label={diff.path}
        wrapped
        all={open}
        before={<End watch={sight.start} />}
        after={<End watch={sight.end} />}
      />
    </div>
  );
}

/** Pieces that are drawn before all of it is asked for: more than the box has room for. */
const firstPieces = 2;

/** Words of a call with all that hides in them, in a box with marks at both ends of what it holds. */
export function AskedText({ text: asked, sight, open }: { text: string; sight: Sight; open: boolean }) {
  const pieces = useMemo(() => textPieces(asked), [asked]);
  const { length } = pieces;
  const shown = useGrowing({ first: firstPieces, step: firstPieces, total: length, all: open });
  return (
    <div className={open ? styles.open : undefined}>
      <ScrollText className={`code ${styles.asked} wrap`} label={text.approval.call}>
        <End watch={sight.start} />
        {pieces.slice(0, shown).map((piece) => (
          <VisibleText key={piece.at} text={piece.text} />
        ))}
        {shown === length && <End watch={sight.end} />}
      </ScrollText>
    </div>
  );
}

interface ShowAllProps extends ComponentProps<typeof Button> {
  wanted: boolean;
  children: ReactNode;
}

/** It stays while it has the keyboard, which would else be nowhere. */
export function ShowAll({ wanted, ...button }: ShowAllProps) {
  const [focused, setFocused] = useState(false);
  if (!wanted && !focused) return null;
  return <Button {...button} onFocus={() => setFocused(true)} onBlur={() => setFocused(false)} />;
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
