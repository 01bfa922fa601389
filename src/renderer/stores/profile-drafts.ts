/** Texts of profiles that are not saved yet: kept with the other drafts of the window, so they survive a reload. */
import type { Profile, PromptName } from '../../protocol/model.ts';
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
  if (stored === undefined) return null;
  try {
    const value: unknown = JSON.parse(stored);
    if (!Array.isArray(value)) return null;
    const [base, text] = value as unknown[];
    return typeof base === 'string' && typeof text === 'string' ? { base, text } : null;
  } catch {
    return null;
  }
}

export function keepPromptDraft(
  store: UiStore,
  profileId: string,
  prompt: PromptName,
  draft: PromptDraft | null,
): void {
  setDraft(store, keyOf(profileId, prompt), draft === null ? '' : JSON.stringify([draft.base, draft.text]));
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
