import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { sessions as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useHost, useStores, useUi } from '../../stores/stores.ts';
import { requestFocus } from '../../stores/ui-store.ts';
import { sessionIn, type ListRow } from './list-rows.ts';
import { ListedRows } from './listed-rows.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { nothingSelected, stillThere, stretched, toggled, type Selection } from './selection.ts';
import type { RowActions } from './session-row.tsx';
import { useListKeys } from './use-list-keys.ts';
import { useRows, type Listing } from './use-rows.ts';
import { useSpan } from './use-span.ts';
import styles from './sessions.module.css';

interface SessionListProps {
  nav: RefObject<HTMLElement | null>;
  rail: boolean;
  listing: Listing;
  query: string;
  onQuery: (query: string) => void;
  onForkInto: (sessionId: string) => void;
  onShowForks: (sessionId: string) => void;
  onDelete: (sessionIds: string[]) => void;
}

export function SessionList(props: SessionListProps) {
  const { nav, rail, listing, query, onQuery, onForkInto, onShowForks, onDelete } = props;
  const { run } = useCommands();
  const scroller = useRef<HTMLDivElement>(null);
  const all = useHost((host) => host.sessions);
  const known = useHost((host) => host.defaults !== null);
  const openId = useUi((ui) => ui.openSessionId);
  const { rows, found, open } = useRows(rail, listing, query);
  const order = useMemo(() => rows.flatMap((row) => sessionIn(row)?.id ?? []), [rows]);
  const [renaming, setRenaming] = useState<string | null>(null);
  const { selection, select, clear } = useSelection(order, rail);
  const { active, setActive, goTo } = useActiveRow(nav, rows);
  const span = useSpan(scroller);

  const remove = useRemoval({ nav, rail, selection, order, goTo, onDelete });
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
    showForks: onShowForks,
    showMore: open,
    renamed(id, title, byKey) {
      flushSync(() => setRenaming(null));
      if (byKey) goTo(id);
      if (title !== null) void run('session/rename', { sessionId: id, title });
    },
  });

  useListKeys(nav, {
    rows,
    goTo(key, extend) {
      if (extend && order.includes(key)) select((before) => stretched(before, key, { order, from: active }));
      else clear();
      goTo(key);
    },
    toggle: (key) => order.includes(key) && select((before) => toggled(before, key, null)),
    selectAll: () => select(() => ({ ids: order, anchor: active })),
    deselect() {
      clear();
      return selection.ids.length > 0;
    },
    rename: (key) => order.includes(key) && !rail && setRenaming(key),
    remove: (key) => order.includes(key) && remove(key),
    pin(key) {
      const session = all.find(({ id }) => id === key);
      if (session) void run('session/pin', { sessionId: key, pinned: !session.pinned });
    },
    type(letter) {
      if (!rail) onQuery(query + letter);
    },
  });

  return (
    <>
      <div className={styles.list} ref={scroller}>
        {!known && <ListSkeleton rail={rail} />}
        {found && <p className={styles.foundCount}>{found.words}</p>}
        <ListedRows
          rows={rows}
          span={span}
          active={active}
          selected={selection.ids.length > 1 ? selection.ids : []}
          renaming={renaming}
          rail={rail}
          query={found ? query : ''}
          act={act}
        />
        {known && !rail && order.length === 0 && (
          <NothingListed
            listing={listing}
            query={query}
            isWhole={found?.isWhole ?? null}
            onClear={() => onQuery('')}
          />
        )}
        {found?.isWhole === false && order.length > 0 && <p className={styles.hint}>{text.more}</p>}
      </div>
      <output className="sr-only">{found?.words}</output>
      <Chosen
        ids={selection.ids.length > 1 ? selection.ids : []}
        onDelete={remove}
        onClear={(last) => {
          clear();
          goTo(last);
        }}
      />
    </>
  );
}

interface Removal extends Pick<SessionListProps, 'nav' | 'rail' | 'onDelete'> {
  selection: Selection;
  order: readonly string[];
  goTo: (key: string) => void;
}

/** All that is selected when one of it was meant. The keyboard does not go with what leaves. */
function useRemoval({ nav, rail, selection, order, goTo, onDelete }: Removal) {
  const { ui } = useStores();
  return (id: string): void => {
    const ids = selection.ids.includes(id) ? selection.ids : [id];
    const next = nextAfter(ids, order);
    if (nav.current?.contains(document.activeElement)) {
      if (next !== undefined) goTo(next);
      else requestFocus(ui, rail ? 'composer' : 'search');
    }
    onDelete(ids);
  };
}

interface ChosenProps {
  ids: string[];
  onDelete: (sessionId: string) => void;
  onClear: (last: string) => void;
}

function Chosen({ ids, onDelete, onClear }: ChosenProps) {
  return (
    <>
      <output className="sr-only">{ids.length > 0 && text.selection.count(ids.length)}</output>
      <SelectionBar
        sessionIds={ids}
        onDelete={() => ids.slice(0, 1).forEach(onDelete)}
        onClear={() => ids.slice(-1).forEach(onClear)}
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
  nav.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"] > button`)?.focus();
}

/** The one that is next when these leave, or the last that stays. */
function nextAfter(ids: readonly string[], order: readonly string[]): string | undefined {
  const at = order.findIndex((id) => ids.includes(id));
  return order.slice(at).find((id) => !ids.includes(id)) ?? order[at - 1];
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
    showForks: (id) => newest.current.showForks(id),
    showMore: (id) => newest.current.showMore(id),
    renamed: (id, title, byKey) => newest.current.renamed(id, title, byKey),
  }));
  return steady;
}

interface NothingProps {
  listing: Listing;
  query: string;
  /** Everything was looked at; null = not yet. */
  isWhole: boolean | null;
  onClear: () => void;
}

/** What will be here, or why nothing is, and what can be done about it. */
function NothingListed({ listing: { folder, archived }, query, isWhole, onClear }: NothingProps) {
  const { run } = useCommands();
  if (query.trim() !== '') {
    if (isWhole === null) return null;
    return (
      <>
        <p className={styles.hint}>
          {isWhole ? text.noMatch(query) : text.notAll(query)}
          <span className="block">{isWhole ? text.noMatchHelp : text.notAllHelp}</span>
        </p>
        <div className={styles.ways}>
          <Button small onClick={onClear}>
            {text.clearSearch}
          </Button>
          {(folder !== null || archived) && (
            <Button small onClick={() => void run('session/show-folder', { folder: null })}>
              {text.folders.showAll}
            </Button>
          )}
        </div>
      </>
    );
  }
  if (archived) return <p className={styles.hint}>{text.archive.empty}</p>;
  return (
    <>
      <p className={styles.hint}>{text.empty}</p>
      <div className={styles.ways}>
        <Button small icon="open" onClick={() => void run('session/import')}>
          {text.import}
        </Button>
      </div>
    </>
  );
}

const widths = [70, 52, 84, 60, 44];

/** Stands where the sessions will be, without moving. */
function ListSkeleton({ rail }: { rail: boolean }) {
  return (
    <output className={styles.listSkeleton} aria-label={text.loading}>
      {widths.map((width) => (
        <span key={width} className="skel" style={{ width: rail ? 16 : `${width}%` }} />
      ))}
    </output>
  );
}
