import { useRef, useState } from 'react';
import { commandNames, useCommands, type NamedCommandId } from '../../commands/commands.ts';
import { keyCaps } from '../../commands/keyboard.ts';
import { refusalOf } from '../../commands/reserved-keys.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { useKeyDown } from '../../components/use-key-down.ts';
import { useKeys } from '../../stores/stores.ts';
import { commands as dictionary } from '../../text.ts';
import { fold, matchesAll, wordsOf } from './search-words.ts';
import { ShortcutColumns } from './shortcut-columns.tsx';
import { ShortcutRow, type Editing } from './shortcut-row.tsx';
import { ShortcutSearch } from './shortcut-search.tsx';
import './shortcuts.css';

const text = dictionary.shortcuts;

/** What is asked of the person now, of one command; null = nothing. */
type Asked = { id: NamedCommandId; editing: Editing } | null;

/** Every command with its keys, and the way to give it others. Those without keys wait behind one row. */
export function ShortcutsPane() {
  const { shortcuts, run, web, mac } = useCommands();
  // What is changed, here or in the sheet, shows at once.
  const rebound = useKeys((keys) => keys.rebound);
  const [asked, setAsked] = useState<Asked>(null);
  const [stop, setStop] = useState<NamedCommandId | null>(null);
  const [resetting, setResetting] = useState(false);
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
  const give = (id: NamedCommandId, keys: string | null): void => {
    setAsked(null);
    void run('shortcut/change', { changes: shortcuts.swap(id, keys) });
  };
  /** Whoever had them is left without. */
  const take = (id: NamedCommandId, keys: string, other: NamedCommandId): void => {
    setAsked(null);
    void run('shortcut/change', { changes: { ...shortcuts.swap(id, keys), [other]: null } });
  };
  const whyNot = (keys: string): string | null => {
    const refusal = refusalOf(keys, { web, mac });
    if (refusal !== null) return text.refused[refusal === 'writes' && mac ? 'writesMac' : refusal];
    const fixed = shortcuts.ids.find((id) => shortcuts.alsoOf(id) === keys);
    return fixed === undefined ? null : text.taken(commandNames[fixed]);
  };
  const propose = (id: NamedCommandId, keys: string): void => {
    const refusal = whyNot(keys);
    const other = shortcuts.ownerOf(keys, id);
    if (refusal !== null) {
      setAsked({ id, editing: { stage: 'press', refusal: `${written(keys)}: ${refusal}` } });
    } else if (other === null) give(id, keys);
    else {
      const own = shortcuts.of(id);
      setAsked({
        id,
        editing: {
          stage: 'conflict',
          question: text.conflict(written(keys), commandNames[other], commandNames[id]),
          swap: own === null ? null : text.swap(commandNames[other], written(own)),
          onSwap: () => give(id, keys),
          take: text.take(commandNames[other]),
          onTake: () => take(id, keys, other),
        },
      });
    }
  };

  const changed = shortcuts.ids.filter((id) => shortcuts.changed(id));
  const shown = shortcuts.ids.filter(
    (id) => keyed.has(id) || shortcuts.of(id) !== null || shortcuts.changed(id) || !isAside(id),
  );
  const keysOf = (id: NamedCommandId): string => written(shortcuts.of(id) ?? '');
  const words = wordsOf(query.replaceAll('+', ' '));
  // Keys that were pressed are those keys, not all that begin like them.
  const exact = words.length === 0 ? [] : shown.filter((id) => fold(keysOf(id)) === words.join(' '));
  const found = (exact.length > 0 ? exact : shown).filter((id) =>
    matchesAll(`${commandNames[id]} ${keysOf(id)}`, words),
  );
  const narrowed = onlyChanged && changed.length > 0;
  const rows = narrowed ? found.filter((id) => shortcuts.changed(id)) : found;
  // Whoever looks for something sees all that there is of it.
  const whole = narrowed || words.length > 0;
  const [first, more] = whole
    ? [rows, []]
    : [rows.filter((id) => keyed.has(id)), rows.filter((id) => !keyed.has(id))];
  const free = [...first, ...(unfolded ? more : [])].filter((id) => !shortcuts.fixed(id));
  const tabStop = stop !== null && free.includes(stop) ? stop : free[0];
  /** Two that came with the same keys are for two places; two of which one was changed are in each other's way. */
  const clashOf = (id: NamedCommandId): string | null => {
    const keys = shortcuts.of(id);
    const other = keys === null ? null : shortcuts.ownerOf(keys, id);
    if (other === null || !(shortcuts.changed(id) || shortcuts.changed(other))) return null;
    return commandNames[other];
  };
  const row = (id: NamedCommandId) => {
    const keys = shortcuts.of(id);
    const standard = shortcuts.defaultOf(id);
    return (
      <ShortcutRow
        key={id}
        name={commandNames[id]}
        caps={keys === null ? null : keyCaps(keys, mac)}
        standard={shortcuts.changed(id) ? (standard === null ? text.none : written(standard)) : null}
        clash={clashOf(id)}
        fixed={shortcuts.fixed(id)}
        mac={mac}
        tabStop={id === tabStop}
        editing={asked?.id === id ? asked.editing : null}
        onFocus={() => setStop(id)}
        onEdit={() => setAsked({ id, editing: { stage: 'press', refusal: null } })}
        onLeave={() => setAsked((now) => (now?.id === id ? null : now))}
        onPress={(chord) => propose(id, chord)}
        onRemove={() => give(id, null)}
        onReset={() => (standard === null ? give(id, null) : propose(id, standard))}
      />
    );
  };
  return (
    <div className="pane shortcuts" ref={list}>
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
        {Object.keys(rebound).length > 0 && changed.length > 0 && (
          <Button small kind="quiet" icon="undo" onClick={() => setResetting(true)}>
            {text.resetAll}
          </Button>
        )}
      </header>
      <p className="meta">{text.lead}</p>
      {rows.length === 0 && <p className="t2 pane-note">{text.nothing(query)}</p>}
      <ShortcutColumns ids={first} row={row} />
      {more.length > 0 && (
        <>
          <button
            type="button"
            className="fold"
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
      {web && <p className="meta pane-note">{text.web}</p>}
      <ConfirmDialog
        open={resetting}
        title={text.resetAllTitle}
        text={text.resetAllText(changed.length)}
        confirm={text.resetAllConfirm}
        keep={text.resetAllKeep}
        onConfirm={() =>
          void run('shortcut/change', {
            changes: Object.fromEntries(Object.keys(rebound).map((id) => [id, undefined])),
          })
        }
        onClose={() => setResetting(false)}
      />
    </div>
  );
}

/** Hardly worth keys of their own: they come without, and the palette has them. */
export function isAside(id: NamedCommandId): boolean {
  return [
    'setup/begin',
    'setup/cancel',
    'connection/retry',
    'connection/sign-out',
    'engine/start',
    'engine/refresh',
    'session/forget-import',
  ].includes(id);
}

/** One tab stop for the rows; arrow keys, Home and End go through them. */
function moveFocus(pane: HTMLElement | null, event: KeyboardEvent): void {
  if (!pane || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  const rows = [...pane.querySelectorAll<HTMLElement>('.key-name')];
  const at = rows.indexOf(event.target as HTMLElement);
  if (at === -1) return;
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  const row = next === undefined ? undefined : rows[next];
  if (!row) return;
  event.preventDefault();
  row.focus();
}
