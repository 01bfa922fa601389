/** What a window may ask about profiles: each is a folder of files, which a person may also write with an editor. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import {
  profileChangesSchema,
  profileFilesSchema,
  profileSchema,
  promptNameSchema,
  riskSchema,
} from './model.ts';

const profileId = z.string().min(1);
const toolFactsSchema = lazyObject(() => ({
  name: z.string(),
  /** In the words that the model reads. */
  description: z.string(),
  risk: riskSchema,
  /** `workspace`: the session's folder. `agent`: what Andiron keeps for the agent itself. */
  about: z.enum(['workspace', 'agent', 'outside']),
  /** What it takes of every prompt, estimated. */
  tokens: z.number().int(),
  /** What it needs is not set up, so no model is offered it. */
  isMissing: z.literal(true).optional(),
}));
export type ToolFacts = z.infer<typeof toolFactsSchema>;

const profileName = z.string().trim().min(1).max(80);

export const profileMethods = {
  /**
   * Writes a profile of the person's own; a built-in one is copied first. `takesBack`: it undoes the change that made
   * such a copy, which is moved aside where it says no more than the built-in one.
   */
  'profile/update': {
    params: lazyObject(() => ({
      profileId,
      changes: profileChangesSchema,
      takesBack: z.boolean().optional(),
    })),
    result: lazyObject(() => ({ profile: profileSchema })),
  },
  /** A folder of its own, named after the profile; null = from nothing. */
  'profile/create': {
    params: lazyObject(() => ({ name: profileName, from: profileId.nullable() })),
    result: lazyObject(() => ({ profile: profileSchema })),
  },
  /** Kept aside, so that it can be restored. Of a changed built-in one the app's own is what remains; a built-in one itself stays. */
  'profile/delete': {
    params: lazyObject(() => ({ profileId })),
    result: lazyObject(() => ({ restoreId: z.string(), remaining: profileSchema.nullable() })),
  },
  'profile/restore': {
    params: lazyObject(() => ({ restoreId: z.string().min(1) })),
    result: lazyObject(() => ({ profileId })),
  },
  /** As it stands on the disk now, also one that cannot be read. */
  'profile/files': { params: lazyObject(() => ({ profileId })), result: profileFilesSchema },
  /**
   * One of its texts; a built-in profile is copied first. `expected` is the text that was changed: where the file says
   * something else by now, nothing is written and `conflict` is what it says.
   */
  'profile/write-prompt': {
    params: lazyObject(() => ({
      profileId,
      prompt: promptNameSchema,
      text: z.string(),
      expected: z.string().nullable(),
    })),
    result: lazyObject(() => ({ profile: profileSchema, conflict: z.string().nullable() })),
  },
  /** Every tool there is, in the order in which a profile lists them. */
  'tool/list': {
    params: lazyObject(() => ({})),
    result: lazyObject(() => ({ tools: z.array(toolFactsSchema) })),
  },
} as const;
