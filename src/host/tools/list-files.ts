import { z } from 'zod';
import type { Files, FolderEntry } from '../../platform/files.ts';
import { defineTool } from './define-tool.ts';
import type { Tool } from './tool.ts';
import { locateFolder } from './workspace-path.ts';

const mostEntries = 200;

export function listFilesTool({ files }: { files: Files }): Tool {
  return defineTool({
    name: 'list_files',
    description: 'List the files and folders in one folder.',
    parameters: z.object({ path: z.string().optional().describe('Default: the workspace.') }),
    mutates: false,
    retrySafe: true,
    timeoutMs: 30_000,
    subject: ({ path }) => path ?? '.',
    need: ({ path = '.' }) => ({
      risk: 'read',
      summary: `List ${path}`,
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    check: async ({ path = '' }, { workspace }) => {
      await locateFolder(files, workspace, path);
      return null;
    },
    async execute({ path = '' }, { workspace }) {
      const place = await locateFolder(files, workspace, path);
      const all = (await files.readFolder(place.path)).toSorted(foldersFirst).map(describe);
      const entries = all.slice(0, mostEntries);
      const truncated = all.length > entries.length;
      const more = truncated
        ? [`... and ${String(all.length - entries.length)} more. Use glob to find names.`]
        : [];
      return {
        ok: true,
        content: all.length === 0 ? `${place.shown} is empty.` : [...entries, ...more].join('\n'),
        display: { kind: 'list', entries, total: all.length, truncated },
      };
    },
  });
}

const rank = ({ kind }: FolderEntry): number => (kind === 'folder' ? 0 : 1);

const foldersFirst = (a: FolderEntry, b: FolderEntry): number =>
  rank(a) - rank(b) || (a.name < b.name ? -1 : 1);

function describe({ name, kind }: FolderEntry): string {
  if (kind === 'folder') return `${name}/`;
  return kind === 'link' ? `${name} (link)` : name;
}
