import { command, type Services } from './command.ts';
import type { KeyChanges } from './shortcuts.ts';

/** Which keys run what: the person's choice. */
export function createKeyCommands({ stores: { keys } }: Pick<Services, 'stores'>) {
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
