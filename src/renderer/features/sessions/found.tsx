/** What was found in messages and answers, below the sessions whose titles match. */
import { Fragment, useId } from 'react';
import { sessions as text } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import type { Search, SearchHit } from '../../stores/shown-slice.ts';
import { whenText } from './group-sessions.ts';
import { markedPieces } from './marked.ts';
import { SessionTitle } from './session-title.tsx';
import { useToday } from './use-today.ts';

type Hit = SearchHit & { itemId: string };

export function hitsOf({ found }: Search): Hit[] {
  return found?.hits.flatMap((hit) => (hit.itemId === null ? [] : [{ ...hit, itemId: hit.itemId }])) ?? [];
}

export function FoundInMessages({ search }: { search: Search }) {
  const hits = hitsOf(search);
  if (search.found === null) return <p className="hint">{text.searching}</p>;
  if (hits.length === 0) return null;
  const sessions = Map.groupBy(hits, ({ sessionId }) => sessionId);
  return (
    <>
      <h2>{text.inMessages}</h2>
      <ul aria-label={text.inMessages}>
        {[...sessions].map(([sessionId, of]) => (
          <FoundSession key={sessionId} hits={of} query={search.query} />
        ))}
      </ul>
      {!search.found.complete && <p className="hint">{text.more}</p>}
    </>
  );
}

/** What was found in one session, under its title. */
function FoundSession({ hits, query }: { hits: Hit[]; query: string }) {
  const titleId = useId();
  const title = hits[0]?.title ?? '';
  return (
    <li>
      <p className="hit-title" id={titleId} title={title}>
        <SessionTitle title={title} />
      </p>
      <ul aria-labelledby={titleId}>
        {hits.map((hit) => (
          <HitRow key={hit.itemId} hit={hit} query={query} />
        ))}
      </ul>
    </li>
  );
}

function HitRow({ hit: { sessionId, itemId, title, snippet, at }, query }: { hit: Hit; query: string }) {
  const { run } = useCommands();
  const today = useToday();
  return (
    <li>
      <div className="ses hit">
        <button
          type="button"
          className="open"
          title={`${title}\n${snippet}`}
          onClick={() => void run('session/open-at', { sessionId, itemId })}
        >
          <span className="meta snippet" dir="auto">
            {markedPieces(snippet, query).map(({ at: place, words, found }) =>
              found ? <mark key={place}>{words}</mark> : <Fragment key={place}>{words}</Fragment>,
            )}
          </span>
          <span className="meta num">{whenText({ pinned: false, updatedAt: at }, today)}</span>
        </button>
      </div>
    </li>
  );
}
