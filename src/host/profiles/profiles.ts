/**
 * All profiles: built-in ones from the app, the person's own from their folder, where a folder of the same name
 * replaces a built-in one. The folder is watched, so an edited file is in force without a restart (design 1, 5.1).
 */
import { join } from 'node:path';
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import type { Log } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Profile, ProfileFile, ProfileProblem } from '../../protocol/model.ts';
import type { LoadedProfile, ProfileFolder } from './load-profile.ts';
import {
  loadProfile,
  parseProfile,
  ProfileError,
  profileFileName,
  promptFileName,
  subagentFileName,
  readProfileJson,
} from './load-profile.ts';

const personaFileName = 'persona.md';
const maxPersonaBytes = 64 * 1024;
/** Editors write a file in several steps; the last one counts. */
const settleMs = 150;

export interface ProfilesDeps {
  /** `resources/profiles`, read only. */
  builtInDir: string;
  /** Made when it is missing. */
  userDir: string;
  files: Files;
  clock: Clock;
  toolNames: ReadonlySet<string>;
  /** After a change on disk or by `update`, never for a reload that found nothing new. */
  onChange: (state: ProfilesState) => void;
  log: Log;
}

export interface ProfilesState {
  /** Built-in ones first, then by name. */
  profiles: Profile[];
  problems: ProfileProblem[];
  /** Identity text before every profile's prompt; `persona.md` of the person or of the app. May be empty. */
  persona: string;
}

export interface Profiles {
  state(): ProfilesState;
  get(id: string): Profile | undefined;
  /**
   * Writes into the person's folder; a built-in profile is copied there first. A key that is undefined goes back
   * to its default. Throws AndironError `not_found` or `profile_invalid`.
   */
  update(id: string, changes: Partial<ProfileFile>): Promise<Profile>;
  close(): void;
}

/** Throws AndironError `storage` when the folders cannot be read at all. */
export async function createProfiles(deps: ProfilesDeps): Promise<Profiles> {
  try {
    return await openProfiles(deps);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = `Check that ${deps.userDir} can be read and written, then start Andiron again.`;
    throw new AndironError('storage', `The profiles cannot be read: ${reason}.`, advice, { cause: error });
  }
}

async function openProfiles(deps: ProfilesDeps): Promise<Profiles> {
  const { builtInDir, userDir, files, clock, toolNames, onChange, log } = deps;
  await files.makeFolder(userDir);
  // The watch stands before the first read, so that no change falls between them.
  let settling: Timer | undefined;
  const watch = files.watch(
    userDir,
    () => {
      settling?.cancel();
      settling = clock.after(settleMs, () => void reloadLogged());
    },
    (error) => log.error('Profiles are no longer watched', error, { userDir }),
  );
  let state = await read(undefined);
  // Reloads and updates run one after the other: an update must not be answered with an older reading.
  let work: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = work.then(run);
    work = result.catch(() => undefined);
    return result;
  };

  async function read(before: ProfilesState | undefined): Promise<ProfilesState> {
    const loaded = await Promise.all(
      [...(await foldersIn(files, builtInDir, true)), ...(await foldersIn(files, userDir, false))].map(
        (folder) => loadProfile(files, folder, toolNames),
      ),
    );
    const persona = (await readPersona(files, userDir)) ?? (await readPersona(files, builtInDir)) ?? '';
    return { ...merge(loaded, before), persona };
  }

  async function reload(): Promise<void> {
    const next = await read(state);
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    onChange(state);
  }

  async function reloadLogged(): Promise<void> {
    await inTurn(reload).catch((error: unknown) =>
      log.error('Profiles could not be read', error, { userDir }),
    );
  }

  const get = (id: string): Profile | undefined => state.profiles.find((profile) => profile.id === id);

  return {
    state: () => state,
    get,
    update: (id, changes) =>
      inTurn(async () => {
        const current = get(id);
        if (!current) throw new AndironError('not_found', `There is no profile "${id}".`);
        const source = join(current.builtIn ? builtInDir : userDir, id);
        const content = await changed(source, changes);
        const copied: [name: string, text: string][] = current.builtIn
          ? [[promptFileName, `${current.systemPrompt}\n`]]
          : [];
        if (current.builtIn && current.subagentPrompt !== '')
          copied.push([subagentFileName, `${current.subagentPrompt}\n`]);
        await write(join(userDir, id), [...copied, [profileFileName, content]]);
        await reload();
        return get(id) ?? current;
      }),
    close() {
      settling?.cancel();
      watch.close();
    },
  };

  async function changed(folder: string, changes: Partial<ProfileFile>): Promise<string> {
    try {
      const next = { ...(await readProfileJson(files, folder)), ...changes };
      parseProfile(next, toolNames);
      return `${JSON.stringify(next, null, 2)}\n`;
    } catch (error) {
      if (!(error instanceof ProfileError)) throw error;
      throw new AndironError('profile_invalid', error.message, `Correct it in ${folder}.`);
    }
  }

  /** A person may keep profiles elsewhere and link to them: what the link leads to is written. */
  async function write(folder: string, contents: [name: string, text: string][]): Promise<void> {
    try {
      await files.makeFolder(folder);
      const real = (await files.realPath(folder)) ?? folder;
      for (const [name, text] of contents) {
        await files.writeAtomic((await files.realPath(join(real, name))) ?? join(real, name), text);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const advice = `Check that ${folder} can be written and that the disk is not full.`;
      throw new AndironError('storage', `The profile could not be saved: ${reason}`, advice, {
        cause: error,
      });
    }
  }
}

/** The person's folder wins. One that became unreadable keeps its last good reading, else the built-in one stands in. */
function merge(
  loaded: LoadedProfile[],
  before: ProfilesState | undefined,
): Pick<ProfilesState, 'profiles' | 'problems'> {
  const byId = new Map<string, Profile>();
  const problems: ProfileProblem[] = [];
  for (const one of loaded) {
    if (one.ok) {
      byId.set(one.profile.id, one.profile);
    } else {
      problems.push(one.problem);
      const lastGood = before?.profiles.find((profile) => profile.id === one.problem.id);
      if (lastGood) byId.set(lastGood.id, lastGood);
    }
  }
  return { profiles: [...byId.values()], problems };
}

async function foldersIn(files: Files, dir: string, builtIn: boolean): Promise<ProfileFolder[]> {
  const folders: ProfileFolder[] = [];
  for (const { name } of await files.readFolder(dir)) {
    const path = join(dir, name);
    if (name.startsWith('.') || (await files.stat(path))?.kind !== 'folder') continue;
    folders.push({ id: name, path, builtIn });
  }
  return folders.toSorted((a, b) => a.id.localeCompare(b.id, 'en'));
}

async function readPersona(files: Files, dir: string): Promise<string | undefined> {
  const real = await files.realPath(join(dir, personaFileName));
  if (real === null) return undefined;
  return Buffer.from(await files.readBytes(real, maxPersonaBytes))
    .toString('utf8')
    .trim();
}
