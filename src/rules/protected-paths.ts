/**
 * What no grant and no mode covers. `closed` places are refused to every tool. `private` places ask each time, reading
 * too. Files that programs run (`program`) ask each time that one is written; what is of no ordinary kind counts as one.
 *
 * Names are judged with their real path. Links are the caller's to resolve, and so are the facts that no name tells.
 */
import { foldPath, namesBeneath, splitPath } from './path-names.ts';
import { hiddenInHome, privatePlace, type PrivateKind } from './private-places.ts';
import { programFile } from './program-files.ts';

export type Protection =
  | { kind: 'closed'; what: 'data' | 'git' }
  | { kind: 'private'; what: PrivateKind; name: string }
  | { kind: 'program'; what: 'name' | 'kind' | 'executable' | 'repository' | 'linked'; name: string };

export type Access = 'read' | 'write';

export interface PathFacts {
  /** Real and absolute. */
  path: string;
  /** Real path of the session's folder: names above it are the person's choice and not judged as hidden. */
  workspace: string;
  /** Someone may run it: the executable bit of what is there. */
  isExecutable?: boolean;
  /** The same file is found under another name too. */
  isLinked?: boolean;
  /** Real path of a folder, the file's own or one above it, that git takes for a repository, now or with this file. */
  repository?: string | null;
}

export interface ProtectedRoots {
  /** Andiron's data folder: hosts, profiles, database, keys. Every spelling it is known by. */
  dataDirs: readonly string[];
  /** Folders inside it in which sessions work, such as the demo's. */
  workspaces: readonly string[];
  /** The person's home folder, in every spelling; homes in the usual places are known without. */
  homeDirs: readonly string[];
}

/** The strongest that holds; null = an ordinary path, which a grant may cover. */
export function protectionOf(facts: PathFacts, access: Access, roots: ProtectedRoots): Protection | null {
  const { path, workspace } = facts;
  const folded = foldPath(path);
  if (isWithin(roots.dataDirs, folded) && !isWithin(roots.workspaces, folded))
    return { kind: 'closed', what: 'data' };
  if (folded.includes('/.git/') || /\/git~\d+\//.test(folded)) return { kind: 'closed', what: 'git' };
  const place = privatePlace(path);
  if (place) return { kind: 'private', ...place };
  const hidden = isWithin(roots.workspaces, folded) ? null : hiddenInHome(path, workspace, roots.homeDirs);
  if (hidden !== null) return { kind: 'private', what: 'hidden', name: hidden };
  if (access === 'read') return null;
  const parts = splitPath(path);
  const name = parts.at(-1) ?? path;
  const found = programFile({
    beneath: namesBeneath(workspace, path) ?? parts,
    whole: parts,
    isOwn: isWithin(roots.workspaces, folded),
  });
  if (found?.what === 'name') return { kind: 'program', ...found };
  if (facts.repository) {
    return { kind: 'program', what: 'repository', name: splitPath(facts.repository).at(-1) ?? '/' };
  }
  if (facts.isExecutable) return { kind: 'program', what: 'executable', name };
  if (facts.isLinked) return { kind: 'program', what: 'linked', name };
  return found && { kind: 'program', ...found };
}

const isWithin = (roots: readonly string[], folded: string): boolean =>
  roots.some((root) => folded.startsWith(foldPath(root)));

/** Names in a folder by which git takes it for a repository; the file that is written counts as there. */
export const repositoryNames = ['HEAD', 'config', 'objects', 'refs', 'commondir'] as const;

/** A repository, or one name short of it: `HEAD` comes with settings or with what they are read beside. */
export function isRepository(names: readonly string[]): boolean {
  const there = new Set(names.map((name) => name.toLowerCase()));
  const [head, ...beside] = repositoryNames;
  return there.has(head.toLowerCase()) && beside.some((name) => there.has(name));
}
