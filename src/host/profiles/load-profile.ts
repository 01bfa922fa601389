/** One profile folder: `profile.json` (flags, tools, limits) and its texts. Written by people, so it may be wrong. */
import { join } from 'node:path';
import type { z } from 'zod';
import type { ReadableFiles } from '../../platform/files.ts';
import { parseJson } from '../../protocol/json.ts';
import type { Profile, ProfileFile, ProfileProblem, PromptName } from '../../protocol/model.ts';
import { profileFileSchema } from '../../protocol/model.ts';
import type { ProfileDefaults } from './environment-defaults.ts';

export const profileFileName = 'profile.json';
/** All but the first may be missing (A5). */
export const promptFileNames: Record<PromptName, string> = {
  system: 'system.md',
  subagent: 'subagent.md',
  persona: 'persona.md',
};

export const maxFileBytes = 256 * 1024;
const idPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

export type LoadedProfile = { ok: true; profile: Profile } | { ok: false; problem: ProfileProblem };

export interface ProfileFolder {
  id: string;
  path: string;
  builtIn: boolean;
}

/** What a profile is read with, beside its own files. */
export interface ProfileRules {
  toolNames: ReadonlySet<string>;
  /** In place of the defaults of the schema; left out = none of them is replaced. */
  defaults?: ProfileDefaults | undefined;
}

/** Thrown with a text that names the file, the key and what is expected there. */
export class ProfileError extends Error {}

/** Never throws for what a person wrote into the folder. */
export async function loadProfile(
  files: ReadableFiles,
  folder: ProfileFolder,
  rules: ProfileRules,
): Promise<LoadedProfile> {
  const { id, path, builtIn } = folder;
  try {
    if (!idPattern.test(id)) {
      throw new ProfileError(
        'folder name: expected letters, digits, "-" and "_" (at most 64), a letter or digit first',
      );
    }
    const file = parseProfile(await readProfileJson(files, path), rules);
    const systemPrompt = (await readText(files, path, promptFileNames.system)).trim();
    if (systemPrompt === '')
      throw new ProfileError(`${promptFileNames.system}: expected the prompt of the profile, found nothing`);
    const subagentPrompt = await readPrompt(files, path, 'subagent');
    const persona = await readPrompt(files, path, 'persona');
    return { ok: true, profile: { ...file, id, builtIn, systemPrompt, subagentPrompt, persona } };
  } catch (error) {
    return {
      ok: false,
      problem: { id, path, message: error instanceof Error ? error.message : String(error) },
    };
  }
}

/** `profile.json` as it stands, defaults not filled in. */
export async function readProfileJson(
  files: ReadableFiles,
  folder: string,
): Promise<Record<string, unknown>> {
  const text = await readText(files, folder, profileFileName);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new ProfileError(
      `${profileFileName}: not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProfileError(`${profileFileName}: expected an object { … }`);
  }
  return { ...value };
}

export function parseProfile(
  value: Record<string, unknown>,
  { toolNames, defaults }: ProfileRules,
): ProfileFile {
  const parsed = profileFileSchema.safeParse({ ...defaults, ...value });
  if (!parsed.success) throw new ProfileError(parsed.error.issues.map(describeIssue).join('\n'));
  for (const key of ['tools', 'subagentTools'] as const) {
    const unknown = parsed.data[key].find((name) => !toolNames.has(name));
    if (unknown === undefined) continue;
    throw new ProfileError(
      `${profileFileName}: "${key}": there is no tool "${unknown}"; expected some of ${[...toolNames].join(', ')}`,
    );
  }
  return parsed.data;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(profileFileSchema.shape).join(', ');
    return `${profileFileName}: unknown key "${issue.keys.join('", "')}"; expected some of ${known}`;
  }
  return `${profileFileName}: "${issue.path.join('.')}": ${issue.message}`;
}

/** Empty where there is none. */
export async function readPrompt(files: ReadableFiles, folder: string, prompt: PromptName): Promise<string> {
  const name = promptFileNames[prompt];
  const there = (await files.realPath(join(folder, name))) !== null;
  return there ? (await readText(files, folder, name)).trim() : '';
}

export async function readText(files: ReadableFiles, folder: string, name: string): Promise<string> {
  const real = await files.realPath(join(folder, name));
  if (real === null) throw new ProfileError(`${name}: the file is missing`);
  return Buffer.from(await files.readBytes(real, maxFileBytes))
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}
