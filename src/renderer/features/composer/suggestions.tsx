import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react';
import { composer as text } from '../../text.ts';
import { KeyCaps } from '../../components/button.tsx';
import { useLineWay } from '../../components/line-way.ts';
import { keyboardScrollable } from '../../components/scroll-region.tsx';
import { caretPlace } from './caret.ts';
import styles from './composer.module.css';
import menuStyles from '../../components/menu.module.css';

export interface Suggestion {
  id: string;
  disabled: boolean;
  content: ReactNode;
  /** In full, where it is cut. */
  title?: string;
  /** Those of one group stand together, under its name. */
  group?: string;
}

/** What is offered for what is being written. */
export interface SuggestionList {
  /** Tells one list from the next: what was left with Escape stays closed until something else is written. */
  token: string;
  from: number | null;
  label: string;
  options: Suggestion[];
  announcement: string;
  note: string | null;
  enter: string;
  take: (index: number) => void;
}

interface SuggestionsProps {
  /** Of the list; an option is its id with its place. */
  id: string;
  label: string;
  options: readonly Suggestion[];
  active: number;
  /** Instead of options, or below them. */
  note: string | null;
  /** What Enter does. */
  enter: string;
  field: RefObject<HTMLTextAreaElement | null>;
  /** The place in its text that the list stands above; null = above all of it. */
  from: number | null;
  onTake: (index: number) => void;
}

/** The page's own lists of options cannot stand beside a field that keeps the keyboard. */
const listbox = { role: 'listbox' };
const listboxOption = { role: 'option' };
const optionGroup = { role: 'group' };

export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}

/**
 * A list above the text that is being written. The keyboard stays in the field, which names the option that is active
 * (`aria-activedescendant`); a press of the mouse takes one without taking the keyboard away.
 */
export function Suggestions(props: SuggestionsProps) {
  const { id, label, options, active, note, enter, field, from, onTake } = props;
  const menu = useRef<HTMLDivElement>(null);
  usePlace(menu, field, from);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What was written meanwhile may have made other options of them.
    if (options[active]) optionsIn(list.current)[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, options]);
  usePress(list, onTake);
  return (
    <div
      ref={menu}
      className={
        from === null
          ? `${menuStyles.menu} ${styles.writtenList} ${styles.allAcross}`
          : `${menuStyles.menu} ${styles.writtenList}`
      }
    >
      <div
        ref={list}
        id={id}
        className={styles.options}
        aria-label={label}
        {...listbox}
        {...(options.length > 0 && keyboardScrollable)}
      >
        {grouped(options).map(({ name, members }) =>
          name === undefined ? (
            members.map((member) => (
              <OptionRow key={member.option.id} {...member} list={id} active={active} />
            ))
          ) : (
            <div key={name} {...optionGroup} aria-label={name}>
              <p className={menuStyles.head} aria-hidden="true">
                {name}
              </p>
              {members.map((member) => (
                <OptionRow key={member.option.id} {...member} list={id} active={active} />
              ))}
            </div>
          ),
        )}
      </div>
      {note !== null && <p className={menuStyles.head}>{note}</p>}
      <p className={`${menuStyles.head} ${styles.hints}`} aria-hidden="true">
        <KeyCaps keys={['↑', '↓']} /> {text.slash.hints.move} <KeyCaps keys={[text.slash.enter]} /> {enter}{' '}
        <KeyCaps keys={['Esc']} /> {text.slash.hints.leave}
      </p>
    </div>
  );
}

interface Placed {
  option: Suggestion;
  /** Among all of the list. */
  index: number;
}

function OptionRow({ option, index, list, active }: Placed & { list: string; active: number }) {
  return (
    <div
      id={optionId(list, index)}
      className={menuStyles.item}
      aria-selected={index === active}
      aria-disabled={option.disabled}
      data-highlighted={index === active ? '' : undefined}
      title={option.title}
      {...listboxOption}
    >
      {option.content}
    </div>
  );
}

/** In their order; a group is those of one name that follow each other. */
function grouped(options: readonly Suggestion[]): { name: string | undefined; members: Placed[] }[] {
  const groups: { name: string | undefined; members: Placed[] }[] = [];
  for (const [index, option] of options.entries()) {
    const last = groups.at(-1);
    if (last && last.name === option.group) last.members.push({ option, index });
    else groups.push({ name: option.group, members: [{ option, index }] });
  }
  return groups;
}

const optionsIn = (list: HTMLElement | null): Element[] =>
  list ? [...list.querySelectorAll('[role=option]')] : [];

const gap = 4;
/** Below the title bar. */
const topmost = 44;
const tallest = 320;

/** Above the line of `from`, within the column of the field, and no taller than what is free above it. */
function usePlace(
  menu: RefObject<HTMLElement | null>,
  field: RefObject<HTMLTextAreaElement | null>,
  from: number | null,
): void {
  const way = useLineWay();
  // With every key: the line may have moved.
  useLayoutEffect(() => {
    const box = field.current;
    const frame = menu.current?.offsetParent;
    if (!menu.current || !box || !frame) return;
    const [inner, outer] = [box.getBoundingClientRect(), frame.getBoundingClientRect()];
    const caret = from === null ? null : caretPlace(box, from);
    const top = inner.top + Math.max(0, (caret?.top ?? 0) - box.scrollTop);
    const place: CSSProperties = {
      bottom: `${outer.bottom - top + gap}px`,
      maxHeight: `${Math.min(tallest, top - topmost)}px`,
    };
    Object.assign(menu.current.style, place);
    const left = inner.left - outer.left + (caret?.left ?? 0);
    menu.current.style.setProperty('--x', `${way === 1 ? left : outer.width - left}px`);
  });
}

/** On the way down, before the field could lose the keyboard. */
function usePress(list: RefObject<HTMLElement | null>, onTake: (index: number) => void): void {
  const press = useEffectEvent((event: PointerEvent): void => {
    event.preventDefault();
    const pressed = event.target instanceof Element ? event.target.closest('[role=option]') : null;
    const index = pressed ? optionsIn(list.current).indexOf(pressed) : -1;
    if (index >= 0 && event.button === 0) onTake(index);
  });
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    list.current?.addEventListener('pointerdown', (event) => press(event), { signal });
    // The mouse event that follows would move the keyboard.
    list.current?.addEventListener('mousedown', (event) => event.preventDefault(), { signal });
    return () => stop.abort();
  }, [list]);
}
