/** The data folder as the person sees it: what lies there, how large it is, and what can be tidied up. */
import { join } from 'node:path';
import type { Clock } from '../platform/clock.ts';
import { sizeOf } from '../platform/disk-space.ts';
import { yieldToOthers } from '../platform/event-loop.ts';
import type { Files } from '../platform/files.ts';
import { AndironError } from '../protocol/errors.ts';
import { indexFile } from './open-collections.ts';
import { storageParts, type StoragePart, type StorageSizes } from '../protocol/person-methods.ts';
import type { Upkeep } from './rpc/person-handlers.ts';
import { keptDeletedMs } from './sessions/session-manager.ts';
import { databaseFile, type Store } from './store/store.ts';
import type { UpkeepStore } from './store/upkeep.ts';

export interface UpkeepDeps {
  store: Pick<Store, keyof UpkeepStore | 'purgeHidden' | 'attachmentsOf'>;
  files: Files;
  dataDir: string;
  clock: Clock;
  /** A file that no message has any more. */
  removeFile: (attachmentId: string) => Promise<void>;
  /** A session that cannot be had back any more: what is known of it in memory, and a folder of its own, go, too. */
  forget: (sessionId: string) => Promise<void>;
  /** On the disk of a folder; null = unknown. */
  freeBytes: (folder: string) => Promise<number | null>;
  /** Called before work on the whole database, which answers nobody, and after it. */
  onBlocked?: (isBlocked: boolean) => void;
}

export interface HostUpkeep extends Upkeep {
  /** So many turns run now. */
  turns(running: number): void;
}

/** What lies where, by its name in the data folder; a path names what is counted apart from its folder. */
const places: [part: StoragePart, path: string[]][] = [
  ['database', [databaseFile]],
  ['database', [`${databaseFile}-wal`]],
  ['database', [`${databaseFile}-shm`]],
  ['backups', ['backups']],
  ['undo', ['undo']],
  ['attachments', ['attachments']],
  ...['', '-wal', '-shm'].map((end): [StoragePart, string[]] => ['collections', [`${indexFile}${end}`]]),
  ['engine', ['ollama']],
  ['models', ['ollama', 'models']],
  ['logs', ['logs']],
];

export function createUpkeep({
  store,
  files,
  dataDir,
  clock,
  removeFile,
  forget,
  freeBytes,
  onBlocked,
}: UpkeepDeps): HostUpkeep {
  let running = 0;

  function refuseBusy(what: string): void {
    if (running === 0) return;
    throw new AndironError('busy', 'A turn runs.', `Stop it or wait for its end: ${what} holds it up.`);
  }

  /** A turn may begin while others have their turn, so they are looked for once more. */
  async function onAll<Result>(what: string, work: () => Result): Promise<Result> {
    refuseBusy(what);
    onBlocked?.(true);
    try {
      await yieldToOthers();
      refuseBusy(what);
      return work();
    } finally {
      onBlocked?.(false);
    }
  }

  /** null = something in it cannot be read. */
  const measure = (...path: string[]): Promise<number | null> =>
    sizeOf(files, join(dataDir, ...path)).catch(() => null);

  async function measureParts(): Promise<StorageSizes['parts']> {
    const known = new Set(places.map(([, [name]]) => name));
    const entries = await files.readFolder(dataDir).catch(() => []);
    const others = entries.filter(({ name }) => !known.has(name)).map(({ name }) => [name]);
    const parts = Object.fromEntries(storageParts.map((part): [StoragePart, number | null] => [part, 0]));
    const add = (part: StoragePart, bytes: number | null): void => {
      const before = parts[part] ?? null;
      parts[part] = before === null || bytes === null ? null : before + bytes;
    };
    for (const [part, path] of places) add(part, await measure(...path));
    for (const path of others) add('other', await measure(...path));
    // Its models lie inside the engine's folder and are a part of their own.
    const { engine = null, models = null } = parts;
    parts['engine'] = engine === null || models === null ? null : engine - models;
    return parts as StorageSizes['parts'];
  }

  const databaseBytes = async (): Promise<number> =>
    (await sizeOf(files, join(dataDir, databaseFile))) +
    (await sizeOf(files, join(dataDir, `${databaseFile}-wal`)));

  return {
    turns: (count) => void (running = count),
    async measure() {
      const { kept, deleted } = store.sizeOfSessions();
      return {
        dataDir,
        parts: await measureParts(),
        sessions: { count: kept.count, bytes: kept.bytes },
        deleted: {
          count: deleted.count,
          bytes: deleted.bytes,
          nextAt: deleted.deletedAt === null ? null : deleted.deletedAt + keptDeletedMs,
        },
        unusedBytes: store.unusedBytes(),
        freeBytes: await freeBytes(dataDir),
        at: clock.now(),
      };
    },
    async purge() {
      const sessions = store.deletedSessions();
      const files = sessions.flatMap((id) => store.attachmentsOf(id));
      const removed = store.purgeHidden(Number.MAX_SAFE_INTEGER);
      for (const id of sessions) await forget(id);
      // A fork may still have them; what is left after a crash goes with forgotten drafts.
      for (const { id } of files) await removeFile(id);
      return removed;
    },
    async compact() {
      refuseBusy('compacting');
      const before = await databaseBytes();
      await onAll('compacting', () => store.compact());
      return Math.max(0, before - (await databaseBytes()));
    },
    check: () => onAll('the check', () => store.findProblems()),
  };
}
