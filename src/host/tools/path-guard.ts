/**
 * What file tools may open unasked. A place is judged twice: before anybody is asked, and again when the tool executes,
 * where it has to be what was asked about.
 */
import { dirname, join } from 'node:path';
import type { Files } from '../../platform/files.ts';
import type { Touched } from '../../rules/grants.ts';
import { isBeneath } from '../../rules/path-names.ts';
import {
  isRepository,
  protectionOf,
  repositoryNames,
  type Access,
  type ProtectedRoots,
  type Protection,
} from '../../rules/protected-paths.ts';
import { ToolFailure, type ToolContext } from './tool.ts';
import type { Place } from './workspace-path.ts';

type Session = Pick<ToolContext, 'workspace' | 'attached' | 'allowed'>;

export type PathGuard = ReturnType<typeof createPathGuard>;

export function createPathGuard(files: Pick<Files, 'lstat'>, roots: ProtectedRoots) {
  const protectionAt = async (
    place: Place,
    workspace: string,
    access: Access,
  ): Promise<Protection | null> => {
    const { path, stat } = place;
    const isFile = stat?.kind === 'file';
    return protectionOf(
      {
        path,
        workspace,
        isExecutable: isFile && (stat.mode & 0o111) !== 0,
        isLinked: isFile && stat.links > 1,
        repository: access === 'write' ? await repositoryAbove(files, path, workspace) : null,
      },
      access,
      roots,
    );
  };

  const judge = async (
    place: Place,
    { workspace, attached = [] }: Session,
    access: Access,
  ): Promise<Touched> => {
    const { path, shown, stat } = place;
    const isGiven = access === 'read' && attached.some((given) => isBeneath(given, path));
    const protection = isGiven ? null : await protectionAt(place, workspace, access);
    if (protection?.kind === 'closed') throw closed(shown, protection.what);
    return { path, folder: stat?.kind === 'folder' ? path : dirname(path), protection };
  };

  const walked = (path: string, workspace: string): Protection | null =>
    protectionOf({ path, workspace }, 'read', roots);

  return {
    /**
     * Throws ToolFailure for what is closed to every tool. An attached file may be read wherever it lies, and a file of a
     * loaded skill: the person gave it for that, and for nothing else.
     */
    judge,
    /** The same when the tool executes: throws as well where this is not what was allowed. */
    async enter(place: Place, session: Session, access: Access): Promise<void> {
      const now = await judge(place, session, access);
      if (!isSame(now, session.allowed ?? null)) {
        throw new ToolFailure(
          `${place.shown} is no longer what was allowed: something changed it meanwhile.`,
          { advice: 'Make the call again, and the person is asked again where that is needed.' },
        );
      }
    },
    /** For walks through folders: a place that is opened only when a call names it. The path is real. */
    isLeftOut: (path: string, workspace: string): boolean => walked(path, workspace) !== null,
    /** The same beneath a place that was asked about: only what is closed to every tool. */
    isClosed: (path: string, workspace: string): boolean => walked(path, workspace)?.kind === 'closed',
  };
}

function isSame(now: Touched, allowed: Touched | null): boolean {
  if (allowed === null || allowed.path !== now.path) return false;
  if (now.protection === null) return true;
  if (now.protection.kind !== allowed.protection?.kind) return false;
  // A program may be one in another way now: the person has seen its name. What was one only by supposition must stay so.
  return allowed.protection.what !== 'kind' || now.protection.what === 'kind';
}

/** The nearest folder from the file up that git takes for a repository without `.git`, once the file is written. */
async function repositoryAbove(
  files: Pick<Files, 'lstat'>,
  path: string,
  workspace: string,
): Promise<string | null> {
  let below = path;
  for (let folder = dirname(path); isBeneath(workspace, folder); folder = dirname(folder)) {
    const there = await Promise.all(
      repositoryNames.map(async (name) => {
        const entry = join(folder, name);
        return entry === below || (await files.lstat(entry)) !== null ? [name] : [];
      }),
    );
    if (isRepository(there.flat())) return folder;
    if (folder === dirname(folder)) break;
    below = folder;
  }
  return null;
}

function closed(shown: string, what: 'data' | 'git'): ToolFailure {
  return what === 'git'
    ? new ToolFailure(`${shown} belongs to Git.`, { advice: 'Use git commands to look at it or change it.' })
    : new ToolFailure(`${shown} belongs to Andiron itself, and no tool may open it.`, {
        advice: 'Ask the person to look at it or change it in the settings.',
      });
}
