/** Foreign text as a person is shown it: what hides, moves or imitates something is drawn as a mark that says so. */
import { createContext, memo, useContext } from 'react';
import { latinOnly, visibleParts, type VisiblePart } from '../../rules/visible-text/visible-parts.ts';
import { signs as text } from '../text.ts';
import { positions } from './positions.ts';
import { useLanguage } from './language.ts';
import styles from './visible-text.module.css';

/** Scripts that the person reads: their letters are no marks. */
export const ScriptsContext = createContext<ReadonlySet<string>>(latinOnly);

/** Of the languages that a browser names, the likely scripts: "ru" is written in "Cyrl". */
export function scriptsOf(languages: readonly string[]): ReadonlySet<string> {
  return new Set([...latinOnly, ...languages.flatMap((language) => scriptOf(language) ?? [])]);
}

function scriptOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().script;
  } catch {
    // No language tag.
    return undefined;
  }
}

interface VisibleTextProps {
  text: string;
  /** A name: line breaks and tabs in it are marks too. */
  oneLine?: boolean;
}

export const VisibleText = memo(({ text: foreign, oneLine = false }: VisibleTextProps) => {
  useLanguage();
  const scripts = useContext(ScriptsContext);
  const parts = visibleParts(foreign, { scripts, oneLine });
  return positions(parts).map(({ at, piece }) => <Part key={at} part={piece} />);
});
VisibleText.displayName = 'VisibleText';

function Part({ part }: { part: VisiblePart }) {
  if (part.kind === 'text') return part.text;
  // No `bdi`: whoever asks for the direction of the whole would not be told of these words.
  return part.kind === 'rtl' ? <span className={styles.apart}>{part.text}</span> : <Sign part={part} />;
}

export type MarkedPart = Exclude<VisiblePart, { kind: 'text' | 'rtl' }>;

/** The mark alone: its words cannot be written by a text, since they are drawn in a box of their own. */
export function Sign({ part }: { part: MarkedPart }) {
  switch (part.kind) {
    case 'lines':
      return <span className={`${styles.sign} ${styles.emptyLines}`}>{text.emptyLines(part.count)}</span>;
    case 'blanks':
      return <span className={styles.sign}>{text.blanks(part.count)}</span>;
    case 'signs':
      return (
        <span className={styles.sign} title={text.hidden}>
          {text.many(part.count)}
        </span>
      );
    case 'sign':
      return (
        <span className={styles.sign} title={part.looks ? text.looks : text.hidden}>
          {part.looks && <bdi>{part.text} </bdi>}
          {part.count > 1 ? text.repeated(part.code, part.count) : part.code}
        </span>
      );
  }
}
