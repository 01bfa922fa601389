/** Several sessions as files: as JSON they can be taken in again, as Markdown they can be read. */
import { AndironError } from '../../protocol/errors.ts';
import { maxImportBytes } from '../../protocol/limits.ts';
import type { HostConnection } from './command.ts';
import { fileName } from './file-name.ts';
import type { PageFiles, SaveOutcome } from './page-files.ts';

export interface SeveralSessions {
  sessionIds: readonly string[];
  form: 'json' | 'markdown';
}

export interface ExportedSessions {
  /** How many were saved or handed to the browser. */
  files: number;
  /** Of the last file; the first that is not saved ends the export. null = there was nothing to save. */
  outcome: SaveOutcome | null;
  /** Ids of the sessions in those files. */
  saved: string[];
  /** Gone when their turn came. */
  leftOut: string[];
}

interface Form {
  /** null = it is gone. */
  read: (host: HostConnection, sessionId: string) => Promise<string | null>;
  extension: string;
  type: string;
  open: string;
  between: string;
  close: string;
  /** To be taken in again. */
  imported: boolean;
}

const forms: Record<SeveralSessions['form'], Form> = {
  json: {
    read: sessionAsJson,
    extension: 'json',
    type: 'application/json',
    open: '[\n',
    between: ',\n',
    close: '\n]\n',
    imported: true,
  },
  markdown: {
    read: (host, sessionId) =>
      host
        .call('session/export-markdown', { sessionId })
        .then(({ markdown }) => markdown.trimEnd(), absentAsNull),
    extension: 'md',
    type: 'text/markdown',
    open: '',
    between: '\n\n---\n\n',
    close: '\n',
    imported: false,
  },
};

/**
 * Saves one file, or more where one would be larger than an import takes; a file is saved as soon as it is full, so that no
 * more than one of them is held. A session that was deleted meanwhile keeps none of the others out. The person may close
 * the dialog of any file: those after it are then not asked about.
 *
 * @param largest bytes of one file, for an import takes no more; only tests name another
 */
export async function exportSessions(
  host: HostConnection,
  files: PageFiles,
  { sessionIds, form }: SeveralSessions,
  title: string,
  largest = maxImportBytes,
): Promise<ExportedSessions> {
  const { read, extension, type, open, between, close, imported } = forms[form];
  const exported: ExportedSessions = { files: 0, outcome: null, saved: [], leftOut: [] };
  let parts: string[] = [];
  let inFile: string[] = [];
  let bytes = 0;

  /** False = the export has ended. */
  const save = async (): Promise<boolean> => {
    if (parts.length === 0) return true;
    const number = exported.files + 1;
    const name = fileName(number === 1 ? title : `${title} ${String(number)}`, extension);
    const separated = parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]));
    const outcome = await files.save(name, [open, ...separated, close], type);
    exported.outcome = outcome;
    if (outcome === 'cancelled' || outcome === 'interrupted') return false;
    exported.files = number;
    exported.saved.push(...inFile);
    parts = [];
    inFile = [];
    bytes = 0;
    return true;
  };

  for (const sessionId of sessionIds) {
    const part = await read(host, sessionId);
    if (part === null) {
      exported.leftOut.push(sessionId);
      continue;
    }
    const size = bytesOf(part);
    if (imported && bytes + between.length + size + close.length > largest && !(await save()))
      return exported;
    bytes += (parts.length === 0 ? open : between).length + size;
    parts.push(part);
    inFile.push(sessionId);
  }
  await save();
  return exported;
}

/** As it is exported, to be taken in again; null = it was deleted meanwhile. */
export function sessionAsJson(host: HostConnection, sessionId: string): Promise<string | null> {
  return host
    .call('session/export', { sessionId })
    .then(({ snapshot }) => JSON.stringify(snapshot, null, 2), absentAsNull);
}

function absentAsNull(error: unknown): null {
  if (error instanceof AndironError && error.code === 'not_found') return null;
  throw error;
}

/** As it lies on a disk; a blob is counted without a copy among the page's own objects. */
const bytesOf = (text: string): number => new Blob([text]).size;
