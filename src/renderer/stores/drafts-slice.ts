/** What is being written: messages with their files, other versions of turns, commands that wait for an answer. */
import type { FormInputs } from '../../rules/form-values.ts';
import type { McpPrompt, PromptOrigin } from '../../protocol/mcp-offers.ts';
import type { ApprovalMode, Profile } from '../../protocol/model.ts';
import { readStoredFiles, storedFiles } from './draft-files.ts';
import type { DraftStep } from './plan-draft.ts';
import { isText, recordOf, type StateOf } from './persisted.ts';
import { unsentWords, type Recall } from './recall.ts';

/** Key of the draft and choices of a session that does not exist yet: the host creates it with its first message. */
export const newSessionKey = 'new';

export interface NewSessionChoice {
  workspace?: string;
  profileId?: string;
  model?: string | null;
  approvals?: ApprovalMode | null;
}

export function isOrigin(value: unknown): value is PromptOrigin {
  if (typeof value !== 'object' || value === null) return false;
  const { server, prompt } = value as Partial<Record<keyof PromptOrigin, unknown>>;
  return typeof server === 'string' && typeof prompt === 'string';
}

export const drafts = {
  kept: {
    drafts: recordOf(isText),
    /** Files that go with what is written. */
    draftFiles: readStoredFiles,
    /** Prompts of servers that drafts began as. */
    draftOrigins: recordOf(isOrigin),
  },
  fresh: {
    /** Drafts that are among earlier messages now. */
    recalls: {} as Readonly<Record<string, Recall>>,
    newSession: {} as NewSessionChoice,
    /** A prompt of a server whose arguments are asked for, and the draft that it becomes. */
    promptForm: null as { draft: string; prompt: McpPrompt } | null,
    /** A message that is being changed into another version of its turn. */
    editing: null as { turnId: string; text: string } | null,
    /** Commands that are being written anew, by the question that they answer. */
    commandDrafts: {} as Readonly<Record<string, string>>,
    /** What is being said with a no, by the question that it answers. */
    replyDrafts: {} as Readonly<Record<string, string>>,
    /** Forms of servers that are being filled in, by the question that they answer. */
    formDrafts: {} as Readonly<Record<string, FormInputs>>,
    /** Plans that are being changed, by the item that proposed them. */
    planDrafts: {} as Readonly<Record<string, readonly DraftStep[]>>,
    /** The form of calls that a profile had before a press outside the settings changed it, by profile. */
    callsBefore: {} as Readonly<Record<string, Profile['calls']>>,
  },
};

/** What was not sent is kept before an earlier message that stands in its box, and of the files what the host has. */
export function draftsAtRest(state: StateOf<typeof drafts>) {
  const unsent = Object.entries(state.recalls).map(([key, recall]) => [key, unsentWords(recall)] as const);
  return {
    drafts: { ...state.drafts, ...Object.fromEntries(unsent.filter(([, text]) => text !== '')) },
    draftFiles: storedFiles(state.draftFiles),
  };
}
