import { join } from 'node:path';
import { z } from 'zod';
import type { Files } from '../../platform/files.ts';
import { advised, type Advise } from './advice.ts';
import { defineTool } from './define-tool.ts';
import { globMatcher } from './glob-pattern.ts';
import type { PathGuard } from './path-guard.ts';
import type { RipgrepDeps } from './ripgrep.ts';
import {
  createEntryReader,
  failedSearch,
  leftOutWords,
  runRipgrep,
  unreadable,
  withoutDot,
} from './ripgrep.ts';
import { findLines } from './search.ts';
import { fitWithWhole, type Tool, type ToolContext, type ToolResult } from './tool.ts';
import { plainSpelling } from '../../rules/path-names.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import { locateFolder } from './workspace-path.ts';

const maxPaths = 200;
const maxLines = 10;
const maxPatternLength = 1_000;

export function globTool(deps: RipgrepDeps & { files: Files; guard: PathGuard }): Tool {
  /** A word that is in no name may stand in a file: small models mix them up. */
  async function linesWith(word: string, context: ToolContext): Promise<ToolResult | null> {
    const isOver = (path: string): boolean =>
      deps.guard.isLeftOut(join(context.workspace, path), context.workspace);
    const more = ['--no-mmap', '--max-filesize=1M', '--fixed-strings'];
    const { matches } = await findLines(deps, context, word, '.', more, isOver);
    if (matches.total === 0) return null;
    const lines = matches.matches.slice(0, maxLines);
    const shown = lines.map(({ path, line, text }) => `${visibleName(path)}:${String(line)}: ${text.trim()}`);
    const content = [`No file has ${word} in its name. Lines with it:`, ...shown].join('\n');
    return { ok: true, content, display: { ...matches, matches: lines } };
  }

  return defineTool({
    name: 'glob',
    description: 'Find files by name in all folders.',
    parameters: z.object({
      pattern: z.string().min(1).max(maxPatternLength).describe('Such as *.ts or src/**/*.md'),
    }),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'workspace',
    timeoutMs: 30_000,
    subject: ({ pattern }) => pattern,
    need: ({ pattern }) => ({
      summary: `Find files named ${pattern}`,
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    async check(_args, context) {
      const place = await locateFolder(deps.files, context.workspace, '.');
      return { touched: await deps.guard.judge(place, context, 'read') };
    },
    async execute({ pattern }, context) {
      const { workspace } = context;
      await deps.guard.enter(await locateFolder(deps.files, workspace, '.'), context, 'read');
      const matches = matcher(pattern);
      const entries: string[] = [];
      let total = 0;
      let leftOut = 0;
      // Matched here and not by ripgrep, whose own globs would bring ignored files back in.
      const onPath = (printed: string): void => {
        const path = withoutDot(printed);
        if (deps.guard.isLeftOut(join(workspace, path), workspace)) leftOut++;
        else if (matches(path)) found(path);
      };
      const found = (path: string): void => {
        total++;
        if (entries.length < maxPaths) entries.push(visibleName(path));
      };
      const end = await runRipgrep(deps, context, ['--files', '--null'], '.', createEntryReader(onPath));
      // What was put in its place meanwhile may lead elsewhere.
      await locateFolder(deps.files, workspace, '.');
      if (end.exitCode === 2 && total === 0) throw failedSearch(end);
      const name = pattern.slice(pattern.lastIndexOf('/') + 1);
      if (total === 0 && name !== '' && !isShellPattern(pattern)) {
        const near = await linesWith(name, context);
        if (near) return near;
      }
      const truncated = end.cut || total > entries.length;
      const remarks = (advise: Advise): string[] => [...leftOutWords(leftOut, advise), ...unreadable(end)];
      const none = (advise: Advise): string => [`No file matches ${pattern}.`, ...remarks(advise)].join('\n');
      const more = (shown: number, advise: Advise): string[] => [
        ...(truncated || shown < total
          ? [`... of ${String(total)} files.${advise(' Use a narrower pattern.')}`]
          : []),
        ...remarks(advise),
      ];
      return {
        ok: true,
        ...(total === 0 ? advised(none) : fitWithWhole(entries, more)),
        display: { kind: 'list', entries, total, truncated },
      };
    },
  });
}

const isShellPattern = (pattern: string): boolean => /[*?[\]{}]/.test(pattern);

/** A pattern without `/` names files in any folder, as people mean it, and a folder all that lies in it. */
function matcher(pattern: string): (path: string) => boolean {
  const inside = pattern.replace(/^(\.?\/)+/, '').replace(/\/$/, '/**');
  const plain = inside === '' || inside === '.' ? '**' : inside;
  const anywhere = plain.includes('/') ? plain : `**/${plain}`;
  const matches = globMatcher(plainSpelling(anywhere));
  return (path) => matches(plainSpelling(path));
}
