import { z } from 'zod';
import { readKnown, writeKnown } from './change-file.ts';
import { defineTool } from './define-tool.ts';
import { countsOf, diffDisplay } from './diff-display.ts';
import { replaceOnce } from './edit-text.ts';
import type { FileToolDeps } from './read-file.ts';
import { ToolFailure, type Tool, type ToolContext } from './tool.ts';
import { locateTarget, notFound } from './workspace-path.ts';

const parameters = z.object({
  path: z.string().min(1),
  old_text: z.string().min(1).describe('Exact text from the file. Must occur once.'),
  new_text: z.string(),
});

export function editFileTool(deps: FileToolDeps): Tool {
  async function prepare({ path, old_text, new_text }: z.output<typeof parameters>, context: ToolContext) {
    const place = await locateTarget(deps.files, context.workspace, path);
    const touched = await deps.guard.judge(place, context, 'write');
    if (place.stat === null) throw await notFound(deps.files, place);
    const before = await readKnown(deps, place, context);
    const edit = replaceOnce(before.text, old_text, new_text);
    if (!edit.ok) {
      const { reason, advice } = edit;
      throw new ToolFailure(`${place.shown} was not changed: ${reason}`, { advice });
    }
    return { place, touched, before, edit, display: diffDisplay(place.shown, before.text, edit.text) };
  }

  return defineTool({
    name: 'edit_file',
    description: 'Replace one piece of text in a file that you have read.',
    parameters,
    mutates: true,
    retrySafe: false,
    risk: 'write',
    about: 'workspace',
    timeoutMs: 30_000,
    subject: ({ path }) => path,
    need: ({ path }) => ({
      summary: `Edit ${path}`,
      mutates: `Changes ${path}`,
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    async check(args, context) {
      const { display, touched } = await prepare(args, context);
      return { display, touched };
    },
    async execute(args, context) {
      const { place, before, edit, display } = await prepare(args, context);
      await deps.guard.enter(place, context, 'write');
      const remarks = await writeKnown(deps, place, context, edit.text, before);
      const done = `Edited ${place.shown} at line ${String(edit.line)} ${countsOf(display)}.`;
      return { ok: true, content: [done, ...remarks].join('\n'), display };
    },
  });
}
