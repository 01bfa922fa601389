import { maxImportBytes } from '../../protocol/limits.ts';
import type { ImportProblem } from '../stores/notices.ts';
import { addNews, addNotice, requestFocus } from '../stores/ui-store.ts';
import { commands, sessions as text } from '../text.ts';
import { command, type Services } from './command.ts';
import { exportSessions, type ExportedSessions, type SeveralSessions } from './export-sessions.ts';
import { fileName } from './file-name.ts';
import { addSaveFailure, saveFile } from './save-file.ts';
import { upload, type UploadSource } from './upload.ts';

/** What was said as a thing of its own: found, kept, branched, taken out and brought in. */
export function createHistoryCommands({ host, stores, files }: Services) {
  const { ui } = stores;

  const open = (sessionId: string): void => {
    ui.setState({ openSessionId: sessionId, view: 'session', sheet: null });
    requestFocus(ui, 'composer');
  };

  const titleOf = (sessionId: string): string =>
    stores.host.getState().sessions.find(({ id }) => id === sessionId)?.title ?? text.untitled;

  /** One that cannot be deleted keeps none of the others; what is gone can be had back. */
  const remove = async (sessionIds: string[]): Promise<void> => {
    const titles = new Map(sessionIds.map((id) => [id, titleOf(id)]));
    const results = await Promise.allSettled(
      sessionIds.map((sessionId) => host.call('session/delete', { sessionId })),
    );
    const [first, ...others] = sessionIds.filter((_, at) => results[at]?.status === 'fulfilled');
    if (first !== undefined) {
      const gone = [first, ...others];
      // The draft stays: what is restored is as it was.
      if (gone.includes(ui.getState().openSessionId ?? '')) {
        ui.setState({ openSessionId: null, newSession: {} });
        // Under a list that lies over the transcript the box would have the keyboard unseen.
        if (ui.getState().sheet === null) requestFocus(ui, 'composer');
      }
      const message =
        others.length === 0 ? text.removed(titles.get(first) ?? '') : text.removedMany(gone.length);
      addNews(ui, message, { restores: gone });
    }
    throwFirst(results);
  };

  /** Takes a restored session out of what the notice offers; without any it leaves. */
  const isBack = (noticeId: number, sessionId: string): void =>
    ui.setState(({ notices }) => ({
      notices: notices.flatMap((notice) => {
        if (notice.id !== noticeId || !notice.restores) return [notice];
        const restores = notice.restores.filter((id) => id !== sessionId);
        return restores.length === 0 ? [] : [{ ...notice, restores }];
      }),
    }));

  /** Not its rail alone, which has no room for words. */
  const showsList = (): boolean => {
    const { room, leftOpen, sheet, view } = ui.getState();
    return view === 'session' && (sheet === 'left' || (room !== 'narrow' && leftOpen));
  };

  /** One that was taken in is opened; what could not be is told beside the list, and keeps none of the others out. */
  const takeIn = async (given: ImportFile[]): Promise<void> => {
    ui.setState({ importProblems: [] });
    const problems: ImportProblem[] = [];
    const taken: string[] = [];
    for (const file of given) {
      try {
        if (file.size > maxImportBytes) throw new Error(text.importTooLarge);
        const uploadId = await upload(host, file);
        const { sessions, notices, failed } = await host.call('session/import-upload', { uploadId });
        taken.push(...sessions.map(({ id }) => id));
        for (const notice of notices) addNews(ui, notice);
        if (failed) problems.push({ name: file.name, ...failed });
      } catch (error) {
        problems.push({ name: file.name, ...reasonOf(error) });
      }
    }
    if (showsList()) ui.setState({ importProblems: problems });
    else
      for (const { name, message, advice } of problems)
        addNotice(ui, `${text.importFailed(name)}: ${message}`, advice);
    const [only, ...others] = taken;
    if (only !== undefined && others.length === 0) open(only);
    else if (taken.length > 0) addNews(ui, text.imported(taken.length));
  };

  /** Says what became of the files; nothing of those that the person did not want. */
  const exportAll = async (several: SeveralSessions): Promise<ExportedSessions> => {
    const titles = new Map(several.sessionIds.map((id) => [id, titleOf(id)]));
    const exported = await exportSessions({ host, files }, several, text.exported);
    const { saved, leftOut, outcome } = exported;
    if (outcome === 'interrupted') addSaveFailure(ui);
    if (outcome === 'cancelled' || outcome === 'interrupted') {
      if (saved.length > 0) addNews(ui, text.exportEnded(saved.length));
      return exported;
    }
    const handedOver = outcome === 'handed-over';
    if (exported.files > 1) {
      const inFiles = handedOver ? text.handedOverInFiles : text.exportedInFiles;
      addNews(ui, inFiles(saved.length, exported.files));
    } else if (outcome === 'completed') addNews(ui, text.exportedAll(saved.length));
    const [only, ...others] = leftOut;
    if (only === undefined) return exported;
    const message =
      others.length === 0 ? text.leftOut(titles.get(only) ?? '') : text.leftOutMany(leftOut.length);
    const rest = handedOver ? text.othersHandedOver : text.othersExported;
    addNotice(ui, message, saved.length > 0 ? rest(saved.length) : text.noneExported);
    return exported;
  };

  return {
    /** Gone from the list, and one press away from being back. */
    'session/delete': command<{ sessionId: string }>({ run: ({ sessionId }) => remove([sessionId]) }),
    'session/delete-all': command<{ sessionIds: string[] }>({ run: ({ sessionIds }) => remove(sessionIds) }),
    /** One is opened again; several come back to the list. */
    'session/restore': command<{ sessionIds: string[]; noticeId: number }>({
      run: async ({ sessionIds, noticeId }) => {
        const results = await Promise.allSettled(
          sessionIds.map(async (sessionId) => {
            await host.call('session/restore', { sessionId });
            isBack(noticeId, sessionId);
          }),
        );
        throwFirst(results);
        const [only, ...others] = sessionIds;
        if (only !== undefined && others.length === 0) open(only);
      },
    }),
    /** Everything up to and including a turn, or up to now, as a session of its own. */
    'session/fork': command<{ sessionId: string; turnId?: string; workspace?: string }>({
      run: async (params) => {
        const { session } = await host.call('session/fork', params);
        open(session.id);
      },
    }),
    'session/export': command<{ sessionId: string }>({
      run: async ({ sessionId }) => {
        const { snapshot } = await host.call('session/export', { sessionId });
        const content = JSON.stringify(snapshot, null, 2);
        await saveFile({ files, stores }, fileName(titleOf(sessionId), 'json'), content, 'application/json');
      },
    }),
    'session/export-markdown': command<{ sessionId: string }>({
      run: async ({ sessionId }) => {
        const { markdown } = await host.call('session/export-markdown', { sessionId });
        await saveFile({ files, stores }, fileName(titleOf(sessionId), 'md'), markdown, 'text/markdown');
      },
    }),
    /** Several in one file: as JSON it can be taken in again, as Markdown it can be read. */
    'session/export-all': command<SeveralSessions>({
      run: async (several) => void (await exportAll(several)),
    }),
    /** All there are, to be taken in again. */
    'session/export-everything': command({
      enabled: () => stores.host.getState().sessions.length > 0,
      why: commands.why.noSessions,
      run: async () => {
        const sessionIds = stores.host.getState().sessions.map(({ id }) => id);
        const { saved, outcome, files: given } = await exportAll({ sessionIds, form: 'json' });
        // A file of a browser says by itself that it came; here it also says what is in it.
        if (outcome === 'handed-over' && given === 1) addNews(ui, text.handedOver(saved.length));
      },
    }),
    /** The host reads the file, whatever is in it. */
    'session/import': command({
      run: async () => {
        const file = await files.pick('.json,application/json');
        if (file !== null) await takeIn([file]);
      },
    }),
    'session/import-files': command<{ files: ImportFile[] }>({ run: ({ files: given }) => takeIn(given) }),
    'session/forget-import': command({
      enabled: () => ui.getState().importProblems.length > 0,
      run: () => ui.setState({ importProblems: [] }),
    }),
    'session/reset': command<{ sessionId: string }>({
      run: async (params) => {
        await host.call('session/reset', params);
        addNews(ui, text.resetDone(titleOf(params.sessionId)));
      },
    }),
    'session/compact': command<{ sessionId: string }>({
      run: async (params) => {
        await host.call('session/compact', params);
      },
    }),
    'compaction/undo': command<{ itemId: string }>({
      run: async ({ itemId }) => {
        const sessionId = ui.getState().openSessionId;
        if (sessionId !== null) await host.call('session/undo-compaction', { sessionId, itemId });
      },
    }),
    /** Looks through what was said; a reply that comes after the next question is dropped. */
    'session/find': command<{ query: string }>({
      run: async ({ query }) => {
        const wanted = query.trim().slice(0, maxQueryLength);
        ui.setState({ search: { query: wanted, found: null } });
        if (wanted === '') return;
        const found = await host.call('session/search', { query: wanted });
        ui.setState((state) =>
          state.search.query === wanted ? { search: { query: wanted, found } } : state,
        );
      },
    }),
    /** Opens the session where that was said. */
    'session/open-at': command<{ sessionId: string; itemId: string }>({
      run: ({ sessionId, itemId }) => {
        open(sessionId);
        ui.setState({ jump: { sessionId, itemId }, sought: null });
      },
    }),
  };
}

function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

export type ImportFile = UploadSource & Pick<File, 'name'>;

function reasonOf(error: unknown): Omit<ImportProblem, 'name'> {
  if (!(error instanceof Error)) return { message: String(error), advice: '' };
  const advice = 'advice' in error && typeof error.advice === 'string' ? error.advice : '';
  return { message: error.message, advice };
}

/** What the host takes. */
const maxQueryLength = 200;
