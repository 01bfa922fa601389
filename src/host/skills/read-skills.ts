/** Finds skills in the folders that may hold some, and tells each by the hash of all that is in its folder. */
import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';
import type { ReadableFiles } from '../../platform/files.ts';
import type { SkillPlace } from '../../protocol/skill-methods.ts';
import { isBeneath } from '../../rules/path-names.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import type { SkillText } from './skill-file.ts';

export interface SkillRoot {
  place: SkillPlace;
  /** Holds a folder for each skill. */
  path: string;
  /** What no skill may lead out of; absent = the root itself. A real path. */
  within?: string;
}

export interface FoundSkill {
  place: SkillPlace;
  /** Real path of its folder. */
  folder: string;
  /** Of the folder, with nothing hidden in it. */
  name: string;
  /** `hash`: SHA-256 of every name and byte in its folder; `files`: relative to it, without SKILL.md. */
  read: { skill: SkillText; hash: string; files: string[] } | { problem: string };
}

type Files = Pick<ReadableFiles, 'realPath' | 'lstat' | 'readRealFolder' | 'readBytes'>;

const maxSkills = 200;
const maxFiles = 1_000;
const maxSkillBytes = 256 * 1024;
const maxFolderBytes = 16 * 1024 * 1024;
const maxDepth = 8;

/** In the order of the roots, then by name; a folder that several roots lead to comes once. Never rejects. */
export async function readSkills(files: Files, roots: readonly SkillRoot[]): Promise<FoundSkill[]> {
  const found = new Map<string, FoundSkill>();
  for (const root of roots)
    for (const skill of await skillsIn(files, root).catch(() => []))
      if (!found.has(skill.folder)) found.set(skill.folder, skill);
  return [...found.values()];
}

async function skillsIn(files: Files, { place, path, within }: SkillRoot): Promise<FoundSkill[]> {
  const root = await files.realPath(path);
  if (root === null || (within !== undefined && !isBeneath(within, root))) return [];
  const entries = await files.readRealFolder(root);
  const names = entries
    .filter(({ name, kind }) => (kind === 'folder' || kind === 'link') && !name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted()
    .slice(0, maxSkills);
  const skills: FoundSkill[] = [];
  for (const name of names) {
    const folder = await files.realPath(join(root, name)).catch(() => null);
    if (folder === null) continue;
    const shown = visibleName(name);
    const read = isBeneath(within ?? root, folder)
      ? await readSkill(files, folder, name)
      : { problem: 'its folder is a link that leads elsewhere' };
    if (read) skills.push({ place, folder, name: shown, read });
  }
  return skills;
}

/** null = the folder holds no skill. Never rejects. */
async function readSkill(files: Files, folder: string, name: string): Promise<FoundSkill['read'] | null> {
  try {
    if ((await files.lstat(join(folder, 'SKILL.md'))) === null) return null;
    const { hash, paths, text } = await readFolder(files, folder);
    // It brings a parser with it that is an eighth of the host's code.
    const { readSkillFile } = await import('./skill-file.ts');
    const read = readSkillFile(text, name);
    return 'problem' in read ? read : { ...read, hash, files: paths };
  } catch (error) {
    return { problem: error instanceof Unreadable ? error.message : 'its folder can’t be read' };
  }
}

class Unreadable extends Error {}

interface Walk {
  hash: Hash;
  paths: string[];
  bytes: number;
  text: string;
}

/** What is hashed is what is read: the text is of the same pass. */
async function readFolder(
  files: Files,
  folder: string,
): Promise<{ hash: string; paths: string[]; text: string }> {
  const walk: Walk = { hash: createHash('sha256'), paths: [], bytes: 0, text: '' };
  await addFolder(files, folder, '', 0, walk);
  return { hash: walk.hash.digest('hex'), paths: walk.paths, text: walk.text };
}

async function addFolder(
  files: Files,
  folder: string,
  inside: string,
  depth: number,
  walk: Walk,
): Promise<void> {
  if (depth > maxDepth) throw new Unreadable('its folders are nested too deeply');
  const entries = await files.readRealFolder(folder);
  for (const { name, kind } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = inside === '' ? name : `${inside}/${name}`;
    if (kind === 'folder') await addFolder(files, join(folder, name), path, depth + 1, walk);
    else if (kind === 'file') await addFile(files, join(folder, name), path, walk);
    else throw new Unreadable(`its folder holds a link (${visibleName(path)})`);
  }
}

async function addFile(files: Files, file: string, path: string, walk: Walk): Promise<void> {
  const isText = path === 'SKILL.md';
  const left = maxFolderBytes - walk.bytes;
  const size = (await files.lstat(file))?.size ?? 0;
  if (isText && size > maxSkillBytes) throw new Unreadable('SKILL.md is too large');
  if (walk.paths.length >= maxFiles || size > left) throw new Unreadable('its folder is too large to check');
  const content = await files.readBytes(file, isText ? maxSkillBytes : left);
  // No name holds a line break of ours: the length stands before it.
  walk.hash.update(`${String(path.length)}:${path}:${String(content.length)}:`).update(content);
  walk.bytes += content.length;
  if (isText) walk.text = new TextDecoder().decode(content);
  else walk.paths.push(path);
}
