/**
 * The bridge to tools of other people: two tools whose schemas never change, however many servers there are. What those
 * bring comes as results, at the end of the prompt. In no profile that comes with Andiron.
 */
import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import type { FoundTool, McpAccess } from './mcp-access.ts';
import { fitLines, noToolFits, ToolFailure, type Tool } from './tool.ts';

/** Servers may have to be started first. */
const searchMs = 45_000;

export function toolSearchTool(mcp: McpAccess): Tool {
  return defineTool({
    name: 'tool_search',
    description: 'Find tools by what they do, in English.',
    parameters: z.object({ query: z.string().min(1).max(500) }),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'outside',
    timeoutMs: searchMs,
    subject: ({ query }) => query,
    need: ({ query }) => ({
      summary: `Look for tools: ${query}`,
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    async execute({ query }, { signal }) {
      const found = await mcp.search(query, signal);
      if (found.length === 0)
        throw new ToolFailure(noToolFits, {
          advice: 'Try other words once, or go on without.',
        });
      const loads = found.flatMap(({ name, schema }) => (schema ? [{ name, schema, mutates: true }] : []));
      const listed = (describe: (tool: FoundTool) => string): string =>
        fitLines(found.map(describe), () => []);
      const words = { content: listed(describeFound), bare: listed(signatureOf) };
      return { ok: true, ...words, display: null, loads };
    },
  });
}

const describeFound = ({ name, description, parameters }: FoundTool): string =>
  `${name}\n${description.trim()}\narguments: ${parameters}\n`;

/** Of what a tool does, and of all that is said of one: five have room in a result. */
const maxSaid = 300;
const maxSignature = 1_500;

/** For a model that writes calls under a grammar: without what is said of its arguments, it takes them by their names. */
function signatureOf({ name, description, schema, hints }: FoundTool): string {
  const lines = [`${name}: ${description}`.slice(0, name.length + maxSaid)];
  const required = new Set(schema?.required);
  for (const key of Object.keys(schema?.properties ?? {})) {
    const hint = Object.hasOwn(hints, key) ? hints[key] : undefined;
    lines.push(`  ${required.has(key) ? key : `${key}?`}: ${hint ?? ''}`);
  }
  const shown = lines.map((line) => `${/^ */.exec(line)?.[0] ?? ''}${inOneLine(line)}`);
  return `${cut(shown.join('\n'), maxSignature)}\n`;
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

export function toolCallTool(mcp: McpAccess): Tool {
  return defineTool({
    name: 'tool_call',
    description: 'Call a tool that was found, in a later reply.',
    parameters: z.object({
      name: z.string().min(1).max(200),
      arguments: z.record(z.string(), z.unknown()),
    }),
    needsResultOf: 'tool_search',
    mutates: true,
    retrySafe: false,
    risk: 'network',
    about: 'outside',
    timeoutMs: null,
    subject: ({ name }) => name,
    need: ({ name, arguments: args }) => ({
      summary: `${name} ${JSON.stringify(args, null, 2)}`,
      mutates: 'Can do what this tool of another program does',
      sandboxed: false,
      scopes: ['once'],
    }),
    async check({ name, arguments: args }, { signal }) {
      await mcp.check(name, args, signal);
      return {};
    },
    async execute({ name, arguments: args }, { signal, output, person }) {
      const onProgress = (line: string): void => output(`${line}\n`);
      const { text, pictures, isError } = await mcp.call(name, args, {
        signal,
        onProgress,
        ask: person?.askForm ?? null,
      });
      const content = text === '' ? '(it answered nothing)' : text;
      return { ok: !isError, content, display: null, pictures };
    },
  });
}
