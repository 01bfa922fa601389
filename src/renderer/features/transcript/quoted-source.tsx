/** The sentence of a text from elsewhere that a call comes from, and whose text that is. */
import type { ForeignQuote } from '../../../protocol/model.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { transcript as text } from '../../text.ts';
import styles from './approval.module.css';

export function ForeignQuoteView({ quote }: { quote: ForeignQuote }) {
  const { source, before, piece, after } = quote;
  const { from, fromUnnamed, notFromYou } = text.approval.quote;
  return (
    <figure className={styles.quote}>
      <figcaption>
        {source.name === '' ? (
          fromUnnamed[source.kind]
        ) : (
          <>
            {from[source.kind]}{' '}
            <span className="mono">
              <VisibleText text={source.name} oneLine />
            </span>
          </>
        )}
        {notFromYou}
      </figcaption>
      <blockquote>
        <VisibleText text={before} oneLine />
        <mark>
          <VisibleText text={piece} oneLine />
        </mark>
        <VisibleText text={after} oneLine />
      </blockquote>
    </figure>
  );
}
