import { titleOf } from '../stores/host-store.ts';
import type { Stores } from '../stores/stores.ts';
import { addNews, addNotice, openSession, type UiStore } from '../stores/ui-store.ts';
import { commands, sessions as text } from '../text.ts';
import { command, type HostConnection } from './command.ts';
import { exportSessions, type ExportedSessions, type SeveralSessions } from './export-sessions.ts';
import { fileName } from './file-name.ts';
import type { PageFiles } from './page-files.ts';
import { addSaveFailure, saveFile } from './save-file.ts';
import { maxImportBytes } from '../../protocol/limits.ts';
import type { ImportProblem } from '../stores/notices-slice.ts';
import { wordsOf } from './error-words.ts';
import { upload, type UploadSource } from './upload.ts';

/** Sessions that become files. */
export function createExportCommands(host: HostConnection, { host: known, ui }: Stores, files: PageFiles) {
  const nameOf = (sessionId: string): string => titleOf(known, sessionId) ?? text.untitled;

  /** Says what became of the files; nothing of those that the person did not want. */
  const exportAll = async (several: SeveralSessions): Promise<ExportedSessions> => {
    const titles = new Map(several.sessionIds.map((id) => [id, nameOf(id)]));
    const exported = await exportSessions(host, files, several, text.exported);
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
    'session/export': command<{ sessionId: string }>({
      run: async ({ sessionId }) => {
        const { snapshot } = await host.call('session/export', { sessionId });
        const content = JSON.stringify(snapshot, null, 2);
        await saveFile(files, ui, fileName(nameOf(sessionId), 'json'), content, 'application/json');
      },
    }),
    'session/export-markdown': command<{ sessionId: string }>({
      run: async ({ sessionId }) => {
        const { markdown } = await host.call('session/export-markdown', { sessionId });
        await saveFile(files, ui, fileName(nameOf(sessionId), 'md'), markdown, 'text/markdown');
      },
    }),
    /** Several in one file: as JSON it can be taken in again, as Markdown it can be read. */
    'session/export-all': command<SeveralSessions>({
      run: async (several) => void (await exportAll(several)),
    }),
    /** All there are, to be taken in again. */
    'session/export-everything': command({
      enabled: () => known.getState().sessions.length > 0,
      why: () => commands.why.noSessions,
      run: async () => {
        const sessionIds = known.getState().sessions.map(({ id }) => id);
        const { saved, outcome, files: given } = await exportAll({ sessionIds, form: 'json' });
        // A file of a browser says by itself that it came; here it also says what is in it.
        if (outcome === 'handed-over' && given === 1) addNews(ui, text.handedOver(saved.length));
      },
    }),
  };
}

type ImportFile = UploadSource & Pick<File, 'name'>;

/** Files that become sessions. */
export function createImportCommands(host: HostConnection, ui: UiStore, files: PageFiles) {
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
        problems.push({ name: file.name, ...wordsOf(error) });
      }
    }
    if (showsList()) ui.setState({ importProblems: problems });
    else
      for (const { name, message, advice } of problems)
        addNotice(ui, `${text.importFailed(name)}: ${message}`, advice);
    const [only, ...others] = taken;
    if (only !== undefined && others.length === 0) openSession(ui, only);
    else if (taken.length > 0) addNews(ui, text.imported(taken.length));
  };

  return {
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
  };
}
