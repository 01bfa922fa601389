import type { Source } from '../../../protocol/foreign-text.ts';
import { transcript } from '../../text.ts';
import { citation } from '../../components/markdown/citations.tsx';
import { SourceLink } from '../../components/source-link.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import styles from '../../components/source-link.module.css';

const hostOf = (url: string): string => URL.parse(url)?.host ?? '';

/** What tools found or read, by the numbers that cite it. A press opens a page outside of the window, a passage in it. */
export function SourceList({ sources }: { sources: readonly Source[] }) {
  return (
    <ul className={styles.list} aria-label={transcript.sources}>
      {sources.map((source) => (
        <li key={source.number} className="cut">
          <span className="num t3">{citation(source.number)}</span>{' '}
          <SourceLink source={source}>
            <VisibleText text={source.title === '' ? source.url : source.title} oneLine />
          </SourceLink>{' '}
          <span className="meta">{hostOf(source.url)}</span>
        </li>
      ))}
    </ul>
  );
}
