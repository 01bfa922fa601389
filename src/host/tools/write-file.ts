import { z } from 'zod';
import { writtenFile } from './brought-files.ts';
import { readKnown, writeKnown } from './change-file.ts';
import { defineTool } from './define-tool.ts';
import { countsOf, diffDisplay } from './diff-display.ts';
import type { FileToolDeps } from './read-file.ts';
import { ToolFailure, type Tool, type ToolContext } from './tool.ts';
import { locateTarget } from './workspace-path.ts';

const parameters = z.object({ path: z.string().min(1), content: z.string().describe('The whole file.') });

type Written = z.output<typeof parameters>;

/** What all tools share that write a whole file. */
export function fileWriter(deps: FileToolDeps) {
  async function prepare({ path, content }: Written, context: ToolContext) {
    const place = await locateTarget(deps.files, context.workspace, path);
    const touched = await deps.guard.judge(place, context, 'write');
    const before = place.stat === null ? null : await readKnown(deps, place, context);
    if (before?.text === content) throw new ToolFailure(`${place.shown} already has exactly this content.`);
    if (before && before.text !== '' && content === '') {
      throw new ToolFailure(`content is empty, which would empty ${place.shown}.`, {
        advice: 'Send the whole new file.',
      });
    }
    return { place, touched, before, display: diffDisplay(place.shown, before?.text ?? '', content) };
  }

  return {
    async check(args: Written, context: ToolContext) {
      const { display, touched } = await prepare(args, context);
      return { display, touched };
    },
    async write(args: Written, context: ToolContext) {
      const { place, before, display } = await prepare(args, context);
      await deps.guard.enter(place, context, 'write');
      const remarks = await writeKnown(deps, place, context, args.content, before);
      const done = `${before ? 'Replaced' : 'Created'} ${place.shown} ${countsOf(display)}.`;
      const files = [writtenFile(place, args.content)];
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
      mutates: `Creates ${path}, or replaces all of it`,
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
