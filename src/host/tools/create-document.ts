import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import { writtenFormats } from './document-access.ts';
import type { FileToolDeps } from './read-file.ts';
import { ToolFailure, type Tool, type ToolContext } from './tool.ts';
import { fileWriter } from './write-file.ts';

const parameters = z.object({
  title: z.string().min(1),
  content: z.string().min(1).describe('Markdown, without the title.'),
  format: z.enum(writtenFormats).optional().describe('md unless given. csv: its first table.'),
});
type Document = z.output<typeof parameters>;

/** Of a name without its ending: systems allow 255 bytes, and a letter takes up to four. */
const maxNameLength = 60;

/** A document of its own, named after its title, in the session's folder. It asks as `write_file` does. */
export function createDocumentTool(deps: FileToolDeps): Tool {
  const writer = fileWriter(deps);

  async function asFile({ title, content, format = 'md' }: Document, { signal }: ToolContext) {
    const path = nameOf({ title, format });
    if (path === `.${format}`)
      throw new ToolFailure('The title has no letter or digit to name a file by.', {
        advice: 'Choose another.',
      });
    const shownTitle = title.replaceAll(/\s+/g, ' ').trim();
    const markdown = `# ${shownTitle}\n\n${content.trim()}\n`;
    if (format === 'md') return { path, content: markdown };
    const written = await deps.documents.write(
      format,
      { title: shownTitle, content: content.trim() },
      signal,
    );
    return { path, content: written, shownText: markdown };
  }

  return defineTool({
    name: 'create_document',
    description: 'Write a document in Markdown for the user. Its file is named after its title.',
    parameters,
    mutates: true,
    retrySafe: false,
    risk: 'write',
    about: 'workspace',
    timeoutMs: 30_000,
    subject: nameOf,
    need: (document) => ({
      summary: `Write ${nameOf(document)}`,
      mutates: `Creates ${nameOf(document)}, or replaces it`,
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    check: async (document, context) => writer.check(await asFile(document, context), context),
    execute: async (document, context) => writer.write(await asFile(document, context), context),
  });
}

/** `Python tutorials` → `python_tutorials.md`. */
function nameOf({ title, format = 'md' }: Pick<Document, 'title' | 'format'>): string {
  const words =
    title
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return `${Array.from(words.join('_')).slice(0, maxNameLength).join('')}.${format}`;
}
