import { Fragment } from 'react';
import { markedPieces } from './marked.ts';
import styles from './sessions.module.css';

/** The title of a session where there is little room: it is cut, and the number of a copy behind it never is. */
export function SessionTitle({ title, query }: { title: string; query: string }) {
  const [, stem = title, number] = /^(.+)( \(\d{1,4}\))$/s.exec(title) ?? [];
  return (
    <span className={styles.sesTitle} dir="auto">
      <span className="cut">
        {query === ''
          ? stem
          : markedPieces(stem, query).map(({ at, words, found }) =>
              found ? <mark key={at}>{words}</mark> : <Fragment key={at}>{words}</Fragment>,
            )}
      </span>
      {number !== undefined && <span className={styles.nth}>{number}</span>}
    </span>
  );
}
