/**
 * Files that come from a window in pieces, each in a temporary file until it is used. None of them outlives its use, its
 * connection or, after a crash, the next start.
 */
import { join } from 'node:path';
import type { NewId } from '../../platform/clock.ts';
import { hasCode, type Files } from '../../platform/files.ts';
import type { Log } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import { maxUploads } from '../../protocol/limits.ts';
import { Upload, type Owner, type UploadedFile } from './arriving-file.ts';

export type Uploads = ReturnType<typeof createUploads>;

export interface UploadsDeps {
  files: Pick<
    Files,
    'createFile' | 'makeFolder' | 'readBytes' | 'readChunks' | 'realPath' | 'remove' | 'removeFolder'
  >;
  dataDir: string;
  newId: NewId;
  log: Log;
}

export function createUploads({ files, dataDir, newId, log }: UploadsDeps) {
  const named = join(dataDir, 'uploads');
  const open = new Map<string, Upload>();
  const owners = new WeakMap<Owner, { isClosed: boolean }>();
  let opening = 0;

  const find = (owner: Owner, uploadId: string): Upload => {
    const upload = open.get(uploadId);
    if (!upload || upload.owner !== owner || upload.isUsed) throw gone();
    return upload;
  };

  /** Never rejects. */
  const discard = async (uploadId: string, upload: Upload): Promise<void> => {
    open.delete(uploadId);
    try {
      await upload.remove();
    } catch (error) {
      log.warn('A temporary file could not be removed', { uploadId, error: String(error) });
    }
  };

  const discardAll = async (isMeant: (upload: Upload) => boolean): Promise<void> => {
    const meant = [...open].filter(([, upload]) => isMeant(upload));
    await Promise.all(meant.map(([id, upload]) => discard(id, upload)));
  };

  /** One listener for all uploads of a connection. */
  const watch = (owner: Owner): { isClosed: boolean } => {
    const known = owners.get(owner);
    if (known) return known;
    const state = { isClosed: false };
    owners.set(owner, state);
    owner.onClose(() => {
      state.isClosed = true;
      void discardAll((upload) => upload.owner === owner);
    });
    return state;
  };

  return {
    async begin(owner: Owner): Promise<string> {
      if (open.size + opening >= maxUploads) throw busy();
      opening += 1;
      try {
        const uploadId = newId('upl_');
        await files.makeFolder(named);
        const path = join((await files.realPath(named)) ?? named, uploadId);
        const writer = await files.createFile(path);
        const upload = new Upload(owner, files, path, writer);
        open.set(uploadId, upload);
        if (watch(owner).isClosed) await discard(uploadId, upload);
        return uploadId;
      } catch (error) {
        throw unwritten(error);
      } finally {
        opening -= 1;
      }
    },
    /** @param data base64 */
    async add(owner: Owner, uploadId: string, { at, data }: { at: number; data: string }): Promise<void> {
      const upload = find(owner, uploadId);
      try {
        await upload.append(at, Buffer.from(data, 'base64'));
      } catch (error) {
        await discard(uploadId, upload);
        throw unwritten(error);
      }
    },
    /** Gives the whole file to `use` and removes it when that has settled. */
    async take<T>(owner: Owner, uploadId: string, use: (file: UploadedFile) => Promise<T>): Promise<T> {
      const upload = find(owner, uploadId);
      try {
        const file = await upload.use().catch((error: unknown) => {
          throw unwritten(error);
        });
        return await use(file);
      } finally {
        await discard(uploadId, upload);
      }
    },
    async cancel(owner: Owner, uploadId: string): Promise<void> {
      const upload = open.get(uploadId);
      if (upload?.owner === owner) await discard(uploadId, upload);
    },
    /** Removes what a crash has left; before the first window. */
    async tidy(): Promise<void> {
      await files
        .removeFolder(named)
        .catch((error: unknown) => log.error('Temporary files could not be removed', error, {}));
    },
    close: (): Promise<void> => discardAll(() => true),
  };
}

const again = 'Try again.';

const gone = (): AndironError => new AndironError('not_found', 'This upload is no longer there.', again);

const busy = (): AndironError =>
  new AndironError(
    'busy',
    'Too many files are on their way.',
    'Wait until some have arrived, then try again.',
  );

function unwritten(cause: unknown): AndironError {
  if (cause instanceof AndironError) return cause;
  if (hasCode(cause, 'ENOSPC') || hasCode(cause, 'EDQUOT')) {
    const message = 'The disk is full: the file could not be received.';
    return new AndironError('storage', message, 'Free some space, then try again.', { cause });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = 'Check the disk that holds the data folder, then try again.';
  return new AndironError('storage', `The file could not be received: ${reason}.`, advice, { cause });
}
