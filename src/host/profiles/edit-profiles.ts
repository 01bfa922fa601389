/** What a person changes of profiles through the window. One at a time: the caller sees to that. */
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Profile, ProfileFile, ProfileFiles, ProfileProblem, PromptName } from '../../protocol/model.ts';
import {
  loadProfile,
  maxFileBytes,
  parseProfile,
  ProfileError,
  profileFileName,
  promptFileNames,
  readProfileJson,
  readPrompt,
  readText,
  type ProfileRules,
} from './load-profile.ts';
import { freeId, profileFolders, type NamedText, type ProfileFolders } from './profile-folders.ts';

export interface EditDeps extends ProfileRules {
  builtInDir: string;
  userDir: string;
  files: Files;
  clock: Clock;
  state: () => { profiles: Profile[]; problems: ProfileProblem[]; persona: string };
  /** Resolves when what stands on the disk is in force. */
  reload: () => Promise<void>;
}

interface PromptChange {
  prompt: PromptName;
  text: string;
  /** The text that was changed; null = whatever the file says. */
  expected: string | null;
}

/** Of a profile from nothing: enough to answer with, nothing that changes anything. */
const firstPrompt = 'You answer questions about what is in this folder.';
const firstTools = ['read_file', 'list_files', 'glob', 'search'];

export class ProfileEdits {
  readonly #deps: EditDeps;
  readonly #files: Files;
  readonly #folders: ProfileFolders;

  constructor(deps: EditDeps) {
    this.#deps = deps;
    this.#files = deps.files;
    this.#folders = profileFolders(deps.files, deps.userDir);
  }

  /**
   * Writes into the person's folder; a built-in profile is copied there first. A key that is undefined or at its
   * default is left out of the file. Throws AndironError `not_found` or `profile_invalid`. `takesBack`: it undoes the
   * change that made the copy of a built-in profile, so a copy that says no more than that one is moved aside.
   */
  async update(id: string, changes: Partial<ProfileFile>, takesBack = false): Promise<Profile> {
    const current = this.#writable(id);
    const json = await this.#changedJson(this.#sourceOf(current), changes);
    await this.#folders.write(id, [...(current.builtIn ? textsOf(current) : []), json]);
    if (takesBack && (await this.#isPlainCopy(id))) await this.#folders.setAside(id, this.#deps.clock.now());
    await this.#deps.reload();
    return this.#find(id) ?? current;
  }

  /** In a folder named after it; with the files of another, or with next to nothing. */
  async create(name: string, from: string | null): Promise<Profile> {
    const source = from === null ? null : this.#find(from);
    if (source === undefined) throw missing(from ?? '');
    const contents = source
      ? [...textsOf(source), await this.#changedJson(this.#sourceOf(source), { name })]
      : firstContents(name, this.#deps.toolNames);
    const id = await freeId(
      name,
      async (candidate) => (await this.#isBuiltIn(candidate)) || this.#folders.has(candidate),
    );
    await this.#folders.write(id, contents);
    await this.#deps.reload();
    const created = this.#find(id);
    if (created) return created;
    const problem = this.#problemOf(id);
    throw new AndironError(
      'profile_invalid',
      problem?.message ?? 'The new profile cannot be read.',
      problem ? `Correct it in ${problem.path}, or delete it there.` : 'Try it under another name.',
    );
  }

  /** Moves the person's folder aside; `remaining` is the built-in profile of the same name. */
  async remove(id: string): Promise<{ restoreId: string; remaining: Profile | null }> {
    this.#known(id);
    if (!(await this.#folders.has(id))) {
      const message = `${this.#find(id)?.name ?? id} is built in, so it cannot be deleted.`;
      throw new AndironError('profile_invalid', message, 'Make a copy of it and change that.');
    }
    const restoreId = await this.#folders.setAside(id, this.#deps.clock.now());
    await this.#deps.reload();
    return { restoreId, remaining: this.#find(id) ?? null };
  }

  /** Returns the id of what is back. */
  async restore(restoreId: string): Promise<string> {
    const id = await this.#folders.bringBack(restoreId);
    await this.#deps.reload();
    return id;
  }

  async files(id: string): Promise<ProfileFiles> {
    this.#known(id);
    const own = await this.#folders.has(id);
    const folder = join(own ? this.#deps.userDir : this.#deps.builtInDir, id);
    return {
      folder,
      replaces: own ? await this.#builtInOne(id) : null,
      json: await readText(this.#files, folder, profileFileName).catch(() => null),
      commonPersona: this.#deps.state().persona,
    };
  }

  /** `conflict`: the file says this, which is neither the new text nor the one that was changed; nothing was written. */
  async writePrompt(
    id: string,
    { prompt, text: typed, expected }: PromptChange,
  ): Promise<{ profile: Profile; conflict: string | null }> {
    const current = this.#writable(id);
    const text = typed.trim();
    refuseUnreadable(prompt, text);
    const there = await inWords(this.#sourceOf(current), () =>
      readPrompt(this.#files, this.#sourceOf(current), prompt),
    );
    if (there === text) return { profile: current, conflict: null };
    if (expected !== null && there !== expected.trim()) return { profile: current, conflict: there };
    const copied = current.builtIn
      ? [...textsOf(current), await this.#changedJson(this.#sourceOf(current), {})]
      : [];
    const name = promptFileNames[prompt];
    // A copy is whole at once: what is not a profile yet would be told as a broken one.
    await this.#folders.write(id, [[name, `${text}\n`], ...copied.filter(([other]) => other !== name)]);
    await this.#deps.reload();
    return { profile: this.#find(id) ?? current, conflict: null };
  }

  #find(id: string): Profile | undefined {
    return this.#deps.state().profiles.find((profile) => profile.id === id);
  }

  #problemOf(id: string): ProfileProblem | undefined {
    return this.#deps.state().problems.find((problem) => problem.id === id);
  }

  #sourceOf({ id, builtIn }: Profile): string {
    return join(builtIn ? this.#deps.builtInDir : this.#deps.userDir, id);
  }

  /** Throws where a folder of the person's is unreadable behind a built-in profile: writing would destroy it. */
  #writable(id: string): Profile {
    const profile = this.#find(id);
    if (!profile) throw missing(id);
    const problem = this.#problemOf(id);
    if (profile.builtIn && problem) {
      throw new AndironError('profile_invalid', problem.message, `Correct it in ${problem.path} first.`);
    }
    return profile;
  }

  /** Names from a window are paths only once they are known. */
  #known(id: string): void {
    if (!this.#find(id) && !this.#problemOf(id)) throw missing(id);
  }

  async #isBuiltIn(id: string): Promise<boolean> {
    return (await this.#files.stat(join(this.#deps.builtInDir, id)))?.kind === 'folder';
  }

  async #builtInOne(id: string): Promise<Profile | null> {
    const folder = { id, path: join(this.#deps.builtInDir, id), builtIn: true };
    const loaded = (await this.#isBuiltIn(id)) && (await loadProfile(this.#files, folder, this.#deps));
    return loaded && loaded.ok ? loaded.profile : null;
  }

  async #changedJson(folder: string, changes: Partial<ProfileFile>): Promise<NamedText> {
    return inWords(folder, async () => {
      const next: Record<string, unknown> = {
        ...(await readProfileJson(this.#files, folder)),
        ...changes,
      };
      parseProfile(next, this.#deps);
      for (const key of Object.keys(changes)) if (isDefault(key, next[key], this.#deps)) delete next[key];
      return [profileFileName, `${JSON.stringify(next, null, 2)}\n`];
    });
  }

  /** Whether the person's folder holds what was copied there and says just what the built-in profile says. */
  async #isPlainCopy(id: string): Promise<boolean> {
    const original = await this.#builtInOne(id);
    const folder = { id, path: join(this.#deps.userDir, id), builtIn: true };
    if (!original || (await this.#files.lstat(folder.path))?.kind !== 'folder') return false;
    const copy = await loadProfile(this.#files, folder, this.#deps);
    if (!copy.ok || JSON.stringify(copy.profile) !== JSON.stringify(original)) return false;
    const ours = new Set([profileFileName, ...Object.values(promptFileNames)]);
    return (await this.#files.readFolder(folder.path)).every(({ name }) => ours.has(name));
  }
}

const missing = (id: string): AndironError =>
  new AndironError('not_found', `There is no profile "${id.slice(0, 80)}".`, 'Choose another profile.');

/** What a person wrote into the folder is told as it is, with where to correct it. */
async function inWords<T>(folder: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    throw new AndironError('profile_invalid', error.message, `Correct it in ${folder}.`);
  }
}

/** Refuses what the next reading of the folder would refuse. */
function refuseUnreadable(prompt: PromptName, text: string): void {
  const name = promptFileNames[prompt];
  if (prompt === 'system' && text === '') {
    throw new AndironError(
      'profile_invalid',
      'A profile needs a prompt.',
      `Write at least a line into ${name}.`,
    );
  }
  if (Buffer.byteLength(text) >= maxFileBytes) {
    const most = `${String(maxFileBytes / 1024)} kB`;
    throw new AndironError('profile_invalid', `${name} would be larger than ${most}.`, 'Shorten it.');
  }
}

/** The texts of a profile as files; none for those that it does not have. */
function textsOf({ systemPrompt, subagentPrompt, persona }: Profile): NamedText[] {
  const texts: [PromptName, string][] = [
    ['system', systemPrompt],
    ['subagent', subagentPrompt],
    ['persona', persona],
  ];
  return texts
    .filter(([, text]) => text !== '')
    .map(([prompt, text]) => [promptFileNames[prompt], `${text}\n`]);
}

function firstContents(name: string, toolNames: ReadonlySet<string>): NamedText[] {
  const file = { name, tools: firstTools.filter((tool) => toolNames.has(tool)) };
  return [
    [promptFileNames.system, `${firstPrompt}\n`],
    [profileFileName, `${JSON.stringify(file, null, 2)}\n`],
  ];
}

function isDefault(key: string, value: unknown, rules: ProfileRules): boolean {
  const defaults: Partial<Record<string, unknown>> = parseProfile({ name: 'any', tools: [] }, rules);
  const required = key === 'name' || key === 'tools';
  return !required && JSON.stringify(value) === JSON.stringify(defaults[key]);
}
