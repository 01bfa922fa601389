import { useRef, useState, type KeyboardEvent } from 'react';
import { chordOf } from '../../commands/keyboard.ts';
import { Button } from '../../components/button.tsx';
import { isComposing } from '../../components/composing.ts';
import { commands } from '../../text.ts';
import { FindField } from './controls.tsx';

const text = commands.shortcuts;

interface ShortcutSearchProps {
  query: string;
  mac: boolean;
  /** Keys as a person reads them. */
  written: (keys: string) => string;
  onSearch: (query: string) => void;
}

/** Finds commands by words of their name or their keys; keys can be pressed instead of written. */
export function ShortcutSearch({ query, mac, written, onSearch }: ShortcutSearchProps) {
  const [pressing, setPressing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!pressing && (event.key !== 'Escape' || query === '' || isComposing(event.nativeEvent))) return;
    // While keys are pressed to be found nothing runs; Escape would also close the settings.
    event.preventDefault();
    event.stopPropagation();
    const chord = chordOf(event.nativeEvent, mac);
    if (event.key === 'Escape') {
      if (!pressing) onSearch('');
    } else if (chord === null || event.repeat) return;
    else onSearch(written(chord));
    setPressing(false);
  };
  return (
    <>
      <FindField
        ref={field}
        label={text.find}
        {...(pressing && { placeholder: text.pressToFind })}
        value={query}
        onSearch={onSearch}
        onKeyDown={onKeyDown}
        onBlur={() => setPressing(false)}
      />
      <Button
        kind="quiet"
        icon="key"
        aria-pressed={pressing}
        // The field keeps the keyboard, where it has it.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => {
          onSearch('');
          setPressing(!pressing);
          field.current?.focus();
        }}
      >
        {text.findKeys}
      </Button>
    </>
  );
}
