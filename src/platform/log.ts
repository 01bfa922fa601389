import { inspect } from 'node:util';

/** Where stacks and oddities go; what a person should know goes through the protocol instead. Never throws. */
export type Log = ReturnType<typeof createLog>;

type Fields = Record<string, unknown>;

/**
 * One JSON line per entry. `write` gets it with its newline, and must not throw.
 * @param mask takes out of a line what must not be kept; it must not throw either
 */
export function createLog(write: (line: string) => void, now: () => number, mask: (line: string) => string) {
  const entry = (level: string, message: string, fields?: Fields, error?: unknown): void => {
    write(`${mask(lineOf({ at: new Date(now()).toISOString(), level, message }, fields, error))}\n`);
  };
  return {
    info: (message: string, fields?: Record<string, unknown>): void => entry('info', message, fields),
    warn: (message: string, fields?: Record<string, unknown>): void => entry('warn', message, fields),
    error: (message: string, error?: unknown, fields?: Record<string, unknown>): void =>
      entry('error', message, fields, error),
  };
}

/** Whatever was thrown somewhere comes here, such as values in circles. It must not throw again. */
function lineOf(head: Fields, fields: Fields | undefined, error: unknown): string {
  try {
    return JSON.stringify({ ...head, ...fields, ...describe(error) });
  } catch {
    return JSON.stringify({ ...head, unwritable: inWords({ fields, error }) });
  }
}

function inWords(value: unknown): string {
  try {
    return inspect(value);
  } catch {
    return 'it cannot be read';
  }
}

function describe(error: unknown): Fields {
  if (error === undefined) return {};
  return error instanceof Error
    ? { error: error.message, stack: error.stack }
    : { error: JSON.stringify(error) ?? typeof error };
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };
