/** Files that tools changed, and the way back, as windows ask for them. */
import type { changedFileMethods, UndoOutcome } from '../../protocol/changed-files.ts';
import type { resultFileMethods } from '../../protocol/result-files.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { FileChanges } from '../file-changes/file-changes.ts';
import type { ReadFile } from '../file-changes/read-result-file.ts';
import type { SessionManager } from '../sessions/session-manager.ts';

export type ChangedFileDeps = Pick<
  FileChanges,
  'view' | 'ofTurn' | 'undo' | 'redo' | 'restoreChange' | 'readResult' | 'readPicture'
>;

export function changedFileHandlers(
  changes: ChangedFileDeps,
  sessions: Pick<SessionManager, 'get'>,
): Handlers<typeof changedFileMethods & typeof resultFileMethods> {
  return {
    'file/view': ({ sessionId, path, turnId }) => changes.view(sessionId, path, turnId),
    'file/restore-change': ({ sessionId, path, ...shown }) => changes.restoreChange(sessionId, path, shown),
    'file/turn': async ({ sessionId, paths, turnId }) => ({
      files: await changes.ofTurn(sessionId, paths, turnId),
    }),
    'file/read-result': async ({ sessionId, fileId }) =>
      inBase64(await changes.readResult(sessionId, fileId)),
    'file/read-picture': async ({ sessionId, path }) => inBase64(await changes.readPicture(sessionId, path)),
    'file/undo': async ({ sessionId, paths, turnId, step, wait }, { signal }) => {
      const undo = (): Promise<UndoOutcome[]> => changes.undo(sessionId, paths, turnId, step);
      return { outcomes: await (wait ? sessions.get(sessionId).betweenTurns(undo, signal) : undo()) };
    },
    'file/redo': async ({ sessionId, paths, turnId }) => ({
      outcomes: await changes.redo(sessionId, paths, turnId),
    }),
  };
}

const inBase64 = ({ name, mime, bytes }: ReadFile): { name: string; mime: string; data: string } => ({
  name,
  mime,
  data: Buffer.from(bytes).toString('base64'),
});
