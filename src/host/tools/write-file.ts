import { z } from 'zod';
import { writtenFile } from './brought-files.ts';
import { readKnown, readKnownBytes, requireWhole, writeKnown, type KnownFile } from './change-file.ts';
import { defineTool } from './define-tool.ts';
import { countsOf, diffDisplay } from './diff-display.ts';
import { inFormOf } from './line-ends.ts';
import type { FileToolDeps } from './read-file.ts';
import { fingerprint } from './read-ledger.ts';
import { ToolFailure, type Tool, type ToolContext } from './tool.ts';
import { locateTarget, type Place } from './workspace-path.ts';

const parameters = z.object({ path: z.string().min(1), content: z.string().describe('The whole file.') });

interface Written {
  path: string;
  content: string | Uint8Array;
  /** What a person sees of content that is no text. */
  shownText?: string;
}

/** What all tools share that write a whole file. */
export function fileWriter(deps: FileToolDeps) {
  const known = (
    place: Place,
    context: ToolContext,
    isText: boolean,
  ): Promise<KnownFile & { text?: string }> =>
    isText ? readKnown(deps, place, context) : readKnownBytes(deps, place, context);

  async function prepare({ path, content, shownText }: Written, context: ToolContext) {
    const place = await locateTarget(deps.files, context.workspace, path);
    const touched = await deps.guard.judge(place, context, 'write');
    const isText = typeof content === 'string';
    const before = place.stat === null ? null : await known(place, context, isText);
    if (before) requireWhole(deps, place, context, before);
    const written = isText && before?.text !== undefined ? inFormOf(before.text, content) : content;
    if (before && fingerprint(before.bytes) === fingerprint(written))
      throw new ToolFailure(`${place.shown} already has exactly this content.`);
    if (before && before.bytes.length > 0 && content.length === 0) {
      throw new ToolFailure(`content is empty, which would empty ${place.shown}.`, {
        advice: 'Send the whole new file.',
      });
    }
    const after = typeof written === 'string' ? written : (shownText ?? '');
    const diff = diffDisplay(place.shown, before?.text ?? '', after);
    return { place, touched, before, written, display: before ? diff : { ...diff, created: true as const } };
  }

  return {
    async check(args: Written, context: ToolContext) {
      const { display, touched } = await prepare(args, context);
      return { display, touched };
    },
    async write(args: Written, context: ToolContext) {
      const { place, before, written, display } = await prepare(args, context);
      await deps.guard.enter(place, context, 'write');
      const remarks = await writeKnown(deps, place, context, written, before);
      const done = `${before ? 'Replaced' : 'Created'} ${place.shown} ${countsOf(display)}.`;
      const files = [writtenFile(place, written)];
      return { ok: true, content: [done, ...remarks].join('\n'), display, files };
    },
  };
}

export function writeFileTool(deps: FileToolDeps): Tool {
  const writer = fileWriter(deps);
  return defineTool({
    name: 'write_file',
    description: 'Create a file, or replace one that you have read. To change a part, use edit_file.',
    parameters,
    mutates: true,
    retrySafe: false,
    risk: 'write',
    about: 'workspace',
    timeoutMs: 30_000,
    subject: ({ path }) => path,
    need: ({ path, content }) => ({
      summary: `Write ${path} (${lineCount(content)})`,
      mutates: `Creates ${path}, or replaces it`,
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    check: (args, context) => writer.check(args, context),
    execute: (args, context) => writer.write(args, context),
  });
}

/** As a diff counts them: what follows the last line break is a line only if there is something. */
function lineCount(content: string): string {
  const count = content.split('\n').length - (content.endsWith('\n') || content === '' ? 1 : 0);
  return count === 1 ? '1 line' : `${String(count)} lines`;
}
