import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { EditableFiles, ReadableFiles } from '../../platform/files.ts';
import { advised, type Advise } from './advice.ts';
import type { ChangeRecorder } from './change-recorder.ts';
import { defineTool } from './define-tool.ts';
import type { DocumentAccess } from './document-access.ts';
import type { PathGuard } from './path-guard.ts';
import type { LineRange, ReadLedger } from './read-ledger.ts';
import { readDocument } from './read-document.ts';
import { resultCap, ToolFailure, type Tool } from './tool.ts';
import { fileAt, locateReadable } from './workspace-path.ts';

/** Counting the lines of more than this takes too long. */
const maxFileBytes = 50 * 1024 * 1024;
/** Characters of the file in one result; the rest of the cap is for the line above it. */
const textCap = resultCap - 200;

export interface FileToolDeps {
  files: EditableFiles;
  guard: PathGuard;
  ledger: ReadLedger;
  documents: DocumentAccess;
  /** Absent = nothing is kept of what stood there before. */
  recorder?: ChangeRecorder | undefined;
}

/**
 * Plain text without line numbers, so that what the model copies into `edit_file` matches the file; whole lines, with
 * the range above them and where to read on.
 */
export function readFileTool({ files, ledger, guard, documents }: FileToolDeps): Tool {
  return defineTool({
    name: 'read_file',
    description: 'Read a text file. Read on with start_line.',
    parameters: z.object({
      path: z.string().min(1),
      start_line: z.int().optional().describe('First line, from 1.'),
      end_line: z.int().optional(),
    }),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'workspace',
    timeoutMs: 30_000,
    subject: ({ path }) => path,
    need: ({ path }) => ({
      summary: `Read ${path}`,
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    check: async ({ path }, context) => {
      const place = await locateReadable(files, context, path);
      const touched = await guard.judge(place, context, 'read');
      await fileAt(files, place);
      return { touched };
    },
    async execute({ path, start_line: start = 1, end_line: end = 0 }, context) {
      const { signal } = context;
      const found = await locateReadable(files, context, path);
      await guard.enter(found, context, 'read');
      const place = await fileAt(files, found);
      const first = Math.max(1, start);
      const range = { first, last: end < 1 ? Infinity : Math.max(first, end) };
      const document = await documents.read(place, signal);
      if (document) return readDocument(document, place.shown, range);
      if (place.stat.size > maxFileBytes) {
        const size = `${String(Math.round(place.stat.size / 1024 / 1024))} MB`;
        throw new ToolFailure(`${place.shown} is too large to read (${size}).`, {
          advice: 'Use search to find the lines you need.',
        });
      }
      const part = await readLines(files, place.path, range.first, range.last, signal);
      if (part === 'utf-16') {
        throw new ToolFailure(`${place.shown} is UTF-16 text, which is not read here.`, {
          advice: 'Convert it to UTF-8 first, or use search.',
        });
      }
      if (part === 'binary') {
        throw new ToolFailure(
          `${place.shown} is not a text file, so it can be neither read nor changed with these tools.`,
          { advice: 'Use a command if you need what is in it.' },
        );
      }
      if (part.totalLines > 0 && part.lastLine < first) {
        throw new ToolFailure(`${place.shown} has only ${String(part.totalLines)} lines.`);
      }
      ledger.saw(context, place.path, part.fingerprint, shownLines(part));
      return {
        ok: true,
        ...advised((advise) => describe(part, advise)),
        display: {
          kind: 'file',
          path: place.shown,
          text: part.text,
          firstLine: part.firstLine,
          lastLine: part.lastLine,
          totalLines: part.totalLines,
        },
      };
    },
  });
}

interface FilePart {
  text: string;
  firstLine: number;
  /** Smaller than firstLine when there is no such line. */
  lastLine: number;
  totalLines: number;
  /** A line was longer than a result may be. */
  cutLine: boolean;
  isUtf8: boolean;
  fingerprint: string;
}

function describe(
  { text, firstLine, lastLine, totalLines, cutLine, isUtf8 }: FilePart,
  advise: Advise,
): string {
  if (totalLines === 0) return 'The file is empty.';
  const cut = cutLine ? `; line ${String(lastLine)} is longer than shown` : '';
  const next = `; read on with start_line ${String(lastLine + 1)}`;
  const on = lastLine < totalLines ? advise(next) : '';
  const encoding = isUtf8 ? '' : '; not UTF-8: � stands for what could not be read';
  return `lines ${String(firstLine)}-${String(lastLine)} of ${String(totalLines)}${cut}${encoding}${on}\n${text}`;
}

/** null = no line was shown whole. */
function shownLines({ firstLine, lastLine, totalLines, cutLine }: FilePart): LineRange | null {
  const last = cutLine ? lastLine - 1 : lastLine;
  if (last >= totalLines) return { first: firstLine, last: Infinity };
  return last < firstLine ? null : { first: firstLine, last };
}

/** In one pass and in little memory, whatever the size of the file or of a line. */
async function readLines(
  files: ReadableFiles,
  path: string,
  firstLine: number,
  endLine: number,
  signal: AbortSignal,
): Promise<FilePart | 'binary' | 'utf-16'> {
  const hash = createHash('sha256');
  const decoder = new TextDecoder();
  const strict = strictDecoder();
  let isUtf8 = true;
  const shown: string[] = [];
  let room = textCap;
  let cutLine = false;
  let current = '';
  let inLine = false;
  let line = 1;

  const addToLine = (piece: string): void => {
    if (piece !== '') inLine = true;
    // One character more than fits tells that the line does not.
    if (line >= firstLine && line <= endLine && room > 0)
      current += piece.slice(0, room + 1 - current.length);
  };
  const endLineHere = (): void => {
    const text = current.endsWith('\r') ? current.slice(0, -1) : current;
    const isWanted = line >= firstLine && line <= endLine && room > 0;
    const fits = text.length < room;
    // A line that is too long on its own is shown cut; behind others it waits for the next part.
    cutLine ||= isWanted && !fits && shown.length === 0;
    if (isWanted && (fits || cutLine)) shown.push(text.slice(0, room));
    if (isWanted) room = fits ? room - text.length - 1 : 0;
    current = '';
    inLine = false;
    line++;
  };

  for await (const chunk of files.readChunks(path)) {
    signal.throwIfAborted();
    if (chunk.includes(0)) return line === 1 && hasUtf16Mark(chunk) ? 'utf-16' : 'binary';
    hash.update(chunk);
    isUtf8 &&= strict(chunk);
    const [head = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n');
    addToLine(head);
    for (const piece of rest) {
      endLineHere();
      addToLine(piece);
    }
  }
  addToLine(decoder.decode());
  if (inLine) endLineHere();
  return {
    text: shown.join('\n'),
    firstLine,
    lastLine: firstLine + shown.length - 1,
    totalLines: line - 1,
    cutLine,
    isUtf8: isUtf8 && strict(),
    fingerprint: hash.digest('hex'),
  };
}

const hasUtf16Mark = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/** Says of each piece, and without one of the end, whether everything so far was UTF-8. */
function strictDecoder(): (chunk?: Uint8Array) => boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (chunk) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
      return true;
    } catch {
      return false;
    }
  };
}
