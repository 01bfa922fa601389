/** Messages that were sent, and of which the host has not said yet that it has them. They outlive the page. */
import type { PromptOrigin } from '../../protocol/mcp-offers.ts';
import { readStoredFiles, storedFiles, type DraftFile } from './draft-files.ts';
import { isOrigin } from './drafts-slice.ts';
import { isRecord, readRecord, type KeyValueStorage } from './storage.ts';

export interface Unsent {
  /** Of the turn that it becomes: the host begins none a second time. */
  id: string;
  /** Where it goes; null = its session is still to be made. */
  sessionId: string | null;
  /** As it was in the box. */
  text: string;
  files: DraftFile[];
  origin?: PromptOrigin | undefined;
  /** What goes with it, once the host is asked to take it; null = it was not asked yet. */
  attachments: string[] | null;
  /** Unix milliseconds. */
  since: number;
}

/** Longer than a host takes to come back. What is older is not sent again without the person. */
export const maxResendMs = 5 * 60 * 1000;

const name = 'andiron.outbox';

export type Outbox = ReturnType<typeof createOutbox>;

/** `windowId` stays the same when the window is loaded again: another window may still be at work on its own messages. */
export function createOutbox(storage: KeyValueStorage, windowId: string) {
  // All windows write into one place, so it is read each time and written at once.
  const change = (id: string, unsent: Unsent | null): void => {
    const { [id]: _before, ...others } = readRecord(storage, name);
    const kept = unsent === null ? others : { ...others, [id]: atRest(unsent, windowId) };
    storage.write(name, JSON.stringify(kept));
    storage.flush();
  };
  return {
    /** With everything else that is kept of the window: a draft must not outlive its sending. */
    put: (unsent: Unsent): void => change(unsent.id, unsent),
    remove: (id: string): void => change(id, null),
    /** What this window left when it was loaded again, and what others left long ago. */
    left(now: number): Unsent[] {
      const entries = Object.values(readRecord(storage, name)).flatMap(readEntry);
      return entries
        .filter((entry) => entry.windowId === windowId || now - entry.unsent.since > maxResendMs)
        .map(({ unsent }) => unsent);
    },
  };
}

const filesKey = 'files';

const atRest = ({ files, ...unsent }: Unsent, windowId: string): object => ({
  ...unsent,
  windowId,
  files: storedFiles({ [filesKey]: files })[filesKey] ?? [],
});

/** Another version of Andiron, or anybody, may have written it. */
function readEntry(value: unknown): { windowId: string; unsent: Unsent }[] {
  if (!isRecord(value)) return [];
  const { id, windowId, sessionId, text, origin, attachments, since } = value;
  if (typeof id !== 'string' || typeof windowId !== 'string' || typeof text !== 'string') return [];
  if (sessionId !== null && typeof sessionId !== 'string') return [];
  if (typeof since !== 'number') return [];
  const unsent: Unsent = {
    id,
    sessionId,
    text,
    since,
    files: readStoredFiles({ [filesKey]: value['files'] })[filesKey] ?? [],
    // Without its session it cannot have been asked for.
    attachments: sessionId !== null && isTexts(attachments) ? attachments : null,
    ...(isOrigin(origin) && { origin }),
  };
  return [{ windowId, unsent }];
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
