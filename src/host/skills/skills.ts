/**
 * Which skills there are and which of them may be used. The person's own, in the data folder, where no tool writes, may be
 * from the start; any other one once they allowed it, as it was then. Of a folder that they do not trust nothing is read.
 */
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { ReadableFiles } from '../../platform/files.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Skill, SkillList, SkillState } from '../../protocol/skill-methods.ts';
import { guessTokens } from '../../rules/token-guess.ts';
import { guidanceText, skillLine, skillText } from '../prompt/skill-text.ts';
import type { Store } from '../store/store.ts';
import type { SkillAccess } from '../tools/skill-access.ts';
import { resultCap, ToolFailure } from '../tools/tool.ts';
import { agentsFileAbove, findAgentsFile, readAgentsFile, type AgentsFile } from './agents-file.ts';
import { readSkills, type FoundSkill, type SkillRoot } from './read-skills.ts';
import type { SkillText } from './skill-file.ts';

export interface SkillsDeps {
  files: ReadableFiles;
  store: Pick<Store, 'isFolderTrusted' | 'setFolderTrusted' | 'decidedSkills' | 'decideSkill'>;
  clock: Clock;
  dataDir: string;
  /** The real path of a folder that a person named. Rejects with AndironError where there is none. */
  resolveWorkspace: (path: string) => Promise<string>;
  /** null = this person has none. */
  homeDir: string | null;
  /** The session is about to read it. */
  onLoad: (sessionId: string, skill: LoadedSkill) => void;
  onChange: () => void;
}

interface LoadedSkill {
  name: string;
  /** Real path. */
  folder: string;
  isForeign: boolean;
  allowedTools: readonly string[] | null;
}

export interface UsableSkill extends SkillText, Omit<LoadedSkill, 'name' | 'allowedTools'> {
  files: readonly string[];
}

/** What a session's opening may say. */
export interface FolderGuidance {
  agents: AgentsFile | null;
  skills: UsableSkill[];
  /** Something is there that is not read, since the folder is not trusted. */
  isWaiting: boolean;
}

const ownFolder = 'skills';
const rootsInWorkspace = [join('.agents', 'skills'), join('.claude', 'skills')];

interface Judged {
  found: FoundSkill;
  state: SkillState;
}

export class Skills implements SkillAccess {
  readonly #deps: SkillsDeps;

  constructor(deps: SkillsDeps) {
    this.#deps = deps;
  }

  resolve(workspace: string): Promise<string> {
    return this.#deps.resolveWorkspace(workspace);
  }

  /** @param workspace by its real path; null = none is looked at */
  async list(workspace: string | null): Promise<SkillList> {
    const skills = (await this.#judged(workspace)).map(describe);
    const folder = workspace === null ? null : await this.#folder(workspace);
    return { skills, folder, ownFolder: join(this.#deps.dataDir, ownFolder) };
  }

  /** As it was shown. Rejects where it is another one by now. */
  async allow(workspace: string | null, path: string, hash: string): Promise<void> {
    const { read } = await this.#find(workspace, path);
    if ('problem' in read || read.hash !== hash)
      throw new AndironError(
        'invalid_params',
        'This skill changed while you looked at it.',
        'Look at it again, then allow it.',
      );
    this.#decide({ path, hash, isOn: true });
  }

  async turnOff(workspace: string | null, path: string): Promise<void> {
    const { read } = await this.#find(workspace, path);
    const hash = 'problem' in read ? '0'.repeat(64) : read.hash;
    this.#decide({ path, hash, isOn: false });
  }

  trust(workspace: string, isTrusted: boolean): void {
    const { store, clock, onChange } = this.#deps;
    store.setFolderTrusted(workspace, isTrusted, clock.now());
    onChange();
  }

  /** Never rejects. */
  async guidance(workspace: string): Promise<FolderGuidance> {
    const { files, store } = this.#deps;
    const isTrusted = store.isFolderTrusted(workspace);
    const skills = await this.#usable(workspace);
    const found = isTrusted ? await readAgentsFile(files, workspace) : null;
    const agents = found && 'text' in found ? found : null;
    const waiting = isTrusted ? null : await this.#waiting(workspace);
    return { agents, skills, isWaiting: waiting !== null && (waiting.agentsFile || waiting.skills > 0) };
  }

  async load(
    name: string,
    { sessionId, workspace }: { sessionId: string; workspace: string },
  ): Promise<string> {
    const usable = await this.#usable(workspace);
    const skill = usable.find((each) => each.name === name);
    if (!skill) {
      const names = usable.map((each) => each.name).join(', ');
      throw new ToolFailure(`There is no skill ${name.slice(0, 80)} that may be used here.`, {
        advice: names === '' ? 'Go on without one.' : `The skills are: ${names}.`,
      });
    }
    this.#deps.onLoad(sessionId, skill);
    return skillText(skill, resultCap);
  }

  /** Whether a session that loaded it may go on reading its files. */
  mayRead(folder: string): boolean {
    const decided = this.#deps.store.decidedSkills().find(({ path }) => path === folder);
    return decided ? decided.isOn : isOwn(folder, this.#deps.dataDir);
  }

  /** `AGENTS.md` nearest to a file below a trusted workspace; null = there is none, or it is not to be read. Never rejects. */
  async instructionsNear(workspace: string, file: string): Promise<string | null> {
    if (!this.#deps.store.isFolderTrusted(workspace)) return null;
    return agentsFileAbove(this.#deps.files, workspace, file);
  }

  #decide(decided: Parameters<SkillsDeps['store']['decideSkill']>[0]): void {
    this.#deps.store.decideSkill(decided, this.#deps.clock.now());
    this.#deps.onChange();
  }

  async #find(workspace: string | null, path: string): Promise<FoundSkill> {
    const found = (await this.#judged(workspace)).find((each) => each.found.folder === path);
    if (found) return found.found;
    throw new AndironError('not_found', 'This skill is gone.', 'Look at the list again.');
  }

  async #usable(workspace: string): Promise<UsableSkill[]> {
    return (await this.#judged(workspace)).flatMap(({ found: { read, folder, place }, state }) =>
      state === 'on' && 'skill' in read
        ? [{ ...read.skill, files: read.files, folder, isForeign: place !== 'data' }]
        : [],
    );
  }

  /** By name; of one name the nearest first. */
  async #judged(workspace: string | null): Promise<Judged[]> {
    const { files, store, dataDir, homeDir } = this.#deps;
    const isTrusted = workspace !== null && store.isFolderTrusted(workspace);
    const roots: SkillRoot[] = [
      ...(isTrusted ? workspaceRoots(workspace) : []),
      { place: 'data', path: join(dataDir, ownFolder) },
      ...(homeDir === null ? [] : [{ place: 'home' as const, path: join(homeDir, '.agents', 'skills') }]),
    ];
    const decided = new Map(store.decidedSkills().map((each) => [each.path, each]));
    const taken = new Set<string>();
    const judged = (await readSkills(files, roots)).map((found): Judged => {
      const state = stateOf(found, decided.get(found.folder));
      if (state !== 'on') return { found, state };
      if (taken.has(found.name)) return { found, state: 'shadowed' };
      taken.add(found.name);
      return { found, state };
    });
    return judged.toSorted((a, b) =>
      a.found.name < b.found.name ? -1 : Number(a.found.name > b.found.name),
    );
  }

  async #folder(workspace: string): Promise<NonNullable<SkillList['folder']>> {
    const { files, store } = this.#deps;
    const isTrusted = store.isFolderTrusted(workspace);
    if (!isTrusted)
      return { path: workspace, isTrusted, agentsFile: null, waiting: await this.#waiting(workspace) };
    const found = await readAgentsFile(files, workspace);
    const agentsFile =
      found &&
      ('text' in found
        ? { shown: found.shown, tokens: agentsTokens(found), isCut: found.isCut, problem: '' }
        : { ...found, tokens: 0, isCut: false });
    return { path: workspace, isTrusted, agentsFile, waiting: { agentsFile: false, skills: 0 } };
  }

  /** Names of folders alone: no file is opened. */
  async #waiting(workspace: string): Promise<{ agentsFile: boolean; skills: number }> {
    const { files } = this.#deps;
    const agentsFile = await findAgentsFile(files, workspace).catch(() => null);
    const counts = workspaceRoots(workspace).map(async ({ path }) => {
      const entries = await files.readRealFolder(path).catch(() => []);
      return entries.filter(({ kind }) => kind === 'folder').length;
    });
    const skills = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    return { agentsFile: agentsFile !== null, skills };
  }
}

const workspaceRoots = (workspace: string): SkillRoot[] =>
  rootsInWorkspace.map((path) => ({ place: 'workspace', path: join(workspace, path), within: workspace }));

/** A skill of the person's own lies directly in their folder of skills. */
const isOwn = (folder: string, dataDir: string): boolean => folder.startsWith(join(dataDir, ownFolder, '/'));

function stateOf(
  { place, read }: FoundSkill,
  decided: { hash: string; isOn: boolean } | undefined,
): SkillState {
  if ('problem' in read) return 'broken';
  if (decided && !decided.isOn) return 'off';
  if (place === 'data') return 'on';
  if (!decided) return 'waiting';
  return decided.hash === read.hash ? 'on' : 'changed';
}

function describe({ found: { name, place, folder, read }, state }: Judged): Skill {
  const base = { name, place, path: folder, state };
  if ('problem' in read) return { ...base, description: '', problem: read.problem, hash: '', tokens: 0 };
  const { skill, hash } = read;
  const tokens = guessTokens(skillLine(skill).length + 1);
  return { ...base, description: skill.description, problem: '', hash, tokens };
}

const agentsTokens = (agents: AgentsFile): number =>
  guessTokens(guidanceText({ agents, skills: [], chosen: null }).length);
