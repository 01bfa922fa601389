/** Skills and instructions of a folder that a session has read, or will with its first message. They outlive a restart. */
import { z } from 'zod';
import type { TextSource } from '../../protocol/foreign-text.ts';
import { lazyObject } from '../../protocol/lazy-object.ts';
import { isListedTool } from '../../rules/skill-tools.ts';
import type { Store, StoreView } from '../store/store.ts';

const skillSchema = z.object({
  name: z.string(),
  /** Real path. */
  folder: z.string(),
  isForeign: z.boolean(),
  allowedTools: z.array(z.string()).readonly().nullable(),
});
export type ReadSkill = z.infer<typeof skillSchema>;

const guidanceSchema = lazyObject(() => ({
  /** As it stands in the opening; '' = nothing. */
  text: z.string(),
  /** Of `AGENTS.md`; null = none is in it. */
  agentsFile: z.string().nullable(),
  /** That the host put into it; null = none. */
  skill: skillSchema.nullable(),
}));
export type SessionGuidance = z.infer<typeof guidanceSchema>;
const guidanceMark = 'guidance';

const instructedSchema = lazyObject(() => ({
  agentsFile: z.string().nullable(),
  skills: z.array(skillSchema),
}));
type Instructed = z.infer<typeof instructedSchema>;
const instructedMark = 'instructed';
const maxSkills = 50;

type Reads = Pick<StoreView, 'readSessionData'>;
type Writes = Pick<Store, 'readSessionData' | 'writeSessionData'>;

const nothing: SessionGuidance = { text: '', agentsFile: null, skill: null };

/** What the opening of the session says, or will say. */
export const sessionGuidance = (store: Reads, sessionId: string): SessionGuidance =>
  store.readSessionData(sessionId, guidanceMark, guidanceSchema) ?? nothing;

/** As long as nothing was said: an opening that was sent is never another one. */
export function setGuidance(store: Writes, sessionId: string, guidance: SessionGuidance): void {
  if (sessionGuidance(store, sessionId).text !== guidance.text)
    store.writeSessionData(sessionId, guidanceMark, guidance);
}

/** Before the session reads its opening. */
export function noteGuidance(store: Writes, sessionId: string): void {
  const { agentsFile, skill } = sessionGuidance(store, sessionId);
  if (skill) noteSkill(store, sessionId, skill);
  const before = instructed(store, sessionId);
  if (agentsFile !== null && before.agentsFile === null)
    store.writeSessionData(sessionId, instructedMark, { ...before, agentsFile });
}

/** Before the session reads it. */
export function noteSkill(store: Writes, sessionId: string, skill: ReadSkill): void {
  const { name, folder, isForeign, allowedTools } = skill;
  const { skills, ...before } = instructed(store, sessionId);
  const others = skills.filter((each) => each.folder !== folder);
  const all = [...others, { name, folder, isForeign, allowedTools }].slice(-maxSkills);
  store.writeSessionData(sessionId, instructedMark, { ...before, skills: all });
}

export const readSkillsOf = (store: Reads, sessionId: string): readonly ReadSkill[] =>
  instructed(store, sessionId).skills;

/** What of it was written by others; null = nothing. */
export function instructedSource(store: Reads, sessionId: string): TextSource | null {
  const { skills, agentsFile } = instructed(store, sessionId);
  const foreign = skills.findLast(({ isForeign }) => isForeign);
  if (foreign) return { kind: 'skill', name: foreign.name };
  return agentsFile === null ? null : { kind: 'file', name: agentsFile };
}

/** The skill whose list of tools a call is not on; null = none has one, or it is on it. */
export function narrowedBy(
  store: Reads,
  sessionId: string,
  { tool, command }: { tool: string; command: string | null },
): string | null {
  const listing = readSkillsOf(store, sessionId).filter(({ allowedTools }) => allowedTools !== null);
  if (listing.some(({ allowedTools }) => isListedTool(allowedTools ?? [], tool, command))) return null;
  return listing.at(-1)?.name ?? null;
}

/** For a copy of the session, which begins with the same messages. */
export const instructionsOf = (
  store: Reads,
  sessionId: string,
): { guidance: SessionGuidance; instructed: Instructed } => ({
  guidance: sessionGuidance(store, sessionId),
  instructed: instructed(store, sessionId),
});

export function copyInstructions(
  store: Writes,
  sessionId: string,
  { guidance, instructed: read }: ReturnType<typeof instructionsOf>,
): void {
  setGuidance(store, sessionId, guidance);
  if (read.agentsFile !== null || read.skills.length > 0)
    store.writeSessionData(sessionId, instructedMark, read);
}

const instructed = (store: Reads, sessionId: string): Instructed =>
  store.readSessionData(sessionId, instructedMark, instructedSchema) ?? { agentsFile: null, skills: [] };
