import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import type { FileToolDeps } from './read-file.ts';
import { ToolFailure, type Tool } from './tool.ts';
import { fileWriter } from './write-file.ts';

const parameters = z.object({
  title: z.string().min(1),
  content: z.string().min(1).describe('Markdown, without the title.'),
});
type Document = z.output<typeof parameters>;

/** Of a name without its ending: systems allow 255 bytes, and a letter takes up to four. */
const maxNameLength = 60;

/** A document of its own, named after its title, in the session's folder. It asks as `write_file` does. */
export function createDocumentTool(deps: FileToolDeps): Tool {
  const writer = fileWriter(deps);
  return defineTool({
    name: 'create_document',
    description: 'Write a document in Markdown for the user. Its file is named after its title.',
    parameters,
    mutates: true,
    retrySafe: false,
    risk: 'write',
    about: 'workspace',
    timeoutMs: 30_000,
    subject: ({ title }) => nameOf(title),
    need: (document) => ({
      summary: `Write ${nameOf(document.title)}`,
      mutates: `Creates ${nameOf(document.title)}, or replaces all of it`,
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    check: (document, context) => writer.check(asFile(document), context),
    execute: (document, context) => writer.write(asFile(document), context),
  });
}

function asFile({ title, content }: Document): { path: string; content: string } {
  const path = nameOf(title);
  if (path === '.md')
    throw new ToolFailure('The title has no letter or digit to name a file by.', {
      advice: 'Choose another.',
    });
  const heading = `# ${title.replaceAll(/\s+/g, ' ').trim()}`;
  return { path, content: `${heading}\n\n${content.trim()}\n` };
}

/** `Python tutorials` → `python_tutorials.md`. */
function nameOf(title: string): string {
  const words =
    title
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return `${Array.from(words.join('_')).slice(0, maxNameLength).join('')}.md`;
}
