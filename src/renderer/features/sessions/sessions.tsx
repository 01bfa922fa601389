import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { sessions as text, shell } from '../../text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { isComposing } from '../../components/composing.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useKeyCaps } from '../../commands/use-key-caps.ts';
import { isWorking } from '../../stores/attention.ts';
import { useHost, useStores, useUi } from '../../stores/stores.ts';
import { requestFocus } from '../../stores/ui-store.ts';
import { foldersOf } from '../../stores/folders.ts';
import { isArchived, isInFolder } from '../../stores/session-groups.ts';
import { FilterLine, FilterMenu } from './filter-menu.tsx';
import { ForkTree } from './fork-tree.tsx';
import { ForkDialog } from './fork-dialog.tsx';
import { SessionList } from './session-list.tsx';
import { useFileDrop } from './use-file-drop.ts';
import type { SessionSummary } from '../../../protocol/model.ts';
import styles from './sessions.module.css';

interface SessionsProps {
  /** Narrow: marks only, and only of sessions that are pinned, open, unread or alive. */
  rail: boolean;
  /** Shown over the transcript: closes itself when something was chosen. */
  sheet?: boolean;
  /** The list lies over the rail: nothing in it can be reached. */
  covered?: boolean;
}

export function Sessions({ rail, sheet = false, covered = false }: SessionsProps) {
  const { run } = useCommands();
  const { ui } = useStores();
  const caps = useKeyCaps();
  const nav = useRef<HTMLElement>(null);
  // The list beside the transcript and the one over it have one search.
  const query = useUi((state) => state.search.query);
  const connection = useHost((host) => host.connection);
  const askAgain = useEffectEvent(() => {
    const { found } = ui.getState().search;
    if (!rail && query.trim() !== '' && found?.complete !== true) void run('session/find', { query });
  });
  useEffect(() => {
    if (connection === 'live') askAgain();
  }, [connection]);
  const sessions = useHost((host) => host.sessions);
  const showsArchived = useUi((state) => state.showsArchived);
  const folders = useMemo(
    () => foldersOf(sessions.filter((each) => !isArchived(each) && isInFolder(each))),
    [sessions],
  );
  const archived = useMemo(() => sessions.filter(isArchived).length, [sessions]);
  const folder = useUi((state) => state.folder);
  const chosen = folders.find(({ path }) => path === folder) ?? null;
  const [forking, setForking] = useState<string | null>(null);
  const [family, setFamily] = useState<string | null>(null);
  const source = sessions.find(({ id }) => id === forking);
  const [deleting, setDeleting] = useState<string[]>([]);
  const path = chosen?.path ?? null;
  const listing = useMemo(() => ({ folder: path, archived: showsArchived }), [path, showsArchived]);
  const over = useFileDrop(nav, (files) => void run('session/import-files', { files }));

  const find = (words: string): void => void run('session/find', { query: words });
  /** What can be brought back is not asked about, except that its turn would not go on. */
  const remove = (ids: string[]): void => {
    if (sessions.some((session) => ids.includes(session.id) && isWorking(session))) setDeleting(ids);
    else void run('session/delete-all', { sessionIds: ids });
  };
  const title = sessions.find(({ id }) => id === deleting[0])?.title ?? '';
  const classes = [styles.left, rail && styles.rail, sheet && styles.sheet, over && styles.dropping]
    .filter(Boolean)
    .join(' ');
  return (
    <nav className={classes} aria-label={text.label} ref={nav} inert={covered}>
      <div className={styles.top}>
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
          <div className={styles.searchRow}>
            <SearchField query={query} onChange={find} />
            <FilterMenu
              folders={folders}
              chosen={chosen}
              total={sessions.length - archived}
              archived={archived}
            />
          </div>
        )}
      </div>
      {!rail && <ImportProblems />}
      {!rail && <FilterLine folder={chosen} />}
      <SessionList
        nav={nav}
        rail={rail}
        listing={listing}
        query={rail ? '' : query}
        onQuery={(words) => {
          find(words);
          requestFocus(ui, 'search');
        }}
        onForkInto={setForking}
        onShowForks={setFamily}
        onDelete={remove}
      />
      {over && <p className={styles.dropHere}>{text.dropHere}</p>}
      <SettingsFoot rail={rail} />
      {!sheet && <ListAnnouncer />}
      {family !== null && <ForkTree sessionId={family} sessions={sessions} onClose={() => setFamily(null)} />}
      {source && <ForkDialog session={source} folders={folders} onClose={() => setForking(null)} />}
      <ConfirmDialog
        open={deleting.length > 0}
        title={deleting.length > 1 ? text.removeManyTitle(deleting.length) : text.removeTitle(title)}
        text={deleting.length > 1 ? text.removeManyText : text.removeText}
        confirm={deleting.length > 1 ? text.removeManyConfirm(deleting.length) : text.removeConfirm}
        keep={deleting.length > 1 ? text.keepMany : text.keep}
        onConfirm={() => void run('session/delete-all', { sessionIds: deleting })}
        onClose={() => setDeleting([])}
      />
    </nav>
  );
}

function SettingsFoot({ rail }: { rail: boolean }) {
  const { run } = useCommands();
  const caps = useKeyCaps();
  return (
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
  );
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
        dir="auto"
        placeholder={text.search}
        aria-label={text.search}
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || query === '' || isComposing(event.nativeEvent)) return;
          event.preventDefault();
          event.stopPropagation();
          onChange('');
        }}
      />
      {query !== '' && (
        <IconButton
          icon="x"
          className={styles.clear}
          label={text.clearSearch}
          onClick={() => {
            onChange('');
            field.current?.focus();
          }}
        />
      )}
    </label>
  );
}

/** What could not be taken in, beside the list that it was meant for. */
function ImportProblems() {
  const { run } = useCommands();
  const problems = useUi((ui) => ui.importProblems);
  return (
    <div role="alert" className={styles.importProblems}>
      {problems.map(({ name, message, advice }) => (
        <div key={name} className={styles.importProblem}>
          <Mark icon="failed" tone="fail" />
          <div className="grow">
            <p className="medium">{text.importFailed(name)}</p>
            <p className="meta">{[message, advice].filter(Boolean).join(' ')}</p>
          </div>
        </div>
      ))}
      {problems.length > 0 && (
        <Button small onClick={() => void run('session/forget-import')}>
          {text.forgetImport}
        </Button>
      )}
    </div>
  );
}

/** Says, to those who do not see the list, which session behind the open one asks or has ended; nothing else. */
function ListAnnouncer() {
  const sessions = useHost((host) => host.sessions);
  const openId = useUi((ui) => ui.openSessionId);
  const unread = useUi((ui) => ui.attention.unread);
  const loud = sessions.flatMap((session) => {
    if (session.id === openId) return [];
    const words = wordsFor(session, unread.includes(session.id));
    return words === null ? [] : [{ id: `${session.id} ${words}`, words: text.says(session.title, words) }];
  });
  // What was so when the window opened is no news.
  const [announced, setAnnounced] = useState(() => ({ ids: loud.map(({ id }) => id), words: '' }));
  const fresh = loud.filter(({ id }) => !announced.ids.includes(id));
  if (fresh.length > 0 || loud.length < announced.ids.length) {
    setAnnounced({ ids: loud.map(({ id }) => id), words: fresh.map(({ words }) => words).join('. ') });
  }
  return <output className="sr-only">{announced.words}</output>;
}

function wordsFor({ status }: SessionSummary, unread: boolean): string | null {
  if (status === 'asking') return text.marks.asking;
  if (!unread) return null;
  return status === 'failed' ? text.marks.failed : text.marks.unread;
}
