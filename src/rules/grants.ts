/** What "for this session" allows: one tool in one folder, or one tool that touches no files. */
import type { Grant } from '../protocol/model.ts';
import type { Protection } from './protected-paths.ts';
import { isBeneath, namesBeneath, splitPath } from './path-names.ts';

/** What a call would touch. */
export interface Touched {
  /** Real path. */
  path: string;
  /** Real path of the folder that a grant for this call would be for. */
  folder: string;
  protection: Protection | null;
}

/** The grant that would cover this call and its like; null = there is none, it asks each time. */
export function grantFor(tool: string, touched: Touched | null): Grant | null {
  if (touched === null) return { tool, folder: null };
  return touched.protection === null ? { tool, folder: touched.folder } : null;
}

/**
 * Whether the person has allowed this call by allowing another. Real paths are compared to the letter: a second spelling
 * of a folder, on a disk that knows it by both, asks once more.
 */
export function isGranted(grants: readonly Grant[], tool: string, touched: Touched | null): boolean {
  if (touched !== null && touched.protection !== null) return false;
  return grants.some((grant) => {
    if (grant.tool !== tool) return false;
    if (touched === null || grant.folder === null) return touched === null && grant.folder === null;
    return isBeneath(grant.folder, touched.path);
  });
}

/** A folder as the person knows it: from the session's folder down, which itself goes by its own name. */
export function shownFolder(workspace: string, folder: string): string {
  const beneath = namesBeneath(workspace, folder);
  if (beneath === null) return folder;
  return `${beneath.length === 0 ? (splitPath(workspace).at(-1) ?? '') : beneath.join('/')}/`;
}
