/** Writes down every change of a tool before it is made, with what stands there: the way back. */
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { folderState } from '../store/entry-state.ts';
import { foldSteps, type FileHistory } from '../store/file-steps.ts';
import type { Store } from '../store/store.ts';
import type { ChangeRecorder } from '../tools/change-recorder.ts';
import { diffDisplay } from '../tools/diff-display.ts';
import { fingerprint } from '../tools/read-ledger.ts';

/** Of one session, as they lie on the disk. Beyond it the ways back of its oldest changes go. */
const maxKeptBytes = 64 * 1024 * 1024;

export interface RecorderDeps {
  store: Store;
  clock: Clock;
  log: Log;
  /** Only tests name another. */
  maxKeptContent?: number | undefined;
  onChange: (sessionId: string) => void;
}

export function createRecorder(deps: RecorderDeps): ChangeRecorder {
  const { store, clock, log, maxKeptContent = maxKeptBytes, onChange } = deps;

  /** Lines from before the session's first change; where that is not kept, the sum of the changes. */
  const wholeChange = (
    sessionId: string,
    history: FileHistory | undefined,
    before: string,
    after: string,
  ): { added: number; removed: number } => {
    const original = history?.first.before ?? null;
    const kept = original === null ? null : store.fileContent(sessionId, original);
    if (history && original !== null && !kept) {
      const { added, removed } = diffDisplay('', before, after);
      return { added: history.last.added + added, removed: history.last.removed + removed };
    }
    const from = history ? (kept ? linesOf(kept) : '') : before;
    const { added, removed } = diffDisplay('', from, after);
    return { added, removed };
  };

  return {
    begin({ sessionId, callId, place, before, after, folders }) {
      const { path, shown } = place;
      const history = foldSteps(store.fileSteps(sessionId)).find(({ last }) => last.path === path);
      const common = { callId, kind: 'change', undoes: null, afterMode: null, at: clock.now() } as const;
      const made = { before: null, after: folderState, mode: null, added: 0, removed: 0 };
      const folderIds = folders.map((folder) =>
        store.beginFileStep(sessionId, { ...common, ...folder, ...made }, null),
      );
      // Before the new one is kept: the newest change has its way back, whatever its size.
      store.boundContents(sessionId, maxKeptContent);
      const id = store.beginFileStep(
        sessionId,
        {
          ...common,
          path,
          shown,
          before: before && fingerprint(before.bytes),
          after: fingerprint(after),
          mode: before?.mode ?? null,
          ...wholeChange(sessionId, history, before ? linesOf(before.bytes) : '', linesOf(after)),
        },
        before && before.bytes,
      );
      return {
        done() {
          for (const each of [...folderIds, id]) closeStep(() => store.settleFileStep(each), log);
          closeStep(() => onChange(sessionId), log);
        },
        failed() {
          for (const each of [...folderIds, id]) closeStep(() => store.dropFileStep(each), log);
        },
      };
    },
  };
}

/** A line that stays open is read off the file when the host starts: the change itself is not undone by it. */
export function closeStep(close: () => void, log: Log): void {
  try {
    close();
  } catch (error) {
    log.error('The record of file changes could not be brought up to date', error, {});
  }
}

/** What is no text has none. */
function linesOf(content: string | Uint8Array): string {
  if (typeof content === 'string') return content;
  return content.includes(0) ? '' : new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
}
