import type { DesktopBridge, FileOutcome } from '../../protocol/desktop.ts';
import { addNews, addNotice } from '../stores/ui-store.ts';
import { commands, files as text } from '../text.ts';
import type { Stores } from '../stores/stores.ts';
import { command } from './command.ts';

/** A path as a tool or the person named it: in the folder of the session, or a whole one. */
export interface FileOfSession {
  path: string;
  /** The open one where none is named. */
  sessionId?: string;
}

/** Files and folders outside the window: shown and opened by the desktop; a browser can only copy where they are. */
export function createOutsideCommands(desktop: Pick<DesktopBridge, 'files'> | null, { host, ui }: Stores) {
  const idOf = ({ sessionId }: Partial<FileOfSession>): string | null =>
    sessionId ?? ui.getState().openSessionId;
  const folderOf = (file: Partial<FileOfSession>): string | null =>
    host.getState().sessions.find(({ id }) => id === idOf(file))?.workspace ?? null;

  const report = (path: string, outcome: FileOutcome): void => {
    if (outcome === 'done') return;
    if (outcome === 'shown') {
      addNews(ui, text.shown);
      return;
    }
    const { message, advice } = text[outcome](path);
    addNotice(ui, message, advice);
  };
  const openOwnFile = async (action: 'show' | 'open', file: FileOfSession): Promise<void> => {
    if (desktop) report(file.path, await desktop.files[action]({ sessionId: idOf(file), path: file.path }));
  };
  const copyPath = async (file: FileOfSession): Promise<void> => {
    const path = wholePath(folderOf(file), file.path);
    try {
      await navigator.clipboard.writeText(path);
      addNews(ui, text.copied(path));
    } catch {
      addNotice(ui, text.notCopied.message, text.notCopied.advice);
    }
  };
  const isOpen = (): boolean => folderOf({}) !== null;

  return {
    'file/open': command<FileOfSession>({
      enabled: () => desktop !== null,
      run: (file) => openOwnFile('open', file),
    }),
    'file/show': command<FileOfSession>({
      enabled: () => desktop !== null,
      run: (file) => openOwnFile('show', file),
    }),
    'file/copy-path': command<FileOfSession>({ run: copyPath }),
    'current/open-folder': command({
      enabled: () => desktop !== null && isOpen(),
      why: () => (desktop ? commands.why.noSession : commands.why.onlyDesktopOpens),
      run: () => openOwnFile('open', { path: '.' }),
    }),
    'current/copy-folder': command({
      enabled: isOpen,
      why: () => commands.why.noSession,
      run: () => copyPath({ path: '.' }),
    }),
  };
}

/** Of whichever system the session's folder is. */
export function wholePath(folder: string | null, path: string): string {
  if (folder === null || /^(?:[\\/]|[a-z]:[\\/])/i.test(path)) return path;
  const inside = path === '.' ? '' : path.replace(/^\.[\\/]/, '');
  if (inside === '') return folder;
  const separator = folder.includes('\\') ? '\\' : '/';
  return `${folder.replace(/[\\/]$/, '')}${separator}${inside.replaceAll(/[\\/]/g, separator)}`;
}
