import { z } from 'zod';
import type { Files, FolderEntry } from '../../platform/files.ts';
import type { Advise } from './advice.ts';
import { defineTool } from './define-tool.ts';
import { fitWithWhole, type Tool } from './tool.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import type { PathGuard } from './path-guard.ts';
import { folderAt, locate, locateFolder } from './workspace-path.ts';

const maxEntries = 200;

export function listFilesTool({ files, guard }: { files: Files; guard: PathGuard }): Tool {
  return defineTool({
    name: 'list_files',
    description: 'List the files and folders in one folder.',
    parameters: z.object({ path: z.string().optional() }),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'workspace',
    timeoutMs: 30_000,
    subject: ({ path }) => path ?? '.',
    need: ({ path = '.' }) => ({
      summary: `List ${path}`,
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    check: async ({ path = '' }, context) => {
      const place = await locate(files, context.workspace, path);
      const touched = await guard.judge(place, context, 'read');
      await folderAt(files, place);
      return { touched };
    },
    async execute({ path = '' }, context) {
      const { workspace } = context;
      const found = await locate(files, workspace, path);
      await guard.enter(found, context, 'read');
      const place = await folderAt(files, found);
      const all = (await files.readRealFolder(place.path)).toSorted(foldersFirst);
      // What was put in its place meanwhile may lead elsewhere.
      await locateFolder(files, workspace, path);
      const entries = all.slice(0, maxEntries).map(describe);
      const truncated = all.length > entries.length;
      const more = (shown: number, advise: Advise): string[] =>
        all.length > shown
          ? [`... and ${String(all.length - shown)} more.${advise(' Use glob to find names.')}`]
          : [];
      return {
        ok: true,
        ...(all.length === 0
          ? { content: `${place.shown} is empty.` }
          : fitWithWhole(entries, more, all.map(describe))),
        display: { kind: 'list', entries, total: all.length, truncated },
      };
    },
  });
}

const rank = ({ kind }: FolderEntry): number => (kind === 'folder' ? 0 : 1);

const foldersFirst = (a: FolderEntry, b: FolderEntry): number =>
  rank(a) - rank(b) || (a.name < b.name ? -1 : 1);

function describe({ name, kind }: FolderEntry): string {
  const shown = visibleName(name);
  if (kind === 'folder') return `${shown}/`;
  return kind === 'link' ? `${shown} (link)` : shown;
}
