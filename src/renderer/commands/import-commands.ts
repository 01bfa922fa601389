import { maxImportBytes } from '../../protocol/limits.ts';
import type { ImportProblem } from '../stores/notices-slice.ts';
import { addNews, addNotice, openSession, type UiStore } from '../stores/ui-store.ts';
import { sessions as text } from '../text.ts';
import { command, type HostConnection } from './command.ts';
import { wordsOf } from './error-words.ts';
import type { PageFiles } from './page-files.ts';
import { upload, type UploadSource } from './upload.ts';

export type ImportFile = UploadSource & Pick<File, 'name'>;

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
