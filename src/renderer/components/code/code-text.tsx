import { memo, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { positions } from '../positions.ts';
import { ColouredCode, groupSize } from './coloured-code.ts';
import { HighlighterContext } from './highlighter.ts';
import type { CodeTone } from './theme.ts';
import type { CodeLine } from './tones.ts';
import styles from './code.module.css';

/** Larger code is shown plain. */
const largest = 200_000;

interface CodeTextProps {
  code: string;
  /** As `knownLanguage` names it; null = plain. */
  language: string | null;
  /** True while code may still be added. */
  growing?: boolean;
}

/** Code as coloured lines; plain until its colours are there, in the same place and size. */
export function CodeText({ code, language, growing = false }: CodeTextProps) {
  const groups = useColouredCode(code, code.length > largest ? null : language, growing);
  return positions(groups).map(({ at, piece }) => (
    <Group key={at} lines={piece} last={at === groups.length - 1} isDiff={language === 'diff'} />
  ));
}

/** The lines of a text that is there as a whole. */
export function useColouredLines(code: string, language: string | null): CodeLine[] {
  return useColouredCode(code, code.length > largest ? null : language, false).flat();
}

function useColouredCode(code: string, language: string | null, growing: boolean): CodeLine[][] {
  const highlighter = useContext(HighlighterContext);
  const create = () => ({ highlighter, language, coloured: new ColouredCode(highlighter, language, timer) });
  const [held, setHeld] = useState(create);
  const fits = held.highlighter === highlighter && held.language === language;
  const current = fits ? held : create();
  if (!fits) setHeld(current);
  const { coloured } = current;
  useSyncExternalStore(coloured.subscribe, coloured.version, coloured.version);
  // Whatever was read: it knows what is still without colours.
  useEffect(() => coloured.colour());
  return coloured.read(code, growing);
}

function timer(ms: number, callback: () => void): () => void {
  const id = setTimeout(callback, ms);
  return () => clearTimeout(id);
}

const Group = memo(
  ({ lines, last, isDiff }: { lines: CodeLine[]; last: boolean; isDiff: boolean }) => (
    <span className={groupClass(lines.length)}>
      {positions(lines).map(({ at, piece }) => (
        <span key={at} className={isDiff ? changeClass(piece) : undefined}>
          <Line line={piece} />
          {last && at === lines.length - 1 ? '' : '\n'}
        </span>
      ))}
    </span>
  ),
  (before, after) =>
    before.lines === after.lines && before.last === after.last && before.isDiff === after.isDiff,
);
Group.displayName = 'CodeGroup';

const tones: Record<CodeTone, string> = {
  k: styles.toneKey,
  s: styles.toneString,
  u: styles.toneNumber,
  c: styles.toneComment,
  f: styles.toneFunction,
};

/** Tinted behind the sign that it begins with; the names of the files begin with three. */
function changeClass(line: CodeLine): string | undefined {
  const text = line.map((piece) => piece.text).join('');
  if (/^\+(?!\+\+ )/.test(text)) return styles.added;
  return /^-(?!-- )/.test(text) ? styles.removed : undefined;
}

/** Only of a full group is the height known before it is laid out. */
export function groupClass(lines: number): string {
  return lines === groupSize ? `${styles.group} ${styles.whole}` : styles.group;
}

export function Line({ line }: { line: CodeLine }) {
  return positions(line).map(({ at, piece }) =>
    piece.tone === null ? (
      piece.text
    ) : (
      <span key={at} className={tones[piece.tone]}>
        {piece.text}
      </span>
    ),
  );
}
