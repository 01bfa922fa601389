import { useMemo } from 'react';
import type { ToolDisplay } from '../../protocol/model.ts';
import { Line, useTokenizer } from './code/code-text.tsx';
import type { CodeLine, Tokenizer } from './code/highlighter.ts';
import { languageOfPath } from './code/languages.ts';
import { positions } from './positions.ts';
import { ScrollRegion } from './scroll-region.tsx';

type Diff = Extract<ToolDisplay, { kind: 'diff' }>;
type Hunk = Diff['hunks'][number];

interface DiffLine {
  sign: ' ' | '+' | '-';
  /** In the new file; of a removed line, in the old one. */
  number: number;
  line: CodeLine;
}

export function DiffCount({ added, removed }: { added: number; removed: number }) {
  return (
    <span>
      <span className="ok">+{added}</span> <span className="fail">−{removed}</span>
    </span>
  );
}

/** A unified diff: numbers, signs and tints, so that no line is told by its colour alone. */
export function DiffView({ diff, label }: { diff: Diff; label: string }) {
  const tokenizer = useTokenizer(languageOfPath(diff.path));
  const hunks = useMemo(() => diff.hunks.map((hunk) => numberLines(hunk, tokenizer)), [diff, tokenizer]);
  return (
    <ScrollRegion className="diff" label={label}>
      <div>
        {positions(hunks).map(({ at, piece: lines }) => (
          <div className="hunk" key={at}>
            {positions(lines).map(({ at: row, piece: line }) => (
              <div key={row} className={lineClass(line.sign)}>
                <span className="n">{line.number}</span>
                <span className="m">{line.sign === '-' ? '−' : line.sign}</span>
                <span>
                  <Line line={line.line} />
                </span>
              </div>
            ))}
          </div>
        ))}
      </div>
    </ScrollRegion>
  );
}

function lineClass(sign: DiffLine['sign']): string | undefined {
  if (sign === '+') return 'add';
  return sign === '-' ? 'del' : undefined;
}

/** The old and the new side are each coloured as a text of their own; a context line takes the new side's colours. */
function numberLines(hunk: Hunk, tokenizer: Tokenizer | null): DiffLine[] {
  const rows = hunk.lines.map((raw) => ({ sign: signOf(raw), text: raw.slice(1) }));
  const before = colour(
    rows.filter((row) => row.sign !== '+').map((row) => row.text),
    tokenizer,
  );
  const after = colour(
    rows.filter((row) => row.sign !== '-').map((row) => row.text),
    tokenizer,
  );
  let oldAt = 0;
  let newAt = 0;
  return rows.map(({ sign, text }) => {
    const plain: CodeLine = [{ text, tone: null }];
    const line = (sign === '-' ? before[oldAt] : after[newAt]) ?? plain;
    const number = sign === '-' ? hunk.oldStart + oldAt : hunk.newStart + newAt;
    if (sign !== '+') oldAt += 1;
    if (sign !== '-') newAt += 1;
    return { sign, number, line };
  });
}

function signOf(raw: string): DiffLine['sign'] {
  return raw.startsWith('+') ? '+' : raw.startsWith('-') ? '-' : ' ';
}

function colour(lines: string[], tokenizer: Tokenizer | null): CodeLine[] {
  if (tokenizer) return tokenizer.lines(lines.join('\n'), undefined).lines;
  return lines.map((text) => [{ text, tone: null }]);
}
