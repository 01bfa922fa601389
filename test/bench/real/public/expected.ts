/** Whether a call is one of those that are right, as leniently as the leaderboard compares. */
import { functionName, type MadeCall } from './function-tools.ts';
import type { Expected } from './sets.ts';

export const isExpected = ({ name, args }: MadeCall, expected: readonly Expected[]): boolean =>
  expected.some((each) =>
    Object.entries(each).some(([wanted, values]) => functionName(wanted) === name && fits(args, values)),
  );

/** Every argument is a known one with a right value, and what is left out may be. */
function fits(
  given: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown[]>>,
): boolean {
  const isKnown = Object.keys(given).every((key) => key in values);
  return (
    isKnown &&
    Object.entries(values).every(([key, allowed]) =>
      given[key] === undefined ? allowed.includes('') : allowed.some((value) => isSame(given[key], value)),
    )
  );
}

/** Within an object that is right, each value is again a list of those that are. */
function isSame(given: unknown, value: unknown): boolean {
  if (typeof given === 'string' && typeof value === 'string') return loosely(given) === loosely(value);
  if (Array.isArray(given) && Array.isArray(value))
    return given.length === value.length && given.every((each, at) => isSame(each, value[at]));
  if (isObject(given) && isObject(value) && Object.values(value).every(Array.isArray))
    return fits(given, value as Record<string, unknown[]>);
  return given === value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const loosely = (text: string): string =>
  text
    .replaceAll(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"');
