/** Reads one document as the tools do, and looks at what that took. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDocuments, type Documents } from '../../../src/host/documents/documents.ts';
import type { DocumentText } from '../../../src/host/tools/document-access.ts';
import { ToolFailure } from '../../../src/host/tools/tool.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { systemFiles } from '../../../src/platform/files.ts';
import { systemProcesses, type Processes } from '../../../src/platform/processes.ts';
import { noSandbox, type Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import type { HostileDocument } from './hostile-documents.ts';

const megabyte = 2 ** 20;
/** What is read of a document at most, with the lines that mark its parts. */
const maxTextLength = 4_000_000 + 2_000 * 40;
const maxParts = 2_000;
/** A process is looked at once a second, and may grow until then. */
const maxMegabytes = 700;
/** 20 s, and what ending it takes. */
const maxMs = 24_000;

export interface Place {
  sandbox?: Sandbox;
  /** null = in a thread. */
  nodePath?: string | null;
  /** Built modules; those of the source unless given. */
  documentReader?: URL;
  documentWriter?: URL;
}

export interface Tried {
  name: string;
  text: DocumentText | null;
  /** What the model would read in its place. */
  words: string;
  ms: number;
  crashes: string[];
  overLimits: string[];
  late: string[];
}

const peakHook = `data:text/javascript,process.on('exit',()=>console.error('peak '+process.resourceUsage().maxRSS))`;

/** Tells how much memory a process took that came to its end. */
function measuring(onPeak: (megabytes: number) => void): Processes {
  return {
    ...systemProcesses,
    run: (request) =>
      systemProcesses.run({
        ...request,
        args: request.args.flatMap((arg) => (arg === '--no-warnings' ? [arg, '--import', peakHook] : [arg])),
        onOutput(stream, text) {
          const peak = stream === 'stderr' ? /^peak (\d+)$/m.exec(text)?.[1] : undefined;
          if (peak !== undefined) onPeak(Number(peak) / 1024);
          request.onOutput(stream, text);
        },
      }),
  };
}

export const documentsIn = (
  { sandbox, nodePath, ...modules }: Place = {},
  processes = systemProcesses,
): Documents =>
  createDocuments({
    ...modules,
    files: systemFiles,
    processes,
    sandbox: sandbox ?? noSandbox('system'),
    dataDirs: [],
    nodePath: nodePath === undefined ? process.execPath : nodePath,
    clock: systemClock,
  });

export async function tryDocument({ name, bytes }: HostileDocument, place: Place = {}): Promise<Tried> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-hostile-')));
  const path = join(folder, 'document');
  writeFileSync(path, bytes());
  let peak = 0;
  const documents = documentsIn(
    place,
    measuring((megabytes) => (peak = Math.max(peak, megabytes))),
  );
  const tried: Tried = { name, text: null, words: '', ms: 0, crashes: [], overLimits: [], late: [] };
  const before = process.memoryUsage.rss();
  const begun = performance.now();
  try {
    const stat = await systemFiles.lstat(path);
    tried.text = await documents.read({ path, shown: 'the file', stat }, new AbortController().signal);
    tried.words = tried.text === null ? 'no document' : tried.text.about;
  } catch (error) {
    tried.words = error instanceof ToolFailure ? error.words.content : '';
    if (!(error instanceof ToolFailure)) tried.crashes.push(`${name}: ${String(error)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  tried.ms = performance.now() - begun;
  const length = tried.text?.lines.reduce((sum, line) => sum + line.length + 1, 0) ?? 0;
  const grown = (process.memoryUsage.rss() - before) / megabyte;
  if (length > maxTextLength) tried.overLimits.push(`${name}: ${String(length)} characters`);
  if ((tried.text?.marks.length ?? 0) > maxParts) tried.overLimits.push(`${name}: too many parts`);
  if (peak > maxMegabytes) tried.overLimits.push(`${name}: ${peak.toFixed(0)} MB`);
  if (place.nodePath === null && grown > maxMegabytes)
    tried.overLimits.push(`${name}: ${grown.toFixed(0)} MB more here`);
  if (tried.text?.lines.some((line) => line.includes('root:x:0')))
    tried.overLimits.push(`${name}: a file of this computer`);
  if (tried.ms > maxMs) tried.late.push(`${name}: ${tried.ms.toFixed(0)} ms`);
  return tried;
}
