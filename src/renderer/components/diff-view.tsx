import { useMemo, useState } from 'react';
import { prose } from '../text.ts';
import { Line, useColouredLines } from './code/code-text.tsx';
import { languageOfPath } from './code/languages.ts';
import type { CodeLine } from './code/tones.ts';
import { diffText, type Diff, type DiffGap, type DiffLine } from './diff-lines.ts';
import type { Stretch } from './diff-words.ts';
import { Icon } from './icon.tsx';
import { positions } from './positions.ts';
import { ScrollRegion } from './scroll-region.tsx';

export function DiffCount({ added, removed }: { added: number; removed: number }) {
  return (
    <span>
      <span className="ok">+{added}</span> <span className="fail">−{removed}</span>
    </span>
  );
}

/** The old and the new side, each coloured as a text of its own; an unchanged line takes the new side's colours. */
interface Sides {
  before: CodeLine[];
  after: CodeLine[];
}

/** A unified diff: numbers, signs and tints, so that no line is told by its colour alone. */
export function DiffView({ diff, label, wrapped = false }: { diff: Diff; label: string; wrapped?: boolean }) {
  const text = useMemo(() => diffText(diff), [diff]);
  const language = languageOfPath(diff.path);
  const sides: Sides = {
    before: useColouredLines(text.before, language),
    after: useColouredLines(text.after, language),
  };
  return (
    <ScrollRegion className={wrapped ? 'diff wrap' : 'diff'} label={label}>
      <div>
        {positions(text.parts).map(({ at, piece }) =>
          'gap' in piece ? (
            <Gap key={at} gap={piece.gap} sides={sides} />
          ) : (
            <Lines key={at} lines={piece.lines} sides={sides} />
          ),
        )}
      </div>
    </ScrollRegion>
  );
}

function Lines({ lines, sides }: { lines: DiffLine[]; sides: Sides }) {
  return (
    <div className="hunk">
      {positions(lines).map(({ at, piece: line }) => (
        <div key={at} className={lineClass(line.sign)} data-change={beginsChange(lines, at) || undefined}>
          <span className="n">{line.number}</span>
          <span className="m">{line.sign === '-' ? '−' : line.sign}</span>
          <span>
            <Words line={line} coloured={colouredLine(line, sides)} />
          </span>
        </div>
      ))}
    </div>
  );
}

function colouredLine({ sign, place, text }: DiffLine, { before, after }: Sides): CodeLine {
  return (sign === '-' ? before[place] : after[place]) ?? [{ text, tone: null }];
}

/** The line in its colours; what changed in it is marked. */
function Words({ line, coloured }: { line: DiffLine; coloured: CodeLine }) {
  if (line.changed.length === 0) return <Line line={coloured} />;
  return positions(cutAt(coloured, line.changed)).map(({ at, piece: { tokens, changed } }) =>
    changed ? (
      <span key={at} className="changed">
        <Line line={tokens} />
      </span>
    ) : (
      <Line key={at} line={tokens} />
    ),
  );
}

/** Cuts a coloured line where what changed begins and ends. */
function cutAt(line: CodeLine, changed: readonly Stretch[]): { tokens: CodeLine; changed: boolean }[] {
  const end = line.reduce((sum, { text }) => sum + text.length, 0);
  const edges = [0, ...changed.flat(), end];
  return edges.slice(1).map((to, at) => ({
    tokens: between(line, edges[at] ?? 0, to),
    changed: at % 2 === 1,
  }));
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

/** Unchanged lines that are not shown; those that the diff holds can be. */
function Gap({ gap, sides }: { gap: DiffGap; sides: Sides }) {
  const [open, setOpen] = useState(false);
  if (open) return <Lines lines={gap.lines} sides={sides} />;
  const words = prose.unchanged(gap.count);
  if (gap.lines.length === 0) return <p className="gap">{words}</p>;
  return (
    <button type="button" className="gap" onClick={() => setOpen(true)}>
      <Icon name="fold" />
      {words}
    </button>
  );
}

/** The first line of a run of changed ones: where a person goes from change to change. */
function beginsChange(lines: readonly DiffLine[], at: number): boolean {
  return lines[at]?.sign !== ' ' && (at === 0 || lines[at - 1]?.sign === ' ');
}

function lineClass(sign: DiffLine['sign']): string | undefined {
  if (sign === '+') return 'add';
  return sign === '-' ? 'del' : undefined;
}
