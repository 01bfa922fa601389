import type { ToolDisplay } from '../../../protocol/model.ts';
import { transcript as text } from '../../text.ts';
import { positions } from '../../components/positions.ts';
import { markMatches, safePattern } from './match-words.ts';

type Matches = Extract<ToolDisplay, { kind: 'matches' }>;

const shownMatches = 200;

/** What a search found, under the file that it stands in, the match marked. Paths are text: they open nothing. */
export function SearchHits({ display, pattern }: { display: Matches; pattern: string }) {
  const shown = display.matches.slice(0, shownMatches);
  const found = safePattern(pattern);
  return (
    <div className="hits">
      {[...Map.groupBy(shown, ({ path }) => path)].map(([path, matches]) => (
        <section key={path} aria-label={path}>
          <h3 className="cut" title={path}>
            {path} <span className="t3">{text.matchesIn(matches.length)}</span>
          </h3>
          <ul>
            {positions(matches).map(({ at, piece: { line, text: words } }) => (
              <li key={at} title={words.trim()}>
                <span className="n">{line}</span>
                <span className="cut">
                  {positions(markMatches(words.trim(), found)).map(({ at: place, piece }) =>
                    piece.hit ? (
                      <span key={place} className="match">
                        {piece.text}
                      </span>
                    ) : (
                      piece.text
                    ),
                  )}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {display.total > shown.length && <p className="meta">{text.cutList(shown.length, display.total)}</p>}
    </div>
  );
}
