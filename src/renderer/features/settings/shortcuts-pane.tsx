import { useRef, useState, type ReactNode } from 'react';
import { commandNames, useCommands, type NamedCommandId } from '../../commands/commands.ts';
import { keyCaps } from '../../commands/keyboard.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { useKeyDown } from '../../components/use-key-down.ts';
import { useKeys } from '../../stores/stores.ts';
import { commands as dictionary, commands } from '../../text.ts';
import { clashOf, listedShortcuts } from './listed-shortcuts.ts';
import { ShortcutRow } from './shortcut-row.tsx';
import { ShortcutSearch } from './shortcut-search.tsx';
import { useShortcutEditing } from './use-shortcut-editing.ts';
import { commandGroups, groupOf } from '../../commands/command-groups.ts';
import settingsStyles from './settings.module.css';
import shortcutsStyles from './shortcuts.module.css';

const text = dictionary.shortcuts;

/** Every command with its keys, and the way to give it others. Those without keys wait behind one row. */
export function ShortcutsPane() {
  const { shortcuts, web, mac } = useCommands();
  // What is changed, here or in the sheet, shows at once.
  useKeys((keys) => keys.rebound);
  const [stop, setStop] = useState<NamedCommandId | null>(null);
  const [query, setQuery] = useState('');
  const [onlyChanged, setOnlyChanged] = useState(false);
  const [unfolded, setUnfolded] = useState(false);
  // As the pane was opened: a row that gets or loses its keys stays under the eyes and the keyboard.
  const [keyed] = useState<ReadonlySet<NamedCommandId>>(
    () => new Set(shortcuts.ids.filter((id) => shortcuts.of(id) !== null || shortcuts.changed(id))),
  );
  const list = useRef<HTMLDivElement>(null);
  useKeyDown(list, (event) => moveFocus(list.current, event));

  const written = (keys: string): string => keyCaps(keys, mac).join(' ');
  const { give, propose, ...editing } = useShortcutEditing(written);
  const changed = shortcuts.ids.filter((id) => shortcuts.changed(id));
  const narrowed = onlyChanged && changed.length > 0;
  const { first, more } = listedShortcuts(shortcuts, keyed, { query, narrowed, written });
  const free = [...first, ...(unfolded ? more : [])].filter((id) => !shortcuts.fixed(id));
  const tabStop = stop !== null && free.includes(stop) ? stop : free[0];
  const row = (id: NamedCommandId) => {
    const keys = shortcuts.of(id);
    const standard = shortcuts.defaultOf(id);
    return (
      <ShortcutRow
        key={id}
        name={commandNames[id]}
        caps={keys === null ? null : keyCaps(keys, mac)}
        standard={shortcuts.changed(id) ? (standard === null ? text.none : written(standard)) : null}
        clash={clashOf(shortcuts, id)}
        fixed={shortcuts.fixed(id)}
        mac={mac}
        tabStop={id === tabStop}
        editing={editing.of(id)}
        onFocus={() => setStop(id)}
        onEdit={() => editing.begin(id)}
        onLeave={() => editing.leave(id)}
        onPress={(chord) => propose(id, chord)}
        onRemove={() => give(id, null)}
        onReset={() => (standard === null ? give(id, null) : propose(id, standard))}
      />
    );
  };
  return (
    <div className={`${settingsStyles.pane} ${shortcutsStyles.shortcuts}`} ref={list}>
      <header>
        <ShortcutSearch query={query} mac={mac} written={written} onSearch={setQuery} />
        <span className="grow" />
        {changed.length > 0 && !narrowed && (
          <Button small aria-label={text.changedOnly(changed.length)} onClick={() => setOnlyChanged(true)}>
            {text.changed(changed.length)}
          </Button>
        )}
        {(narrowed || query !== '') && (
          <Button
            small
            data-narrows=""
            onClick={() => {
              setQuery('');
              setOnlyChanged(false);
            }}
          >
            {text.showAll}
          </Button>
        )}
        <ResetAll changed={changed.length} />
      </header>
      <p className="meta">{text.lead}</p>
      {first.length + more.length === 0 && (
        <p className={`t2 ${settingsStyles.paneNote}`}>{text.nothing(query)}</p>
      )}
      <ShortcutColumns ids={first} row={row} />
      {more.length > 0 && (
        <>
          <button
            type="button"
            className={shortcutsStyles.fold}
            aria-expanded={unfolded}
            // A row that is looked for from outside may stand behind it.
            data-narrows={unfolded ? undefined : ''}
            onClick={() => setUnfolded(!unfolded)}
          >
            <Icon name={unfolded ? 'down' : 'right'} />
            {text.more(more.length)}
            <span className="meta">{text.moreHelp}</span>
          </button>
          {unfolded && <ShortcutColumns ids={more} row={row} />}
        </>
      )}
      {web && <p className={`meta ${settingsStyles.paneNote}`}>{text.web}</p>}
    </div>
  );
}

function ResetAll({ changed }: { changed: number }) {
  const { run } = useCommands();
  const rebound = useKeys((keys) => keys.rebound);
  const [asking, setAsking] = useState(false);
  const reset = (): void => {
    const changes = Object.fromEntries(Object.keys(rebound).map((id) => [id, undefined]));
    void run('shortcut/change', { changes });
  };
  return (
    <>
      {changed > 0 && (
        <Button small kind="quiet" icon="undo" onClick={() => setAsking(true)}>
          {text.resetAll}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        title={text.resetAllTitle}
        text={text.resetAllText(changed)}
        confirm={text.resetAllConfirm}
        keep={text.resetAllKeep}
        onConfirm={reset}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

/** One tab stop for the rows; arrow keys, Home and End go through them. */
function moveFocus(pane: HTMLElement | null, event: KeyboardEvent): void {
  if (!pane || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  const rows = [...pane.querySelectorAll<HTMLElement>(`.${shortcutsStyles.keyName}`)];
  const at = rows.indexOf(event.target as HTMLElement);
  if (at === -1) return;
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  const row = next === undefined ? undefined : rows[next];
  if (!row) return;
  event.preventDefault();
  row.focus();
}

/** What is about the work at the left, what is about the window at the right. */
const columns = [commandGroups.slice(0, 2), commandGroups.slice(2)];

interface ShortcutColumnsProps {
  ids: readonly NamedCommandId[];
  row: (id: NamedCommandId) => ReactNode;
}

/** Commands under the headings of their groups, in two columns where there is room. */
function ShortcutColumns({ ids, row }: ShortcutColumnsProps) {
  const byGroup = Map.groupBy(ids, groupOf);
  return (
    <div className={shortcutsStyles.keyColumns}>
      {columns
        .filter((groups) => groups.some((group) => byGroup.has(group)))
        .map((groups) => (
          <div key={groups.join()}>
            {groups.map((group) => {
              const members = byGroup.get(group);
              return (
                members && (
                  <div key={group}>
                    <h2>{commands.groups[group]}</h2>
                    <ul aria-label={commands.groups[group]}>{members.map(row)}</ul>
                  </div>
                )
              );
            })}
          </div>
        ))}
    </div>
  );
}
