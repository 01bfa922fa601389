import { memo, useContext, useEffect, useMemo, useState } from 'react';
import { positions } from '../positions.ts';
import { GrowingCode, plainGroups } from './growing-code.ts';
import { HighlighterContext, type CodeLine, type Tokenizer } from './highlighter.ts';

/** Larger code is shown plain. */
const largest = 200_000;

interface CodeTextProps {
  code: string;
  /** As `knownLanguage` names it; null = plain. */
  language: string | null;
}

/** Code as coloured lines; plain until its grammar is there, in the same place and size. */
export function CodeText({ code, language }: CodeTextProps) {
  const tokenizer = useTokenizer(code.length > largest ? null : language);
  const growing = useMemo(() => tokenizer && new GrowingCode(tokenizer), [tokenizer]);
  const groups = growing ? growing.read(code) : plainGroups(code);
  return positions(groups).map(({ at, piece }) => (
    <Group key={at} lines={piece} last={at === groups.length - 1} />
  ));
}

export function useTokenizer(language: string | null): Tokenizer | null {
  const highlighter = useContext(HighlighterContext);
  const [, setLoaded] = useState<Tokenizer | null>(null);
  useEffect(() => {
    if (language === null || !highlighter || highlighter.ready(language)) return;
    let current = true;
    const load = async (): Promise<void> => {
      const tokenizer = await highlighter.load(language);
      if (current) setLoaded(tokenizer);
    };
    void load();
    return () => {
      current = false;
    };
  }, [highlighter, language]);
  return language === null ? null : (highlighter?.ready(language) ?? null);
}

const Group = memo(
  ({ lines, last }: { lines: CodeLine[]; last: boolean }) =>
    positions(lines).map(({ at, piece }) => (
      <span key={at}>
        <Line line={piece} />
        {last && at === lines.length - 1 ? '' : '\n'}
      </span>
    )),
  (before, after) => before.lines === after.lines && before.last === after.last,
);
Group.displayName = 'CodeGroup';

export function Line({ line }: { line: CodeLine }) {
  return positions(line).map(({ at, piece }) =>
    piece.tone === null ? (
      piece.text
    ) : (
      <span key={at} className={`tk-${piece.tone}`}>
        {piece.text}
      </span>
    ),
  );
}
