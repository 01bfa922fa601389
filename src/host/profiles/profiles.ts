/**
 * All profiles: built-in ones from the app, the person's own from their folder, where a folder of the same name
 * replaces a built-in one. The folder is watched, so an edited file is in force without a restart.
 */
import { join } from 'node:path';
import type { Clock, Timer } from '../../platform/clock.ts';
import { removeDrafts, type Files, type ReadableFiles } from '../../platform/files.ts';
import type { Log } from '../../platform/log.ts';
import { AndironError, asSentence } from '../../protocol/errors.ts';
import type { Profile, ProfileProblem } from '../../protocol/model.ts';
import { ProfileEdits } from './edit-profiles.ts';
import type { LoadedProfile, ProfileFolder, ProfileRules } from './load-profile.ts';
import { loadProfile, promptFileNames } from './load-profile.ts';
import { profileFolders } from './profile-folders.ts';

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
  defaults?: ProfileRules['defaults'];
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

/** Edits run one after the other, and are in force when they resolve. */
export interface Profiles extends Pick<ProfileEdits, keyof ProfileEdits> {
  state(): ProfilesState;
  get(id: string): Profile | undefined;
  close(): void;
}

/** Throws AndironError `storage` when the folders cannot be read at all, or not one profile in them. */
export async function createProfiles(deps: ProfilesDeps): Promise<Profiles> {
  try {
    return await openProfiles(deps);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = `Check that ${deps.userDir} can be read and written, then start Andiron again.`;
    throw new AndironError('storage', asSentence(`The profiles cannot be read: ${reason}`), advice, {
      cause: error,
    });
  }
}

async function openProfiles(deps: ProfilesDeps): Promise<Profiles> {
  const { builtInDir, userDir, files, clock, onChange, log } = deps;
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
  await removeLeftDrafts(files, userDir);
  let state = await read(undefined);
  // Nothing works without one, and nothing would read them again: the app's own are there, so the disk has failed.
  if (state.profiles.length === 0) {
    watch.close();
    throw new Error(state.problems[0]?.message ?? `there is none in ${builtInDir}`);
  }
  // Reloads and updates run one after the other: an update must not be answered with an older reading.
  let work: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = work.then(run);
    work = result.catch(() => undefined);
    return result;
  };

  async function read(before: ProfilesState | undefined): Promise<ProfilesState> {
    const readAll = async (dir: string, builtIn: boolean): Promise<LoadedProfile[]> => {
      const folders = await foldersIn(files, dir, builtIn);
      return Promise.all(folders.map((folder) => loadProfile(files, folder, deps)));
    };
    const [builtIn, own, ownPersona, persona] = await Promise.all([
      readAll(builtInDir, true),
      readAll(userDir, false),
      readPersona(files, userDir),
      readPersona(files, builtInDir),
    ]);
    return { ...merge([...builtIn, ...own], before), persona: ownPersona ?? persona ?? '' };
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

  /** Nobody waits for it, and nothing depends on it. */
  const purge = (): void =>
    void inTurn(() => profileFolders(files, userDir).purge(clock.now())).catch((error: unknown) =>
      log.error('Deleted profiles could not be removed', error, { userDir }),
    );
  purge();

  const edits = new ProfileEdits({ ...deps, state: () => state, reload });

  return {
    state: () => state,
    get: (id) => state.profiles.find((profile) => profile.id === id),
    update: (...args) => inTurn(() => edits.update(...args)),
    create: (...args) => inTurn(() => edits.create(...args)),
    remove(...args) {
      const removed = inTurn(() => edits.remove(...args));
      // Andiron may run for weeks: each deletion looks after those before it.
      purge();
      return removed;
    },
    restore: (...args) => inTurn(() => edits.restore(...args)),
    files: (...args) => inTurn(() => edits.files(...args)),
    writePrompt: (...args) => inTurn(() => edits.writePrompt(...args)),
    close() {
      settling?.cancel();
      watch.close();
    },
  };
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

async function foldersIn(files: ReadableFiles, dir: string, builtIn: boolean): Promise<ProfileFolder[]> {
  const folders: ProfileFolder[] = [];
  for (const { name } of await files.readFolder(dir)) {
    const path = join(dir, name);
    if (name.startsWith('.') || (await files.stat(path))?.kind !== 'folder') continue;
    folders.push({ id: name, path, builtIn });
  }
  // Ids are plain letters: a collation of their language would take as long to load as reading them all.
  return folders.toSorted((a, b) => (a.id.toLowerCase() < b.id.toLowerCase() ? -1 : 1));
}

/** What a process that died had half written. A folder that cannot be tidied can be read all the same. */
async function removeLeftDrafts(
  files: ReadableFiles & Pick<Files, 'remove'>,
  userDir: string,
): Promise<void> {
  const own = await foldersIn(files, userDir, false);
  for (const folder of [userDir, ...own.map(({ path }) => path)]) {
    const real = await files.realPath(folder);
    if (real !== null) await removeDrafts(files, real).catch(() => undefined);
  }
}

async function readPersona(files: ReadableFiles, dir: string): Promise<string | undefined> {
  const real = await files.realPath(join(dir, promptFileNames.persona));
  if (real === null) return undefined;
  return Buffer.from(await files.readBytes(real, maxPersonaBytes))
    .toString('utf8')
    .trim();
}
