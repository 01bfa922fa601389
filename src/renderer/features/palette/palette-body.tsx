import {
  startTransition,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { useCommands } from '../../commands/commands.ts';
import { chordOf } from '../../commands/keyboard.ts';
import { KeyCaps } from '../../components/button.tsx';
import { isComposing } from '../../components/composing.ts';
import { Icon } from '../../components/icon.tsx';
import { remember } from '../../stores/keys-store.ts';
import { useStores } from '../../stores/stores.ts';
import { commands } from '../../text.ts';
import { Option, optionId } from './option.tsx';
import { firstOf, rank, type RankedGroup } from './ranking.ts';
import { useEntries, type PaletteEntry } from './use-entries.ts';
import styles from './palette.module.css';

const text = commands.palette;
const page = 8;
/** More than the palette shows at once: they are drawn with it, the others as soon as there is time. */
const inView = 18;
/** A `<select>` would take the keyboard out of the field. */
const roles = { list: { role: 'listbox' }, group: { role: 'group' } } as const;

interface PaletteBodyProps {
  field: RefObject<HTMLInputElement | null>;
  onClose: () => void;
}

/** The keyboard stays in the field; what is chosen in the list is told by `aria-activedescendant`. */
export function PaletteBody({ field, onClose }: PaletteBodyProps) {
  const { keys } = useStores();
  const { shortcuts, mac } = useCommands();
  const [query, setQuery] = useState('');
  const [activeId, setActiveId] = useState<string | null>(null);
  // What is run now moves up the next time, not under the hand.
  const [recent] = useState(() => keys.getState().recent);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  const entries = useEntries();
  const groups = useMemo(() => rank(entries, query, recent), [entries, query, recent]);
  const listed = useMemo(() => groups.flatMap(({ ranked }) => ranked.map(({ entry }) => entry)), [groups]);
  const [whole, setWhole] = useState(false);
  useEffect(() => startTransition(() => setWhole(true)), []);
  const at = Math.max(
    0,
    listed.findIndex((entry) => entry.id === activeId),
  );
  const active = listed[at];
  const untouched = activeId === null && query === '';
  const shownId = active && optionId(id, active);
  useEffect(() => {
    // A list that was just opened is at its beginning: to say so would cost a layout before it is seen.
    if (shownId === undefined || untouched || (at >= inView && !whole)) return;
    // With the first option its heading comes into view.
    if (at === 0) list.current?.scrollTo({ top: 0 });
    else document.getElementById(shownId)?.scrollIntoView({ block: 'nearest' });
  }, [list, shownId, at, whole, untouched]);

  const run = useCallback(
    (entry: PaletteEntry | undefined): void => {
      if (!entry || entry.why !== null) return;
      remember(keys, entry.id);
      onClose();
      entry.run();
    },
    [keys, onClose],
  );
  const point = useCallback((entry: PaletteEntry) => setActiveId(entry.id), []);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (isComposing(event.nativeEvent)) return;
    const chord = chordOf(event.nativeEvent, mac);
    const opens =
      chord !== null && [shortcuts.of('view/palette'), shortcuts.alsoOf('view/palette')].includes(chord);
    const next = nextPlace(event.key, at, listed.length);
    if (opens) onClose();
    else if (event.key === 'Enter') run(active);
    else if (next !== null) setActiveId(listed[next]?.id ?? null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <div className="input">
        <Icon name="search" />
        <input
          ref={field}
          dir="auto"
          role="combobox"
          aria-expanded={listed.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shownId}
          aria-label={text.field}
          placeholder={text.placeholder}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActiveId(null);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <Found
        ref={list}
        id={id}
        groups={whole ? groups : firstOf(groups, inView)}
        active={active}
        onPoint={point}
        onChoose={run}
      />
      <output className={styles.nothing}>
        {listed.length === 0 && (
          <>
            <span className="block">{text.nothing(query.trim())}</span>
            <span className="block meta">{text.nothingHelp}</span>
          </>
        )}
      </output>
      <footer className="meta" aria-hidden="true">
        <KeyCaps keys={['↑', '↓']} /> {text.hints.move}
        <KeyCaps keys={[text.enter]} /> {text.hints.run}
        <KeyCaps keys={['>']} /> {text.hints.only}
      </footer>
    </>
  );
}

interface FoundProps {
  ref: RefObject<HTMLDivElement | null>;
  id: string;
  groups: RankedGroup<PaletteEntry>[];
  active: PaletteEntry | undefined;
  onPoint: (entry: PaletteEntry) => void;
  onChoose: (entry: PaletteEntry) => void;
}

function Found({ ref, id, groups, active, onPoint, onChoose }: FoundProps) {
  return (
    <div className={styles.found} {...roles.list} id={`${id}-list`} aria-label={text.label} ref={ref}>
      {groups.map(({ key, ranked }) => (
        <div {...roles.group} key={key} aria-labelledby={`${id}-of-${key}`}>
          <div className={styles.head} id={`${id}-of-${key}`}>
            {text.groups[key]}
          </div>
          {ranked.map(({ entry, marks }) => (
            <Option
              key={entry.id}
              list={id}
              entry={entry}
              marks={marks}
              active={entry === active}
              onPoint={onPoint}
              onChoose={onChoose}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Round the corner with the arrows, not with a page. null = no key that moves. */
function nextPlace(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at - 1 + count) % count;
    case 'PageDown':
      return Math.min(at + page, count - 1);
    case 'PageUp':
      return Math.max(at - page, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
