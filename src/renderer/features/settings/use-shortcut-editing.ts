/** A command that is given other keys: pressed, refused with its reason, or taken from the command that has them. */
import { useState } from 'react';
import { commandNames, useCommands, type NamedCommandId } from '../../commands/commands.ts';
import { refusalOf } from '../../commands/reserved-keys.ts';
import { commands } from '../../text.ts';
import type { Editing } from './shortcut-row.tsx';

const text = commands.shortcuts;

/** What is asked of the person now, of one command; null = nothing. */
type Asked = { id: NamedCommandId; editing: Editing } | null;

/** `written`: keys as a person reads them. */
export function useShortcutEditing(written: (keys: string) => string) {
  const { shortcuts, run, web, mac } = useCommands();
  const [asked, setAsked] = useState<Asked>(null);

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

  return {
    of: (id: NamedCommandId): Editing | null => (asked?.id === id ? asked.editing : null),
    begin: (id: NamedCommandId): void => setAsked({ id, editing: { stage: 'press', refusal: null } }),
    leave: (id: NamedCommandId): void => setAsked((now) => (now?.id === id ? null : now)),
    give,
    propose,
  };
}
