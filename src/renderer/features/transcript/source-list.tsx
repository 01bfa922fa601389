import type { Source } from '../../../protocol/model.ts';
import { transcript } from '../../text.ts';
import { SafeLink } from '../../components/link.tsx';
import { citation } from '../../components/markdown/citations.tsx';
import { VisibleText } from '../../components/visible-text.tsx';

const hostOf = (url: string): string => URL.parse(url)?.host ?? '';

/** Pages that tools found or read, by the numbers that cite them. A press opens one outside of the window. */
export function SourceList({ sources }: { sources: readonly Source[] }) {
  return (
    <ul className="sources" aria-label={transcript.sources}>
      {sources.map(({ number, title, url }) => (
        <li key={number} className="cut">
          <span className="num t3">{citation(number)}</span>{' '}
          <SafeLink href={url}>
            <VisibleText text={title === '' ? url : title} oneLine />
          </SafeLink>{' '}
          <span className="meta">{hostOf(url)}</span>
        </li>
      ))}
    </ul>
  );
}
