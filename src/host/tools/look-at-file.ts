/** The host's own look at a file, for a step of a plan that says what would prove it. Inside the workspace only. */
import type { ReadableFiles } from '../../platform/files.ts';
import type { StepCheck } from '../../protocol/model.ts';
import type { PathGuard } from './path-guard.ts';
import { fileAt, locate } from './workspace-path.ts';

/** A file with more is not searched. */
const maxFileBytes = 5 * 1024 * 1024;

interface Seen {
  passed: boolean;
  /** What was seen, in a few words. */
  text: string;
}

export type LookAtFile = (workspace: string, check: Exclude<StepCheck, { kind: 'command' }>) => Promise<Seen>;

/** Never throws: what cannot be looked at has not passed, with the reason. */
export function lookAtFile(
  files: ReadableFiles,
  guard: PathGuard,
  say: { fileSeen: (bytes: number) => string; textSeen: (line: number) => string },
): LookAtFile {
  return async (workspace, check) => {
    try {
      const place = await locate(files, workspace, check.path);
      const touched = await guard.judge(place, { workspace }, 'read');
      // A plan is no question: what reading asks about is not looked at for it.
      if (touched?.protection) return { passed: false, text: 'the file is in a protected place' };
      const { path, stat } = await fileAt(files, place);
      if (check.kind === 'file_exists') return { passed: true, text: say.fileSeen(stat.size) };
      if (stat.size > maxFileBytes) return { passed: false, text: 'the file is too large to search' };
      const text = Buffer.from(await files.readBytes(path, maxFileBytes)).toString('utf8');
      const at = text.indexOf(check.text);
      if (at === -1) return { passed: false, text: 'the text is not in the file' };
      return { passed: true, text: say.textSeen(text.slice(0, at).split('\n').length) };
    } catch (error) {
      return { passed: false, text: error instanceof Error ? error.message : String(error) };
    }
  };
}
