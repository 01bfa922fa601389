/** Where stacks and oddities go; what a person should know goes through the protocol instead. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, error?: unknown, fields?: Record<string, unknown>): void;
}

/** One JSON line per entry; `write` gets it with its newline. */
export function createLog(write: (line: string) => void, now: () => number): Log {
  const entry = (level: string, message: string, fields: Record<string, unknown> = {}): void => {
    write(`${JSON.stringify({ at: new Date(now()).toISOString(), level, message, ...fields })}\n`);
  };
  return {
    info: (message, fields) => entry('info', message, fields),
    warn: (message, fields) => entry('warn', message, fields),
    error: (message, error, fields) => entry('error', message, { ...fields, ...describe(error) }),
  };
}

function describe(error: unknown): Record<string, unknown> {
  if (error === undefined) return {};
  return error instanceof Error
    ? { error: error.message, stack: error.stack }
    : { error: JSON.stringify(error) ?? typeof error };
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };
