import { memo } from 'react';
import { KeyCaps } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Mark, sessionLook } from '../../components/state-mark.tsx';
import type { PaletteEntry } from './use-entries.ts';
import styles from './palette.module.css';

/** A button, so that a press is one; it is never reached by itself. */
const option = (active: boolean) => ({ role: 'option', 'aria-selected': active, tabIndex: -1 }) as const;

interface OptionProps {
  /** Before the entry's own id, which may have signs that an id of the page cannot have. */
  list: string;
  entry: PaletteEntry;
  marks: number[];
  active: boolean;
  onPoint: (entry: PaletteEntry) => void;
  onChoose: (entry: PaletteEntry) => void;
}

export const optionId = (list: string, { id }: PaletteEntry): string => `${list}-${encodeURIComponent(id)}`;

/** The keyboard never leaves the field, so an option listens to the pointer alone. */
export const Option = memo(({ list, entry, marks, active, onPoint, onChoose }: OptionProps) => {
  const { name, quiet, why, detail, place, keys, icon, status } = entry;
  const look = status && sessionLook(status);
  return (
    <button
      type="button"
      {...option(active)}
      id={optionId(list, entry)}
      className={styles.mi}
      aria-disabled={why !== null}
      data-highlighted={active || undefined}
      onPointerMove={active ? undefined : () => onPoint(entry)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(entry)}
    >
      {look ? <Mark {...look} /> : <Icon name={icon} />}
      <span className={`${styles.name} cut`} dir="auto">
        <Marked name={name} quiet={quiet} marks={marks} />
      </span>
      <span className="meta cut" dir="auto" title={place ?? detail}>
        {why ?? detail}
      </span>
      {keys && <KeyCaps keys={keys} />}
      {keys && <span className="sr-only">{keys.join(' ')}</span>}
    </button>
  );
});
Option.displayName = 'Option';

/** The letters that were typed stand out; what only says the kind of thing stands back. */
function Marked({ name, quiet, marks }: { name: string; quiet: number; marks: number[] }) {
  if (quiet === 0 && marks.length === 0) return name;
  return piecesOf(name, quiet, new Set(marks)).map(({ at, letters, marked }) =>
    marked ? (
      <mark key={at}>{letters}</mark>
    ) : (
      <span key={at} className={at < quiet ? 't3' : undefined}>
        {letters}
      </span>
    ),
  );
}

function piecesOf(name: string, quiet: number, marks: ReadonlySet<number>) {
  const pieces: { at: number; letters: string; marked: boolean }[] = [];
  for (let at = 0; at < name.length; at += 1) {
    const marked = marks.has(at);
    const last = pieces.at(-1);
    if (last && last.marked === marked && at !== quiet) last.letters += name.charAt(at);
    else pieces.push({ at, letters: name.charAt(at), marked });
  }
  return pieces;
}
