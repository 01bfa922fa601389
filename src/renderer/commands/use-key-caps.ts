import { useCallback } from 'react';
import { useCommands, type PlainCommandId } from './commands.ts';
import { keyCaps, keysOf } from './keyboard.ts';

/** The caps of a command's shortcut as this platform writes them; undefined where it has none. */
export function useKeyCaps(): (id: PlainCommandId) => string[] | undefined {
  const { registry, web, mac } = useCommands();
  return useCallback(
    (id) => {
      const { shortcut } = registry[id];
      return shortcut ? keyCaps(keysOf(shortcut, web), mac) : undefined;
    },
    [registry, web, mac],
  );
}
