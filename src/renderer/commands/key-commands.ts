import type { KeysStore } from '../stores/keys-store.ts';
import { command } from './command.ts';
import type { KeyChanges } from './shortcuts.ts';

/** Which keys run what: the person's choice. */
export function createKeyCommands(keys: KeysStore) {
  return {
    'shortcut/change': command<{ changes: KeyChanges }>({
      run: ({ changes }) =>
        keys.setState(({ rebound }) => ({
          rebound: Object.fromEntries(
            Object.entries({ ...rebound, ...changes }).filter(
              (entry): entry is [string, string | null] => entry[1] !== undefined,
            ),
          ),
        })),
    }),
  };
}
