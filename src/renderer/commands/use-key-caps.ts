import { useKeys } from '../stores/stores.ts';
import { useCommands, type NamedCommandId } from './commands.ts';
import { keyCaps } from './keyboard.ts';

/** The caps of a command's shortcut as this platform writes them; undefined where it has none. */
export function useKeyCaps(): (id: NamedCommandId) => string[] | undefined {
  const { shortcuts, mac } = useCommands();
  // What is changed shows at once.
  useKeys((keys) => keys.rebound);
  return (id) => {
    const keys = shortcuts.of(id);
    return keys === null ? undefined : keyCaps(keys, mac);
  };
}
