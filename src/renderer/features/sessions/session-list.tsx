import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { sessions as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { isWorking } from '../../stores/attention.ts';
import { runningTurn } from '../../stores/derive.ts';
import { useHost, useSession, useStores, useUi } from '../../stores/stores.ts';
import type { Search } from '../../stores/shown-slice.ts';
import { requestFocus } from '../../stores/ui-store.ts';
import { FoundInMessages, hitsOf } from './found.tsx';
import { groupSessions, searchSessions, whenText } from './group-sessions.ts';
import { draftKey, listHeight, listRows, rowSizes, rowsIn, type ListRow, type Span } from './list-rows.ts';
import { SelectionBar } from './selection-bar.tsx';
import { nothingSelected, stillThere, stretched, toggled, type Selection } from './selection.ts';
import { SessionRow, type RowActions } from './session-row.tsx';
import { useListKeys } from './use-list-keys.ts';
import { useSpan } from './use-span.ts';
import { useToday } from './use-today.ts';

interface SessionListProps {
  nav: RefObject<HTMLElement | null>;
  rail: boolean;
  /** The only folder whose sessions are listed; null = all. */
  folder: string | null;
  query: string;
  onQuery: (query: string) => void;
  onForkInto: (sessionId: string) => void;
  onDelete: (sessionIds: string[]) => void;
}

export function SessionList({ nav, rail, folder, query, onQuery, onForkInto, onDelete }: SessionListProps) {
  const { run } = useCommands();
  const { ui } = useStores();
  const scroller = useRef<HTMLDivElement>(null);
  const all = useHost((host) => host.sessions);
  const known = useHost((host) => host.defaults !== null);
  const openId = useUi((ui) => ui.openSessionId);
  const search = useFound(folder);
  const rows = useRows(rail, folder, query);
  const order = useMemo(() => rows.flatMap(({ session }) => (session ? [session.id] : [])), [rows]);
  const [renaming, setRenaming] = useState<string | null>(null);
  const { selection, select, clear } = useSelection(order, rail);
  const { active, setActive, goTo } = useActiveRow(nav, rows);
  const span = useSpan(scroller);

  /** All that is selected when one of it was meant. The keyboard does not go with what leaves. */
  const remove = (id: string): void => {
    const ids = selection.ids.includes(id) ? selection.ids : [id];
    const next = nextAfter(ids, order);
    if (nav.current?.contains(document.activeElement)) {
      if (next !== undefined) goTo(next);
      else requestFocus(ui, rail ? 'composer' : 'search');
    }
    onDelete(ids);
  };
  const act = useSteady({
    press(id, { toggle, stretch }) {
      // Nothing to choose several from: only the marks are here.
      if (toggle && !rail) select((before) => toggled(before, id, openId));
      else if (stretch && !rail) {
        select((before) => stretched(before, id, { order, from: active ?? openId }));
      } else {
        clear();
        void run('session/open', { sessionId: id });
      }
    },
    focused: setActive,
    remove,
    rename: setRenaming,
    forkInto: onForkInto,
    renamed(id, title, byKey) {
      flushSync(() => setRenaming(null));
      if (byKey) goTo(id);
      if (title !== null) void run('session/rename', { sessionId: id, title });
    },
  });

  useListKeys(nav, {
    rows,
    goTo(key, extend) {
      if (extend && key !== draftKey) select((before) => stretched(before, key, { order, from: active }));
      else clear();
      goTo(key);
    },
    toggle: (key) => key !== draftKey && select((before) => toggled(before, key, null)),
    selectAll: () => select(() => ({ ids: order, anchor: active })),
    deselect() {
      clear();
      return selection.ids.length > 0;
    },
    rename: (key) => key !== draftKey && !rail && setRenaming(key),
    remove: (key) => key !== draftKey && remove(key),
    pin(key) {
      const session = all.find(({ id }) => id === key);
      if (session) void run('session/pin', { sessionId: key, pinned: !session.pinned });
    },
    type(letter) {
      if (!rail) onQuery(query + letter);
    },
  });

  const searching = query.trim() !== '';
  const chosen = selection.ids.length > 1 ? selection.ids : [];
  return (
    <>
      <div className="list" ref={scroller}>
        {!known && <ListSkeleton rail={rail} />}
        <ListedRows
          rows={rows}
          span={span}
          active={active}
          selected={chosen}
          renaming={renaming}
          rail={rail}
          act={act}
        />
        {known && !rail && order.length === 0 && (
          <NothingListed query={query} folder={folder} search={search} onClear={() => onQuery('')} />
        )}
        {searching && <FoundInMessages search={search} />}
      </div>
      <output className="sr-only">{chosen.length > 0 && text.selection.count(chosen.length)}</output>
      <SelectionBar
        sessionIds={chosen}
        onDelete={() => chosen.slice(0, 1).forEach(remove)}
        onClear={() => {
          clear();
          chosen.slice(-1).forEach(goTo);
        }}
      />
    </>
  );
}

/** As far as what was selected is still listed; in the rail, which shows only some marks, nothing is. */
function useSelection(order: string[], rail: boolean) {
  const [selected, setSelected] = useState(nothingSelected);
  const selection = stillThere(selected, order);
  // What comes back later was not selected again.
  if (selection !== selected) setSelected(selection);
  return {
    selection,
    select: (next: (before: Selection) => Selection): void =>
      setSelected((before) => (rail ? nothingSelected : next(stillThere(before, order)))),
    clear: (): void => setSelected(nothingSelected),
  };
}

interface ListedRowsProps {
  rows: ListRow[];
  span: Span;
  /** The row that has or had the keyboard. */
  active: string | null;
  selected: readonly string[];
  renaming: string | null;
  rail: boolean;
  act: RowActions;
}

/** The rows that are in view or have the keyboard, one of them in the order of Tab. */
function ListedRows({ rows, span, active, selected, renaming, rail, act }: ListedRowsProps) {
  const openId = useUi((ui) => ui.openSessionId);
  const unread = useUi((ui) => ui.attention.unread);
  const runningSince = useSession((session) => runningTurn(session.state)?.startedAt ?? null);
  const today = useToday();
  const tabStop = [active, openId, rows[0]?.key].find((key) => rows.some((row) => row.key === key)) ?? null;
  return (
    <ul aria-label={text.label} style={{ height: listHeight(rows) }}>
      {rowsIn(rows, span, active).map(({ key, session, heading, top }) => (
        <li key={key} style={{ top }} aria-setsize={rows.length} aria-posinset={placeOf(rows, key)}>
          {heading !== null && <h2>{text.groups[heading]}</h2>}
          {session ? (
            <SessionRow
              session={session}
              open={key === openId}
              selected={selected.includes(key)}
              unread={unread.includes(key)}
              renaming={key === renaming}
              tabbable={key === tabStop}
              rail={rail}
              when={whenText(session, today)}
              runningSince={key === openId ? runningSince : null}
              act={act}
            />
          ) : (
            <DraftRow rail={rail} tabbable={key === tabStop} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** What is listed, top to bottom: all, what a folder or a search leaves of it, or what the rail keeps. */
function useRows(rail: boolean, folder: string | null, query: string): ListRow[] {
  const all = useHost((host) => host.sessions);
  const known = useHost((host) => host.defaults !== null);
  const openId = useUi((ui) => ui.openSessionId);
  const unread = useUi((ui) => ui.attention.unread);
  const sizes = useUi((ui) => rowSizes[ui.textSize]);
  const today = useToday();
  const shown = useMemo(() => {
    if (rail) {
      return all.filter(
        (session) =>
          session.pinned || isWorking(session) || session.id === openId || unread.includes(session.id),
      );
    }
    const here = folder === null ? all : all.filter(({ workspace }) => workspace === folder);
    return query.trim() === '' ? here : searchSessions(here, query);
  }, [all, rail, folder, query, openId, unread]);
  const draft = openId === null && known && query.trim() === '';
  return useMemo(
    () => listRows(groupSessions(shown, today), { draft, headings: !rail, sizes }),
    [shown, today, draft, rail, sizes],
  );
}

/** The row that has or had the keyboard. */
function useActiveRow(nav: RefObject<HTMLElement | null>, rows: ListRow[]) {
  const [active, setActive] = useState<string | null>(null);
  const before = useRef(rows);
  // A row takes the keyboard with it when it goes, as from its own menu: then the next one has it.
  useLayoutEffect(() => {
    const at = before.current.findIndex(({ key }) => key === active);
    before.current = rows;
    const gone = at >= 0 && rows.every(({ key }) => key !== active);
    const next = rows[at] ?? rows.at(-1);
    if (gone && next && document.activeElement === document.body) focusRow(nav, next.key);
  }, [rows, active, nav]);
  /** The row may be far out of view: it has to exist before it can take the keyboard. */
  const goTo = (key: string): void => {
    flushSync(() => setActive(key));
    focusRow(nav, key);
  };
  return { active, setActive, goTo };
}

function focusRow(nav: RefObject<HTMLElement | null>, key: string): void {
  nav.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"] > button.open`)?.focus();
}

/** The one that is next when these leave, or the last that stays. */
function nextAfter(ids: readonly string[], order: readonly string[]): string | undefined {
  const at = order.findIndex((id) => ids.includes(id));
  return order.slice(at).find((id) => !ids.includes(id)) ?? order[at - 1];
}

/** What was found in messages, of the folder that is shown. */
function useFound(folder: string | null): Search {
  const search = useUi((ui) => ui.search);
  const sessions = useHost((host) => host.sessions);
  return useMemo(() => {
    if (folder === null || search.found === null) return search;
    const here = new Set(sessions.filter(({ workspace }) => workspace === folder).map(({ id }) => id));
    const hits = search.found.hits.filter(({ sessionId }) => here.has(sessionId));
    return { ...search, found: { ...search.found, hits } };
  }, [search, sessions, folder]);
}

/** The newest handlers behind one object, so that a row that did not change is not drawn again. */
function useSteady(handlers: RowActions): RowActions {
  const newest = useRef(handlers);
  useLayoutEffect(() => {
    newest.current = handlers;
  });
  const [steady] = useState<RowActions>(() => ({
    press: (id, keys) => newest.current.press(id, keys),
    focused: (id) => newest.current.focused(id),
    remove: (id) => newest.current.remove(id),
    rename: (id) => newest.current.rename(id),
    forkInto: (id) => newest.current.forkInto(id),
    renamed: (id, title, byKey) => newest.current.renamed(id, title, byKey),
  }));
  return steady;
}

function placeOf(rows: ListRow[], key: string): number {
  return rows.findIndex((row) => row.key === key) + 1;
}

/** What will be here, or why nothing is, and what can be done about it. */
function NothingListed(props: { query: string; folder: string | null; search: Search; onClear: () => void }) {
  const { query, folder, search, onClear } = props;
  const { run } = useCommands();
  if (query.trim() !== '') {
    // Messages may still hold the words, or do.
    if (search.found === null || hitsOf(search).length > 0) return null;
    const all = search.found.complete;
    return (
      <>
        <p className="hint">
          {all ? text.noMatch(query) : text.notAll(query)}
          <span className="block">{all ? text.noMatchHelp : text.notAllHelp}</span>
        </p>
        <div className="ways">
          <Button small onClick={onClear}>
            {text.clearSearch}
          </Button>
          {folder !== null && (
            <Button small onClick={() => void run('session/show-folder', { folder: null })}>
              {text.folders.showAll}
            </Button>
          )}
        </div>
      </>
    );
  }
  return (
    <>
      <p className="hint">{text.empty}</p>
      <div className="ways">
        <Button small icon="open" onClick={() => void run('session/import')}>
          {text.import}
        </Button>
      </div>
    </>
  );
}

/** The session that its first message will make. */
function DraftRow({ rail, tabbable }: { rail: boolean; tabbable: boolean }) {
  const { run } = useCommands();
  return (
    <div className="ses is-on" data-row={draftKey}>
      <button
        type="button"
        className="open"
        aria-current="page"
        title={rail ? text.untitled : undefined}
        tabIndex={tabbable ? 0 : -1}
        onClick={() => void run('composer/focus')}
      >
        <Icon name="idle" />
        <span className={rail ? 'sr-only' : 'cut'}>{text.untitled}</span>
        <span className={rail ? 'sr-only' : 'meta'}>{text.marks.draft}</span>
      </button>
    </div>
  );
}

const widths = [70, 52, 84, 60, 44];

/** Stands where the sessions will be, without moving. */
function ListSkeleton({ rail }: { rail: boolean }) {
  return (
    <output className="list-skeleton" aria-label={text.loading}>
      {widths.map((width) => (
        <span key={width} className="skel" style={{ width: rail ? 16 : `${width}%` }} />
      ))}
    </output>
  );
}
