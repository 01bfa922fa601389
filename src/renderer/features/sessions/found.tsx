/** What was found in messages and answers, below the sessions whose titles match. */
import { Fragment } from 'react';
import { sessions as text } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import type { Search, SearchHit } from '../../stores/shown-slice.ts';
import { whenText } from './group-sessions.ts';
import { markedPieces } from './marked.ts';
import { useToday } from './use-today.ts';

type Hit = SearchHit & { itemId: string };

export function hitsOf({ found }: Search): Hit[] {
  return found?.hits.flatMap((hit) => (hit.itemId === null ? [] : [{ ...hit, itemId: hit.itemId }])) ?? [];
}

export function FoundInMessages({ search }: { search: Search }) {
  const hits = hitsOf(search);
  if (search.found === null) return <p className="hint">{text.searching}</p>;
  if (hits.length === 0) return null;
  return (
    <>
      <h2>{text.inMessages}</h2>
      <ul aria-label={text.inMessages}>
        {hits.map((hit) => (
          <HitRow key={hit.itemId} hit={hit} query={search.query} />
        ))}
      </ul>
      {!search.found.complete && <p className="hint">{text.more}</p>}
    </>
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
          <Icon name="search" />
          <span className="cut" dir="auto">
            {title}
          </span>
          <span className="meta num">{whenText({ pinned: false, updatedAt: at }, today)}</span>
          <span className="meta snippet" dir="auto">
            {markedPieces(snippet, query).map(({ at: place, words, found }) =>
              found ? <mark key={place}>{words}</mark> : <Fragment key={place}>{words}</Fragment>,
            )}
          </span>
        </button>
      </div>
    </li>
  );
}
