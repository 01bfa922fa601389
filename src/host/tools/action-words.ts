/** For tools with an `action`: the words that small models use instead of the schema's, before the schema is asked. */
type Arguments = Record<string, unknown>;

export interface ActionWords {
  /** Other names of arguments → the argument; used where that one is missing. */
  names: Readonly<Record<string, string>>;
  /** Other names of actions, in small letters with underscores → the action. */
  actions: Readonly<Record<string, string>>;
  /** Last, what is special to the tool; may change its argument. */
  finish?: (args: Arguments) => void;
}

/** The arguments in the tool's own words; what was read otherwise than it was written stands on the card. */
export function inOwnWords(given: unknown, words: ActionWords): { args: unknown; repairs: string[] } {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { args: given, repairs: [] };
  const repairs: string[] = [];
  const args: Arguments = { ...given };
  rename(args, words.names, repairs);
  words.finish?.(args);
  nameAction(args, words.actions, repairs);
  return { args, repairs };
}

function rename(args: Arguments, names: ActionWords['names'], repairs: string[]): void {
  for (const [other, name] of Object.entries(names)) {
    if (!(other in args) || name in args) continue;
    args[name] = args[other];
    delete args[other];
    repairs.push(`took ${other} as ${name}`);
  }
}

function nameAction(args: Arguments, actions: ActionWords['actions'], repairs: string[]): void {
  const { action: written } = args;
  if (typeof written !== 'string') return;
  const word = actionWord(written);
  const action = Object.hasOwn(actions, word) ? actions[word] : word;
  if (action === written) return;
  args['action'] = action;
  repairs.push(`took the action ${written.slice(0, 40)} as ${action ?? ''}`);
}

export const actionWord = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
