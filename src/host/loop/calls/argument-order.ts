/**
 * The order in which a model writes arguments. Engines write the keys of an object in alphabetical order, so `new_text` came
 * before the text that it replaces, and `content` before the path: a small model then writes the whole file. Numbers in front
 * of the names keep the order of the tool.
 */

const number = /^([1-9])_/;
const maxNumbered = 9;

/** Such a name of a tool's own is numbered once more, so that it is not taken for one of these. */
export const looksNumbered = (name: string): boolean => number.test(name);

/** The names as a grammar has them; as they are where the alphabet has the order of the tool, and none looks numbered. */
export function numbered(names: readonly string[]): string[] {
  const isInOrder = names.every(
    (name, at) => !looksNumbered(name) && (at === 0 || (names[at - 1] ?? '') < name),
  );
  return isInOrder || names.length > maxNumbered
    ? [...names]
    : names.map((name, at) => `${String(at + 1)}_${name}`);
}

/** The arguments by the names of the tool, of which some may be left out. Names that were not numbered by `numbered` stay. */
export function withoutNumbers(args: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(args);
  const numbers = entries.map(([name]) => number.exec(name)?.[1] ?? '');
  const areNumbered = numbers.every((digit, at) => digit > (numbers[at - 1] ?? ''));
  if (!areNumbered) return args;
  return Object.fromEntries(entries.map(([name, value]) => [name.replace(number, ''), value]));
}
