import { z } from 'zod';
import type { Files } from '../../platform/files.ts';
import type { ToolDisplay } from '../../protocol/model.ts';
import { defineTool } from './define-tool.ts';
import type { RipgrepDeps, RipgrepEnd } from './ripgrep.ts';
import { failedSearch, runRipgrep, unreadable, withoutDot } from './ripgrep.ts';
import type { Tool, ToolContext } from './tool.ts';
import { fitLines, ToolFailure } from './tool.ts';
import { locateReadable, notFound } from './workspace-path.ts';

const mostMatches = 100;
const longestLine = 250;

/** Refused at once above it, where compiling alone would take a core for half a minute. */
const patternLimits = ['--regex-size-limit=10M', '--dfa-size-limit=10M'];

type Matches = Extract<ToolDisplay, { kind: 'matches' }>;

export function searchTool(deps: RipgrepDeps & { files: Files }): Tool {
  async function place(path: string, context: ToolContext): Promise<string> {
    const found = await locateReadable(deps.files, context, path);
    if (found.stat === null) throw await notFound(deps.files, found);
    // A pipe would be waited for.
    if (found.stat.kind !== 'file' && found.stat.kind !== 'folder')
      throw new ToolFailure(`${found.shown} is not a regular file.`);
    return found.shown;
  }

  return defineTool({
    name: 'search',
    description: 'Find text in files. Gives path, line number and line. Lower case finds both cases.',
    parameters: z.object({
      pattern: z.string().min(1).describe('Text or regular expression.'),
      path: z.string().optional().describe('Default: the workspace.'),
    }),
    mutates: false,
    retrySafe: true,
    timeoutMs: 30_000,
    subject: ({ pattern }) => pattern,
    need: ({ pattern, path = '.' }) => ({
      risk: 'read',
      summary: `Search ${path} for ${pattern}`,
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    check: async ({ path = '' }, context) => {
      await place(path, context);
      return null;
    },
    async execute({ pattern, path = '' }, context) {
      const target = await place(path, context);
      let literal = false;
      let { matches, end } = await find(deps, context, pattern, target, []);
      // Code such as `foo(` is no regular expression, and what is meant is plain.
      if (end.exitCode === 2 && end.errors.includes('regex parse error')) {
        literal = true;
        ({ matches, end } = await find(deps, context, pattern, target, ['--fixed-strings']));
      }
      // What was put in its place meanwhile may lead elsewhere.
      await place(path, context);
      if (end.exitCode === 2 && matches.total === 0) throw failedSearch(end);
      return {
        ok: true,
        content: describe(pattern, target, literal, matches, end),
        display: matches,
      };
    },
  });
}

async function find(
  deps: RipgrepDeps,
  context: ToolContext,
  pattern: string,
  target: string,
  more: string[],
): Promise<{ matches: Matches; end: RipgrepEnd }> {
  const paths = new Set<string>();
  const matches: Matches['matches'] = [];
  let total = 0;
  const shape = ['--null', '--line-number', '--with-filename', '--no-heading', '--smart-case'];
  const width = [`--max-columns=${String(longestLine)}`, '--max-columns-preview'];
  const args = [...shape, ...width, ...patternLimits, ...more, `--regexp=${pattern}`];
  const end = await runRipgrep(deps, context, args, target, (line) => {
    // `path NUL number:text`, the text up to \n only; remarks about binary files have no NUL.
    const parsed = /^(?<path>[^\0]*)\0(?<line>\d+):(?<text>.*)$/s.exec(line)?.groups;
    if (!parsed) return;
    const path = withoutDot(parsed['path'] ?? '');
    paths.add(path);
    total++;
    if (matches.length < mostMatches) {
      matches.push({ path, line: Number(parsed['line']), text: (parsed['text'] ?? '').replace(/\r$/, '') });
    }
  });
  const truncated = end.cut || total > matches.length;
  return { matches: { kind: 'matches', matches, files: paths.size, total, truncated }, end };
}

function describe(
  pattern: string,
  target: string,
  literal: boolean,
  { matches, total, truncated }: Matches,
  end: RipgrepEnd,
): string {
  const remark = literal ? ' (not a regular expression: searched as plain text)' : '';
  if (total === 0)
    return [`Nothing in ${target} matches ${pattern}${remark}.`, ...unreadable(end)].join('\n');
  const lines = matches.map(({ path, line, text }) => `${path}:${String(line)}: ${text.trim()}`);
  const first = literal ? [remark.trim()] : [];
  return fitLines([...first, ...lines], (shown) => [
    ...(truncated || shown - first.length < matches.length
      ? [`... of ${String(total)} lines. Use a narrower pattern or a path.`]
      : []),
    ...unreadable(end),
  ]);
}
