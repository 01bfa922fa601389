import { useMemo } from 'react';
import type { ToolDisplay } from '../../../protocol/model.ts';
import { maskKeys } from '../../../rules/key-formats.ts';
import { visibleName, visibleText } from '../../../rules/visible-text/visible-text.ts';
import { transcript as text } from '../../text.ts';
import { positions } from '../../components/positions.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { useMasked, type Masked } from './masked.tsx';
import { markMatches, safePattern } from './match-words.ts';
import styles from './results.module.css';

type Matches = Extract<ToolDisplay, { kind: 'matches' }>;

const shownMatches = 200;

function maskMatches(matches: Matches['matches']): Masked<Matches['matches']> {
  let count = 0;
  const masked = matches.map((match) => {
    const found = maskKeys(match.text);
    count += found.count;
    return { ...match, text: found.text };
  });
  return { masked, count };
}

/** What a search found, under the file that it stands in, the match marked. Paths are text: they open nothing. */
export function SearchHits({ display, pattern }: { display: Matches; pattern: string }) {
  const first = useMemo(() => display.matches.slice(0, shownMatches), [display]);
  const { masked: shown, note } = useMasked(first, maskMatches);
  const found = safePattern(pattern);
  return (
    <div className={styles.hits}>
      {[...Map.groupBy(shown, ({ path }) => path)].map(([path, matches]) => (
        <section key={path} aria-label={visibleName(path)}>
          <h3 className="cut" title={visibleName(path)}>
            <VisibleText text={path} oneLine /> <span className="t3">{text.matchesIn(matches.length)}</span>
          </h3>
          <ul>
            {positions(matches).map(({ at, piece: { line, text: words } }) => (
              <li key={at} title={visibleText(words.trim())}>
                <span className={styles.number}>{line}</span>
                <span className="cut">
                  {positions(markMatches(words.trim(), found)).map(({ at: place, piece }) =>
                    piece.hit ? (
                      <span key={place} className={styles.match}>
                        <VisibleText text={piece.text} oneLine />
                      </span>
                    ) : (
                      <VisibleText key={place} text={piece.text} oneLine />
                    ),
                  )}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {note}
      {display.total > shown.length && <p className="meta">{text.cutList(shown.length, display.total)}</p>}
    </div>
  );
}
