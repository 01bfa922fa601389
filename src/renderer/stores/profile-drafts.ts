/** What is changed of profiles and not saved yet: kept with the other drafts of the window, so it survives a reload. */
import type { Profile, ProfileChanges, PromptName } from '../../protocol/model.ts';
import { isRecord } from './storage.ts';
import { setDraft, type UiState, type UiStore } from './ui-store.ts';

export interface PromptDraft {
  /** What the file said when it was begun. */
  base: string;
  text: string;
}

type Drafts = UiState['drafts'];

/** No session has such an id. */
const keyOf = (profileId: string, prompt: PromptName): string => `profile:${profileId}:${prompt}`;

/** As it is stored, which stays the same as long as the draft does. */
export const storedDraft = (drafts: Drafts, profileId: string, prompt: PromptName): string | undefined =>
  drafts[keyOf(profileId, prompt)];

/** Another version of Andiron, or anybody, may have written it. */
export function readPromptDraft(stored: string | undefined): PromptDraft | null {
  const [base, text] = parsedPair(stored);
  return typeof base === 'string' && typeof text === 'string' ? { base, text } : null;
}

export function keepPromptDraft(
  store: UiStore,
  profileId: string,
  prompt: PromptName,
  draft: PromptDraft | null,
): void {
  setDraft(store, keyOf(profileId, prompt), draft === null ? '' : JSON.stringify([draft.base, draft.text]));
}

/** Forgets the text that is saved; one that was changed since then stays, and began with it. */
export function settlePromptDraft(
  store: UiStore,
  profileId: string,
  prompt: PromptName,
  saved: string,
): void {
  const draft = readPromptDraft(storedDraft(store.getState().drafts, profileId, prompt));
  const isLeft = draft !== null && draft.text !== saved;
  // As the file has it.
  keepPromptDraft(store, profileId, prompt, isLeft ? { base: saved.trim(), text: draft.text } : null);
}

export const promptNames: readonly PromptName[] = ['system', 'subagent', 'persona'];

const keys = { system: 'systemPrompt', subagent: 'subagentPrompt', persona: 'persona' } as const;

/** What the file says. */
export const promptOf = (profile: Profile, prompt: PromptName): string => profile[keys[prompt]];

/** The same profile with another text. */
export const withPrompt = (profile: Profile, prompt: PromptName, text: string): Profile => ({
  ...profile,
  [keys[prompt]]: text,
});

/** Which of its texts wait to be saved. */
export function unsavedPrompts(drafts: Drafts, profile: Profile): PromptName[] {
  return promptNames.filter((prompt) => {
    const draft = readPromptDraft(storedDraft(drafts, profile.id, prompt));
    return draft !== null && draft.text.trim() !== promptOf(profile, prompt);
  });
}

/** Something of this profile waits to be saved. */
export function isUnsaved(drafts: Drafts, profile: Profile): boolean {
  const flags = readFlagsDraft(storedFlags(drafts, profile.id), profile)?.changes ?? {};
  const now: Partial<Record<string, unknown>> = profile;
  const changed = Object.entries(flags).some(
    ([key, value]) => JSON.stringify(value ?? undefined) !== JSON.stringify(now[key]),
  );
  return changed || unsavedPrompts(drafts, profile).length > 0;
}

/** Flags that wait for a yes, and what the file said of them when they were changed. */
export interface FlagsDraft {
  changes: ProfileChanges;
  from: ProfileChanges;
}

const flagsKey = (profileId: string): string => `profile:${profileId}:flags`;

export const storedFlags = (drafts: Drafts, profileId: string): string | undefined =>
  drafts[flagsKey(profileId)];

/** Only what has the shape of the profile's own values: the host judges the rest. */
export function readFlagsDraft(stored: string | undefined, profile: Profile): FlagsDraft | null {
  const [changes, from] = parsedPair(stored);
  if (!isRecord(changes) || !isRecord(from)) return null;
  const fitting = Object.entries(changes).filter(([key, value]) => fits(profile, key, value));
  return fitting.length === 0 ? null : { changes: Object.fromEntries(fitting), from };
}

export function keepFlagsDraft(store: UiStore, profileId: string, draft: FlagsDraft | null): void {
  setDraft(store, flagsKey(profileId), draft === null ? '' : JSON.stringify([draft.changes, draft.from]));
}

/** Forgets what is saved; what was changed since then stays. */
export function settleFlagsDraft(store: UiStore, profileId: string, saved: ProfileChanges): void {
  const [changes, from] = parsedPair(storedFlags(store.getState().drafts, profileId));
  if (!isRecord(changes) || !isRecord(from)) return;
  const before: Partial<Record<string, unknown>> = saved;
  const left = Object.entries(changes).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
  );
  const draft = { changes: Object.fromEntries(left), from: { ...from, ...saved } };
  keepFlagsDraft(store, profileId, left.length === 0 ? null : draft);
}

function fits(profile: Profile, key: string, value: unknown): boolean {
  if (key === 'think') return value === null || typeof value === 'boolean' || typeof value === 'string';
  const now = (profile as Partial<Record<string, unknown>>)[key];
  if (Array.isArray(now)) return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  return isRecord(now) ? isRecord(value) : now !== undefined && typeof value === typeof now;
}

function parsedPair(stored: string | undefined): unknown[] {
  try {
    const value: unknown = stored === undefined ? null : JSON.parse(stored);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
