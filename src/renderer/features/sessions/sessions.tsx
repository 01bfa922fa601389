import { useEffect, useMemo, useRef, useState } from 'react';
import type { SessionSummary } from '../../../protocol/model.ts';
import { sessions as text, shell } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { useNow } from '../../components/use-elapsed.ts';
import { useKeyDown } from '../../components/use-key-down.ts';
import { useCommands } from '../../commands/commands.ts';
import { useKeyCaps } from '../../commands/use-key-caps.ts';
import { runningTurn } from '../../stores/derive.ts';
import { useHost, useSession, useUi } from '../../stores/stores.ts';
import { FoundInMessages, hitsOf } from './found.tsx';
import { groupSessions, searchSessions, whenText } from './group-sessions.ts';
import { SessionRow } from './session-row.tsx';

interface SessionsProps {
  /** Narrow: marks only, and only of sessions that are pinned, open or alive. */
  rail: boolean;
  /** Shown over the transcript: closes itself when something was chosen. */
  sheet?: boolean;
  /** The list lies over the rail: nothing in it can be reached. */
  covered?: boolean;
}

export function Sessions({ rail, sheet = false, covered = false }: SessionsProps) {
  const { run } = useCommands();
  const caps = useKeyCaps();
  const [query, setQuery] = useState('');
  const find = (words: string): void => {
    setQuery(words);
    void run('session/find', { query: words });
  };
  const nav = useRef<HTMLElement>(null);
  useKeyDown(nav, (event) => moveFocus(nav.current, event));
  const [deleting, setDeleting] = useState<SessionSummary | null>(null);
  /** What can be brought back is not asked about, except that its turn would not go on. */
  const remove = (session: SessionSummary): void => {
    if (isWorking(session)) setDeleting(session);
    else void run('session/delete', { sessionId: session.id });
  };
  const classes = ['left', rail && 'rail', sheet && 'sheet'].filter(Boolean).join(' ');
  return (
    <nav className={classes} aria-label={text.label} ref={nav} inert={covered}>
      <div className="top">
        <Button
          icon="plus"
          onClick={() => void run('session/new')}
          keys={rail ? undefined : caps('session/new')}
          {...(rail && { label: shell.newSession })}
        >
          {rail ? undefined : <span>{shell.newSession}</span>}
        </Button>
        {rail ? (
          <Button icon="search" label={text.search} onClick={() => void run('session/search')} />
        ) : (
          <SearchField query={query} onChange={find} />
        )}
      </div>
      <SessionList rail={rail} query={rail ? '' : query} onClear={() => find('')} onDelete={remove} />
      <footer>
        <Button
          kind="quiet"
          icon="sliders"
          onClick={() => void run('view/settings')}
          keys={rail ? undefined : caps('view/settings')}
          {...(rail && { label: shell.settings })}
        >
          {rail ? undefined : <span>{shell.settings}</span>}
        </Button>
      </footer>
      <ConfirmDialog
        open={deleting !== null}
        title={text.removeTitle(deleting?.title ?? '')}
        text={text.removeText}
        confirm={text.removeConfirm}
        keep={text.keep}
        onConfirm={() => deleting && void run('session/delete', { sessionId: deleting.id })}
        onClose={() => setDeleting(null)}
      />
    </nav>
  );
}

/** Arrow keys go through the rows and, from the first one up, back to the search field. */
function moveFocus(list: HTMLElement | null, event: KeyboardEvent): void {
  if (!list || event.altKey || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
  const stops = [...list.querySelectorAll<HTMLElement>('input[type=search], button.open')];
  const at = stops.indexOf(event.target as HTMLElement);
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (at === -1 || !next) return;
  event.preventDefault();
  next.focus();
}

function SearchField({ query, onChange }: { query: string; onChange: (query: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const focus = useUi((ui) => ui.focus);
  useEffect(() => {
    if (focus.target === 'search') field.current?.focus();
  }, [focus]);
  return (
    <label className="input">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        placeholder={text.search}
        aria-label={text.search}
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || query === '') return;
          event.preventDefault();
          event.stopPropagation();
          onChange('');
        }}
      />
    </label>
  );
}

interface SessionListProps {
  rail: boolean;
  query: string;
  onClear: () => void;
  onDelete: (session: SessionSummary) => void;
}

const minuteMs = 60_000;

function SessionList({ rail, query, onClear, onDelete }: SessionListProps) {
  const all = useHost((host) => host.sessions);
  const known = useHost((host) => host.defaults !== null);
  const openId = useUi((ui) => ui.openSessionId);
  const runningSince = useSession((session) => runningTurn(session.state)?.startedAt ?? null);
  // "Today" becomes "yesterday" in a window that stays open.
  const now = useNow(minuteMs);
  const search = useUi((ui) => ui.search);
  const found = useMemo(() => (query === '' ? all : searchSessions(all, query)), [all, query]);
  const shown = rail ? found.filter((session) => isAlive(session) || session.id === openId) : found;
  const groups = groupSessions(shown, now);

  const nothing =
    shown.length === 0 && (query === '' || (search.found !== null && hitsOf(search).length === 0));
  if (known && nothing && !rail && (openId !== null || query !== '')) {
    return (
      <div className="list">
        <p className="hint">
          {query === '' ? text.empty : text.noMatch(query)}
          {query !== '' && <span className="block">{text.noMatchHelp}</span>}
        </p>
        {query !== '' && (
          <Button small onClick={onClear}>
            {text.clearSearch}
          </Button>
        )}
      </div>
    );
  }
  return (
    <div className="list">
      <ul aria-label={text.label}>
        {openId === null && known && query === '' && <DraftRow rail={rail} />}
        {groups.map((group) =>
          group.sessions.map((session, index) => (
            <SessionRow
              key={session.id}
              heading={index === 0 && !rail ? text.groups[group.key] : null}
              session={session}
              open={session.id === openId}
              rail={rail}
              when={whenText(session, now)}
              runningSince={session.id === openId ? runningSince : null}
              onDelete={onDelete}
            />
          )),
        )}
      </ul>
      {query.trim() !== '' && <FoundInMessages search={search} />}
    </div>
  );
}

/** What the rail keeps. */
function isAlive({ pinned, status }: SessionSummary): boolean {
  return pinned || isWorking({ status });
}

function isWorking({ status }: Pick<SessionSummary, 'status'>): boolean {
  return status === 'running' || status === 'asking' || status === 'queued';
}

/** The session that its first message will make. */
function DraftRow({ rail }: { rail: boolean }) {
  const { run } = useCommands();
  return (
    <li className="draft">
      <div className="ses is-on">
        <button type="button" className="open" aria-current="page" onClick={() => void run('composer/focus')}>
          <Icon name="idle" />
          <span className={rail ? 'sr-only' : 'cut'}>{text.untitled}</span>
          <span className={rail ? 'sr-only' : 'meta'}>{text.marks.draft}</span>
        </button>
      </div>
    </li>
  );
}
