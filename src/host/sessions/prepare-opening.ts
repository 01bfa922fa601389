/** What the opening of a session will say of its folder and of skills: looked up before its first message, then fixed. */
import { contextWindow } from '../../rules/context-window.ts';
import { rankTexts } from '../../rules/rank-texts.ts';
import { charactersPerToken } from '../../rules/token-guess.ts';
import { setGuidance, type ReadSkill } from '../approvals/instructed.ts';
import type { ActiveProfile } from '../loop/deps.ts';
import { guidanceText, skillText } from '../prompt/skill-text.ts';
import type { FolderGuidance } from '../skills/skills.ts';
import type { SessionDeps } from './session-deps.ts';

export interface OpeningSubject {
  sessionId: string;
  /** Real path. */
  workspace: string;
  active: ActiveProfile;
  /** The first message. */
  text: string;
}

type Host = Pick<SessionDeps, 'skills' | 'store' | 'engine' | 'abilities'>;

/** Of the context: what a skill that nobody asked for may take at most. */
const chosenShare = 0.15;

/** Never rejects. True = the folder has something to say, and is not trusted. */
export async function prepareOpening(
  subject: OpeningSubject,
  host: Host,
  signal: AbortSignal,
): Promise<boolean> {
  const { sessionId, workspace, active } = subject;
  // Without tools nothing is done in the folder.
  if (active.head.tools.length === 0) return false;
  const { agents, skills, isWaiting } = await host.skills.guidance(workspace);
  const { listed, chosen, most } = await skillsFor(skills, subject, host, signal);
  const text = guidanceText({ agents, skills: listed, chosen: chosen && skillText(chosen, most) });
  const skill: ReadSkill | null = chosen;
  setGuidance(host.store, sessionId, { text, agentsFile: agents?.shown ?? null, skill });
  return isWaiting;
}

type Usable = FolderGuidance['skills'];

/** A model that plans chooses from a list; for any other one the host takes the best. */
async function skillsFor(
  usable: Usable,
  { active: { profile, head, pinnedModel }, text }: Pick<OpeningSubject, 'active' | 'text'>,
  { engine, abilities }: Host,
  signal: AbortSignal,
): Promise<{ listed: Usable; chosen: Usable[number] | null; most: number }> {
  const none = { listed: [], chosen: null, most: 0 };
  if (usable.length === 0 || !head.tools.some(({ name }) => name === 'load_skill')) return none;
  const model = await engine.chooseModel(profile, pinnedModel, signal).catch(() => null);
  if (model === null || abilities.holds(model, 'planning')) return { ...none, listed: usable };
  const window = contextWindow({ tokens: profile.contextTokens, trained: model.trainedContext });
  const most = Math.floor(window.tokens * chosenShare * charactersPerToken);
  const [best = null] = rankTexts(usable, text, 1);
  return { listed: [], chosen: best, most };
}
