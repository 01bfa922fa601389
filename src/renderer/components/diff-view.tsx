import { useMemo, useState, type ReactNode } from 'react';
import { count } from '../formats.ts';
import { prose, signs } from '../text.ts';
import { Button } from './button.tsx';
import { useColouredLines } from './code/code-text.tsx';
import { languageOfPath } from './code/languages.ts';
import type { CodeLine } from './code/tones.ts';
import {
  beginsChange,
  diffText,
  firstLines,
  shownLines,
  type Diff,
  type DiffGap,
  type DiffLine,
} from './diff-lines.ts';
import { Icon } from './icon.tsx';
import { positions } from './positions.ts';
import { ScrollRegion } from './scroll-region.tsx';
import { useGrowing } from './use-growing.ts';
import { VisibleLine } from './visible-line.tsx';
import styles from './diff.module.css';

export function DiffCount({ added, removed }: { added: number; removed: number }) {
  return (
    // Read as code: a sign before its figure.
    <span dir="ltr">
      {(added > 0 || removed === 0) && <span className="ok">+{count(added)}</span>}
      {added > 0 && removed > 0 && ' '}
      {removed > 0 && <span className="fail">−{count(removed)}</span>}
    </span>
  );
}

/** The old and the new side, each coloured as a text of its own; an unchanged line takes the new side's colours. */
interface Sides {
  before: CodeLine[];
  after: CodeLine[];
}

/** Longer ones are shown as far as this, until all of it is asked for. */
const firstShown = 2_000;
const shownPerFrame = 500;

interface DiffViewProps {
  diff: Diff;
  label: string;
  wrapped?: boolean;
  /** Whether all of it is asked for, where that is said elsewhere; else a long one offers it itself. */
  all?: boolean;
  /** Drawn before the first line, and behind the last one once all are drawn. */
  before?: ReactNode;
  after?: ReactNode;
}

/** A unified diff: numbers, signs and tints, so that no line is told by its colour alone. */
export function DiffView({ diff, label, wrapped = false, all, before, after }: DiffViewProps) {
  const text = useMemo(() => diffText(diff), [diff]);
  const language = languageOfPath(diff.path);
  const sides: Sides = {
    before: useColouredLines(text.before, language),
    after: useColouredLines(text.after, language),
  };
  const total = shownLines(text.parts);
  const [wanted, setWanted] = useState(false);
  const shown = useGrowing({ first: firstShown, step: shownPerFrame, total, all: all ?? wanted });
  const parts = shown < total ? firstLines(text.parts, shown) : text.parts;
  return (
    <ScrollRegion className={wrapped ? 'diff wrap' : 'diff'} label={label}>
      {before}
      <div>
        {positions(parts).map(({ at, piece }) =>
          'gap' in piece ? (
            <Gap key={at} gap={piece.gap} sides={sides} />
          ) : (
            <Lines key={at} lines={piece.lines} sides={sides} />
          ),
        )}
      </div>
      {shown === total && after}
      {shown < total && !wanted && all === undefined && (
        <Button kind="quiet" small onClick={() => setWanted(true)}>
          {signs.showLines(total)}
        </Button>
      )}
    </ScrollRegion>
  );
}

function Lines({ lines, sides }: { lines: DiffLine[]; sides: Sides }) {
  return (
    <div className={styles.hunk}>
      {positions(lines).map(({ at, piece: line }) => (
        <div key={at} className={lineClass(line.sign)} data-change={beginsChange(lines, at) || undefined}>
          <span className={styles.number}>{line.number}</span>
          <span className={styles.sign}>{line.sign === '-' ? '−' : line.sign}</span>
          <span>
            <VisibleLine line={line} coloured={colouredLine(line, sides)} />
          </span>
        </div>
      ))}
    </div>
  );
}

function colouredLine({ sign, place, text }: DiffLine, { before, after }: Sides): CodeLine {
  return (sign === '-' ? before[place] : after[place]) ?? [{ text, tone: null }];
}

/** Unchanged lines that are not shown; those that the diff holds can be. */
function Gap({ gap, sides }: { gap: DiffGap; sides: Sides }) {
  const [open, setOpen] = useState(false);
  if (open) return <Lines lines={gap.lines} sides={sides} />;
  const words = prose.unchanged(gap.count);
  if (gap.lines.length === 0) return <p className={styles.gap}>{words}</p>;
  return (
    <button type="button" className={styles.gap} onClick={() => setOpen(true)}>
      <Icon name="fold" />
      {words}
    </button>
  );
}

function lineClass(sign: DiffLine['sign']): string | undefined {
  if (sign === '+') return styles.added;
  return sign === '-' ? styles.removed : undefined;
}
