import { join } from 'node:path';
import { z } from 'zod';
import type { Files } from '../../platform/files.ts';
import type { ToolDisplay } from '../../protocol/model.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import { advised, type Advise } from './advice.ts';
import { defineTool } from './define-tool.ts';
import { anyWordOf, nameMatcher, nearestLines } from './near-matches.ts';
import type { PathGuard } from './path-guard.ts';
import type { RipgrepDeps, RipgrepEnd } from './ripgrep.ts';
import { createMatchReader, type RipgrepMatch } from './ripgrep-matches.ts';
import { failedSearch, runRipgrep, unreadable, walk, withoutDot } from './ripgrep.ts';
import { boundsFor, boundWords, leftOutOf } from './search-bounds.ts';
import { contextLines, matchesInContext, maxInContext } from './search-context.ts';
import {
  fitWithWhole,
  ToolFailure,
  type FittedText,
  type Tool,
  type ToolContext,
  type ToolResult,
} from './tool.ts';
import { locateReadable, notFound, type Place } from './workspace-path.ts';

const maxMatches = 100;
const maxLineLength = 250;
const maxNear = 20;

/** Refused at once above it, where compiling alone would take a core for half a minute. */
const patternLimits = ['--regex-size-limit=10M', '--dfa-size-limit=10M'];

type Matches = Extract<ToolDisplay, { kind: 'matches' }>;

export function searchTool(deps: RipgrepDeps & { files: Files; guard: PathGuard }): Tool {
  const { files, guard } = deps;

  async function assertSearchable(found: Place): Promise<void> {
    if (found.stat === null) throw await notFound(files, found);
    // A pipe would be waited for.
    if (found.stat.kind !== 'file' && found.stat.kind !== 'folder')
      throw new ToolFailure(`${found.shown} is not a regular file.`);
  }

  /** What a search of this place passes over: protected places, unless it is one itself and was asked about. */
  function passedOver({ path }: Place, { workspace, attached = [] }: ToolContext) {
    if (attached.includes(path)) return () => false;
    const isAsked = guard.isLeftOut(path, workspace);
    return (shown: string): boolean => {
      const at = join(workspace, shown);
      return isAsked ? guard.isClosed(at, workspace) : guard.isLeftOut(at, workspace);
    };
  }

  return defineTool({
    name: 'search',
    description: 'Find text in files. Lower case finds both cases.',
    parameters: z.object({
      pattern: z.string().min(1).describe('Text or regular expression.'),
      path: z.string().optional(),
    }),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'workspace',
    timeoutMs: 30_000,
    subject: ({ pattern }) => pattern,
    need: ({ pattern, path = '.' }) => ({
      summary: `Search ${path} for ${pattern}`,
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    check: async ({ path = '' }, context) => {
      const found = await locateReadable(files, context, path);
      const touched = await guard.judge(found, context, 'read');
      await assertSearchable(found);
      return { touched };
    },
    async execute({ pattern, path = '' }, context) {
      const found = await locateReadable(files, context, path);
      await guard.enter(found, context, 'read');
      await assertSearchable(found);
      const bounds = await boundsFor(files, found, context.signal);
      const target = found.shown;
      const isOver = passedOver(found, context);
      let literal = false;
      let asked = bounds;
      let { matches, end } = await findLines(deps, context, pattern, target, asked, isOver);
      // Code such as `foo(` is no regular expression, and what is meant is plain.
      if (end.exitCode === 2 && end.errors.includes('regex parse error')) {
        literal = true;
        asked = [...bounds, '--fixed-strings'];
        ({ matches, end } = await findLines(deps, context, pattern, target, asked, isOver));
      }
      const around = (text: string, more: string[]) => linesAround(deps, context, text, target, more, isOver);
      const leftOut = await leftOutOf(deps, context, target, bounds, isOver);
      // What was put in its place meanwhile may lead elsewhere.
      await assertSearchable(await locateReadable(files, context, path));
      if (end.exitCode === 2 && matches.total === 0) throw failedSearch(end);
      if (matches.total === 0) {
        const near = await nearestTo(
          pattern,
          (any) => findLines(deps, context, any, target, [...bounds, '--ignore-case'], isOver),
          (line) => around(line, [...bounds, '--fixed-strings', '--line-regexp']),
          (onFile) => walk(deps, context, bounds, target, (file) => isOver(file) || onFile(file)),
        );
        if (near) return { ok: true, ...near };
      }
      const remarks = (advise: Advise): string[] => [...boundWords(leftOut, advise), ...unreadable(end)];
      const words = describe(pattern, target, literal, matches, remarks);
      const isFew = matches.total > 0 && matches.total <= maxInContext && !matches.truncated;
      const bare = isFew ? [await around(pattern, asked), ...remarks(() => '')].join('\n') : words.bare;
      return { ok: true, ...words, ...(bare !== undefined && { bare }), display: matches };
    },
  });
}

/** As `createMatchReader` reads it. */
const lineShape = [
  '--null',
  '--line-number',
  '--with-filename',
  '--no-heading',
  '--smart-case',
  `--max-columns=${String(maxLineLength)}`,
  '--max-columns-preview',
  ...patternLimits,
];

/** Of a search that is known to find little. */
async function linesAround(
  deps: RipgrepDeps,
  context: ToolContext,
  pattern: string,
  target: string,
  more: string[],
  isOver: (path: string) => boolean,
): Promise<string> {
  const lines: RipgrepMatch[] = [];
  const reader = createMatchReader((line) => {
    const path = withoutDot(line.path);
    if (!isOver(path)) lines.push({ ...line, path, text: line.text.replace(/\r$/, '') });
  });
  const near = [`--context=${String(contextLines)}`, '--no-context-separator'];
  await runRipgrep(deps, context, [...lineShape, ...near, ...more, `--regexp=${pattern}`], target, reader);
  return matchesInContext(lines);
}

/** Lines, as far as there is room for them. */
export async function findLines(
  deps: RipgrepDeps,
  context: ToolContext,
  pattern: string,
  target: string,
  more: string[],
  isOver: (path: string) => boolean,
): Promise<{ matches: Matches; end: RipgrepEnd }> {
  const paths = new Set<string>();
  const matches: Matches['matches'] = [];
  let total = 0;
  const args = [...lineShape, ...more, `--regexp=${pattern}`];
  const reader = createMatchReader(({ path: printed, line, text }) => {
    const path = withoutDot(printed);
    if (isOver(path)) return;
    paths.add(path);
    total++;
    if (matches.length < maxMatches) matches.push({ path, line, text: text.replace(/\r$/, '') });
  });
  const end = await runRipgrep(deps, context, args, target, reader);
  const truncated = end.cut || total > matches.length;
  return { matches: { kind: 'matches', matches, files: paths.size, total, truncated }, end };
}

/** Null = nothing here is like it. */
async function nearestTo(
  pattern: string,
  linesWith: (any: string) => ReturnType<typeof findLines>,
  around: (line: string) => Promise<string>,
  walkFiles: (onFile: (path: string) => unknown) => Promise<unknown>,
): Promise<Pick<ToolResult, 'content' | 'bare' | 'display'> | null> {
  const isMeant = nameMatcher(pattern);
  const entries: string[] = [];
  await walkFiles((path) => isMeant(path) && entries.length < maxNear && entries.push(visibleName(path)));
  if (entries.length > 0) {
    const content = [`No line has ${pattern}. Files by that name:`, ...entries].join('\n');
    return { content, display: { kind: 'list', entries, total: entries.length, truncated: false } };
  }
  const any = anyWordOf(pattern);
  const { matches } = any === null ? { matches: null } : await linesWith(any);
  if (matches === null || matches.total === 0) return null;
  const { nearest, total, words } = nearestLines(pattern, matches.matches);
  const lines = nearest.map(({ path, line, text }) => `${visibleName(path)}:${String(line)}: ${text.trim()}`);
  const count = total === 1 ? '1 line has' : `${total.toLocaleString('en')} lines have`;
  const more = total > nearest.length ? `, the first ${String(nearest.length)}` : '';
  const content = [`No line has all of ${pattern}. ${count} ${words.join(', ')}${more}:`, ...lines].join(
    '\n',
  );
  const [only] = total === 1 ? nearest : [];
  const files = new Set(nearest.map(({ path }) => path)).size;
  return {
    content,
    ...(only && { bare: await around(only.text) }),
    display: { ...matches, matches: nearest, files, total: nearest.length, truncated: false },
  };
}

function describe(
  pattern: string,
  target: string,
  literal: boolean,
  { matches, total, truncated }: Matches,
  remarks: (advise: Advise) => readonly string[],
): FittedText {
  const remark = literal ? ' (not a regular expression: searched as plain text)' : '';
  if (total === 0) {
    const none = `Nothing in ${target} matches ${pattern}${remark}.`;
    return advised((advise) => [none, ...remarks(advise)].join('\n'));
  }
  const lines = matches.map(({ path, line, text }) => `${visibleName(path)}:${String(line)}: ${text.trim()}`);
  const first = literal ? [remark.trim()] : [];
  return fitWithWhole([...first, ...lines], (shown, advise) => [
    ...(truncated || shown - first.length < matches.length
      ? [`... of ${String(total)} lines.${advise(' Use a narrower pattern or a path.')}`]
      : []),
    ...remarks(advise),
  ]);
}
