import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { SettingsSection } from '../../stores/layout-slice.ts';
import { person, settings } from '../../text.ts';
import { isComposing } from '../../components/composing.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { useKeyCaps } from '../../commands/use-key-caps.ts';
import { useUi } from '../../stores/stores.ts';
import { FindField } from './controls.tsx';
import { markWords, wordsOf } from './search-words.ts';
import { findRows, type IndexedRow } from './settings-index.ts';
import styles from './settings.module.css';

const text = person.search;

type SettingsSearch = ReturnType<typeof useSettingsSearch>;

/** What is looked for in the settings; an empty query shows the section again. */
export function useSettingsSearch(sections: readonly SettingsSection[]) {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const found = findRows(query).filter(({ section }) => sections.includes(section));
  const rows = found.flatMap((each) => each.rows);
  return {
    query,
    found,
    /** In the order shown. */
    rows,
    /** Place in `rows`. */
    active: Math.min(active, Math.max(0, rows.length - 1)),
    setActive,
    search: (next: string): void => {
      setQuery(next);
      setActive(0);
    },
  };
}

interface SearchFieldProps {
  search: SettingsSearch;
  /** Of the list of results. */
  listId: string;
  onGo: (row: IndexedRow) => void;
}

/** The field over the sections: arrow keys go through what was found, Enter goes to it, Escape clears first. */
export function SearchField({ search: found, listId, onGo }: SearchFieldProps) {
  const { query, rows, active, setActive, search } = found;
  const field = useRef<HTMLInputElement>(null);
  const focus = useUi((ui) => ui.focus);
  const first = useRef(focus);
  const caps = useKeyCaps()('view/find');
  useEffect(() => {
    if (focus === first.current || focus.target !== 'settings-search') return;
    field.current?.focus();
    field.current?.select();
  }, [focus]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return;
    const row = rows[active];
    if (event.key === 'ArrowDown' && rows.length > 0) setActive((active + 1) % rows.length);
    else if (event.key === 'ArrowUp' && rows.length > 0) setActive((active - 1 + rows.length) % rows.length);
    else if (event.key === 'Enter' && row) onGo(row);
    else if (event.key === 'Escape' && query !== '') search('');
    else return;
    event.preventDefault();
    // Escape would also close the settings.
    event.stopPropagation();
  };
  const open = query.trim() !== '';
  return (
    <FindField
      ref={field}
      className={styles.searchField}
      title={caps && `${text.field} (${caps.join(' ')})`}
      label={text.field}
      {...combobox}
      aria-expanded={open}
      aria-controls={open ? listId : undefined}
      aria-activedescendant={open && rows.length > 0 ? optionId(listId, active) : undefined}
      value={query}
      onSearch={search}
      onKeyDown={onKeyDown}
    />
  );
}

/** No element of HTML has groups of rich options with the keyboard elsewhere. */
const combobox = { role: 'combobox', 'aria-autocomplete': 'list' } as const;
const listbox = { role: 'listbox' };
const group = { role: 'group' };
const option = (selected: boolean) => ({ role: 'option', 'aria-selected': selected });

interface ResultsProps {
  search: SettingsSearch;
  listId: string;
  icons: Record<SettingsSection, IconName>;
  onGo: (row: IndexedRow) => void;
}

/** What was found, by section, in the place of the pane. */
export function SearchResults({ search: { query, found, rows, active }, listId, icons, onGo }: ResultsProps) {
  const words = wordsOf(query);
  const headingId = useId();
  const list = useRef<HTMLDivElement>(null);
  const activeId = rows.length > 0 ? optionId(listId, active) : '';
  useEffect(() => {
    list.current?.querySelector(`[id="${activeId}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  return (
    <div className={`${styles.pane} ${styles.results}`} ref={list}>
      <output className="sr-only">{text.found(rows.length)}</output>
      {rows.length === 0 && (
        <div className={styles.emptyPane}>
          <p dir="auto">{text.nothing(query.trim())}</p>
          <p className="meta">{text.nothingHelp}</p>
        </div>
      )}
      <div id={listId} aria-label={text.results} {...listbox}>
        {found.map(({ section, rows: members }) => (
          <div key={section} aria-labelledby={`${headingId}-${section}`} {...group}>
            <p className={styles.resultsHead} id={`${headingId}-${section}`}>
              <Icon name={icons[section]} />
              {settings.sections[section]}
            </p>
            {members.map((row) => (
              <Result
                key={row.id}
                id={optionId(listId, rows.indexOf(row))}
                row={row}
                words={words}
                isActive={rows[active] === row}
                onGo={onGo}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

interface ResultProps {
  id: string;
  row: IndexedRow;
  words: string[];
  isActive: boolean;
  onGo: (row: IndexedRow) => void;
}

function Result({ id, row, words, isActive, onGo }: ResultProps) {
  return (
    // The field has the keyboard: a press here must not take it away before the row gets it.
    <button
      id={id}
      type="button"
      tabIndex={-1}
      className={styles.result}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => onGo(row)}
      {...option(isActive)}
    >
      <span className="cut">
        <Marked text={row.label} words={words} />
      </span>
      {row.group !== '' && (
        <span className="meta">
          <Marked text={row.group} words={words} />
        </span>
      )}
      {row.help !== '' && (
        <span className={`meta cut ${styles.help}`}>
          <Marked text={row.help} words={words} />
        </span>
      )}
    </button>
  );
}

function Marked({ text: whole, words }: { text: string; words: string[] }): ReactNode {
  let at = 0;
  return markWords(whole, words).map(({ text: piece, found }) => {
    const key = at;
    at += piece.length;
    return found ? <mark key={key}>{piece}</mark> : <span key={key}>{piece}</span>;
  });
}

const optionId = (listId: string, at: number): string => `${listId}-${String(at)}`;
