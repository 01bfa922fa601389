import { posix } from 'node:path';
import { z } from 'zod';
import type { Files } from '../../platform/files.ts';
import { defineTool } from './define-tool.ts';
import type { RipgrepDeps } from './ripgrep.ts';
import { runRipgrep, withoutDot } from './ripgrep.ts';
import type { Tool } from './tool.ts';
import { ToolFailure } from './tool.ts';
import { locateFolder } from './workspace-path.ts';

const mostPaths = 200;

export function globTool(deps: RipgrepDeps & { files: Files }): Tool {
  return defineTool({
    name: 'glob',
    description: 'Find files by name in all folders. Gives their paths.',
    parameters: z.object({ pattern: z.string().min(1).describe('Such as *.ts or src/**/*.md') }),
    mutates: false,
    retrySafe: true,
    timeoutMs: 30_000,
    subject: ({ pattern }) => pattern,
    need: ({ pattern }) => ({
      risk: 'read',
      summary: `Find files named ${pattern}`,
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    async execute({ pattern }, context) {
      await locateFolder(deps.files, context.workspace, '.');
      const matches = matcher(pattern);
      const entries: string[] = [];
      let total = 0;
      // Matched here and not by ripgrep, whose own globs would bring ignored files back in.
      const end = await runRipgrep(deps, context, ['--files'], '.', (line) => {
        const path = withoutDot(line);
        if (!matches(path)) return;
        total++;
        if (entries.length < mostPaths) entries.push(path);
      });
      if (end.exitCode === 2 && total === 0) throw new ToolFailure(end.errors.trim());
      const truncated = end.cut || total > entries.length;
      const more = truncated ? [`... of ${String(total)} files. Use a narrower pattern.`] : [];
      return {
        ok: true,
        content: total === 0 ? `No file matches ${pattern}.` : [...entries, ...more].join('\n'),
        display: { kind: 'list', entries, total, truncated },
      };
    },
  });
}

/** A pattern without `/` names files in any folder, as people mean it. */
function matcher(pattern: string): (path: string) => boolean {
  const plain = pattern.replace(/^(\.?\/)+/, '');
  const anywhere = plain.includes('/') ? plain : `**/${plain}`;
  return (path) => posix.matchesGlob(path, anywhere);
}
