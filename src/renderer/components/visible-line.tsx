import { useContext, useMemo, type ReactNode } from 'react';
import { visibleParts } from '../../rules/visible-text/visible-parts.ts';
import { signs as text } from '../text.ts';
import { Line } from './code/code-text.tsx';
import type { CodeLine } from './code/tones.ts';
import type { DiffLine } from './diff-lines.ts';
import { positions } from './positions.ts';
import { ScriptsContext, Sign, type MarkedPart } from './visible-text.tsx';
import styles from './diff.module.css';
import visibleTextStyles from './visible-text.module.css';

/** A piece of a line: a mark, unchanged characters that were left out, or characters in their colours. */
type Piece =
  { mark: MarkedPart } | { same: number } | { tokens: CodeLine; changed: boolean; rightToLeft: boolean };

/** A line of a diff in its colours: what changed in it is marked, and so is what hides or imitates something. */
export function VisibleLine({ line, coloured }: { line: DiffLine; coloured: CodeLine }) {
  const scripts = useContext(ScriptsContext);
  const parts = useMemo(() => visibleParts(line.text, { scripts }), [line.text, scripts]);
  if (line.empty !== undefined) return <Sign part={{ kind: 'lines', text: '', count: line.empty }} />;
  const isPlain = parts.length === 1 && parts[0]?.kind === 'text';
  if (isPlain && line.changed.length + line.same.length === 0) return <Line line={coloured} />;
  return positions(piecesOf(line, parts, coloured)).map(({ at, piece }) => <Drawn key={at} piece={piece} />);
}

function Drawn({ piece }: { piece: Piece }): ReactNode {
  if ('mark' in piece) return <Sign part={piece.mark} />;
  if ('same' in piece)
    return (
      <span className={`${visibleTextStyles.sign} ${visibleTextStyles.plain}`}>{text.same(piece.same)}</span>
    );
  const drawn = <Line line={piece.tokens} />;
  const apart = piece.rightToLeft ? <bdi>{drawn}</bdi> : drawn;
  return piece.changed ? <span className={styles.changed}>{apart}</span> : apart;
}

function piecesOf(
  { text: line, changed, same }: DiffLine,
  parts: ReturnType<typeof visibleParts>,
  coloured: CodeLine,
): Piece[] {
  const edges = new Set([...changed.flat(), ...same.map(({ at }) => at)]);
  const pieces: Piece[] = [];
  const leftOut = (at: number): void => {
    for (const gap of same) if (gap.at === at) pieces.push({ same: gap.count });
  };
  let at = 0;
  for (const part of parts) {
    const end = at + part.text.length;
    if (part.kind !== 'text' && part.kind !== 'rtl') {
      // Left out inside of a mark, as of a thousand blanks, it is told before it.
      for (const gap of same) if (gap.at >= at && gap.at < end) pieces.push({ same: gap.count });
      pieces.push({ mark: part });
      at = end;
      continue;
    }
    const cuts = [...edges].filter((edge) => edge > at && edge < end).toSorted((a, b) => a - b);
    for (const to of [...cuts, end]) {
      leftOut(at);
      pieces.push({
        tokens: between(coloured, at, to),
        changed: changed.some(([from, until]) => from <= at && to <= until),
        rightToLeft: part.kind === 'rtl',
      });
      at = to;
    }
  }
  leftOut(line.length);
  return pieces;
}

function between(line: CodeLine, from: number, to: number): CodeLine {
  let at = 0;
  return line.flatMap((token) => {
    const start = at;
    at += token.text.length;
    const text = token.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    return text === '' ? [] : [{ ...token, text }];
  });
}
