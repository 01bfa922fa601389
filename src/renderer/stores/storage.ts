/** localStorage that may be full, forbidden or gone: then the window just starts afresh next time. */

export interface KeyValueStorage {
  read(key: string): string | null;
  /** Soon, not at once: drafts change with every key. */
  write(key: string, value: string): void;
  /** Likewise, made of what is kept by then: another window may have written there meanwhile. Tells when it is written. */
  update(key: string, value: () => string, onWritten: () => void): void;
  /** Everything that was written so far, at once: a page may die before it is asked to. */
  flush(): void;
}

const writeDelayMs = 300;
const windowKey = 'andiron.window';

/** `place`: of all windows, or of this one alone, also after it was loaded again. */
export function browserStorage(
  page: Window,
  place: 'localStorage' | 'sessionStorage' = 'localStorage',
): KeyValueStorage {
  const pending = new Map<string, { value: () => string; onWritten?: () => void }>();
  const flush = (): void => {
    for (const [key, { value, onWritten }] of pending) {
      attempt(() => {
        page[place].setItem(key, value());
        onWritten?.();
      });
    }
    pending.clear();
  };
  const update = (key: string, value: () => string, onWritten?: () => void): void => {
    if (pending.size === 0) page.setTimeout(flush, writeDelayMs);
    pending.set(key, { value, ...(onWritten && { onWritten }) });
  };
  page.addEventListener('pagehide', flush);
  return {
    read: (key) => attempt(() => page[place].getItem(key)) ?? null,
    write: (key, value) => update(key, () => value),
    update,
    flush,
  };
}

/** Of this window, also after it was loaded again; another window has another. */
export function windowIdOf(page: Window, fresh: () => string): string {
  const kept = attempt(() => page.sessionStorage.getItem(windowKey));
  if (kept) return kept;
  const id = fresh();
  attempt(() => page.sessionStorage.setItem(windowKey, id));
  return id;
}

/** Of a window that keeps nothing. */
export const noStorage: KeyValueStorage = {
  read: () => null,
  write: () => undefined,
  update: () => undefined,
  flush: () => undefined,
};

/** What was kept under this key, where it is an object at all: what is in it is not checked yet. */
export function readRecord(storage: KeyValueStorage, key: string): Record<string, unknown> {
  const json = storage.read(key);
  const value: unknown = json === null ? null : attempt((): unknown => JSON.parse(json));
  return isRecord(value) ? value : {};
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
