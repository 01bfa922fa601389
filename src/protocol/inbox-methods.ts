/** Messages of other platforms, as whoever brings them hands them in, and what answers where (A12, B7, X5). */
import { z } from 'zod';
import { maxAttachments } from './attachments.ts';
import { lazyObject } from './lazy-object.ts';
import { ownPlatforms } from './principal.ts';
import { resultFileSchema } from './result-files.ts';
import { tokenSumsSchema } from './usage-methods.ts';

/** '' = the platform has no such thing, or does not say. */
export const maxTextLength = 1_000_000;

export const placeName = z.string().max(200);

export const incomingMessageFields = () => ({
  platform: z
    .string()
    .trim()
    .min(1)
    .max(40)
    // A message that says so would count as a window's, a program's or a job's.
    .refine((platform) => !ownPlatforms.has(platform), 'That is a name of Andiron’s own. Choose another.'),
  /** As the platform knows the sender. */
  platformUserId: z.string().min(1).max(200),
  /** As it shows them. */
  userName: z.string().max(100).default(''),
  server: placeName.default(''),
  channel: placeName.default(''),
  thread: placeName.default(''),
  /** Nobody else reads it there, so it need not say who wrote it. */
  isDirect: z.boolean().default(false),
  text: z.string().trim().max(maxTextLength),
  /** Ids of files that were handed in before. */
  attachments: z.array(z.string().min(1)).max(maxAttachments).default([]),
});
export const incomingMessageSchema = lazyObject(incomingMessageFields);
export type IncomingMessage = z.infer<typeof incomingMessageSchema>;

/** `refused`: nothing was asked of a model, and `content` says why. */
const responseStatusSchema = z.enum(['answered', 'step_limit', 'stopped', 'refused', 'failed']);

export const agentResponseSchema = lazyObject(() => ({
  /** For the sender: the answer, or what became of it. */
  content: z.string(),
  status: responseStatusSchema,
  /** Where it was talked; null = there was no conversation yet. */
  sessionId: z.string().nullable(),
  turnId: z.string().nullable(),
  /** What tools brought out for the sender (C4). */
  files: z.array(resultFileSchema),
  /** Of all requests of the turn; null = there was no turn. */
  usage: tokenSumsSchema.nullable(),
  /** What went wrong; null = nothing. `message` is for whoever runs this Andiron. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
}));
export type AgentResponse = z.infer<typeof agentResponseSchema>;

const binding = {
  /** '' = every platform that has none of its own. */
  platform: z.string().trim().max(40),
  /** '' = all of the platform. */
  server: placeName.trim(),
  profileId: z.string().min(1),
  /** null = that of the profile. */
  personaId: z.string().min(1).nullable().default(null),
  /** Asked before those of the profile. */
  model: z.string().min(1).max(200).nullable(),
  /** Of one reply; null = as many as the context has room for. */
  maxOutputTokens: z.number().int().positive().max(1_000_000).nullable().default(null),
  /** null = the default ones. */
  modules: z.array(z.string().max(40)).max(20).nullable(),
  isPerPerson: z.boolean(),
  pauseMs: z.number().int().positive().nullable(),
};
const bindingSchema = lazyObject(() => ({
  ...binding,
  id: z.string(),
  /** Its list of modules could not be read, so the default ones are used. */
  hasBadModules: z.boolean(),
}));
export type ListedBinding = z.infer<typeof bindingSchema>;

const personaText = {
  name: z.string().trim().min(1).max(100),
  /** Read by the model before the profile's prompt. */
  text: z.string().trim().min(1).max(20_000),
};
const personaSchema = lazyObject(() => ({ ...personaText, id: z.string() }));
export type ListedPersona = z.infer<typeof personaSchema>;

export const inboxMethods = {
  /** Resolves with the answer. Rejects only for what is no message; every other failure is a response. */
  'inbox/receive': { params: incomingMessageSchema, result: agentResponseSchema },
  'binding/list': {
    params: z.object({}),
    result: lazyObject(() => ({ bindings: z.array(bindingSchema) })),
  },
  /** In the place of the one that its platform and server had. */
  'binding/put': {
    params: lazyObject(() => ({ binding: z.object(binding) })),
    result: z.object({}),
  },
  'binding/remove': { params: lazyObject(() => ({ bindingId: z.string().min(1) })), result: z.object({}) },
  /** What a message from there would be answered with. `binding` null = none holds there. */
  'binding/test': {
    params: lazyObject(() => ({ platform: z.string(), server: z.string() })),
    result: lazyObject(() => ({ binding: bindingSchema.nullable(), profileId: z.string() })),
  },
  'persona/list': {
    params: z.object({}),
    result: lazyObject(() => ({ personas: z.array(personaSchema) })),
  },
  /** `id` null = a new one. No two have one name. */
  'persona/put': {
    params: lazyObject(() => ({ persona: z.object({ ...personaText, id: z.string().min(1).nullable() }) })),
    result: lazyObject(() => ({ persona: personaSchema })),
  },
  /** Where it was chosen, the profile's own persona answers again. */
  'persona/remove': { params: lazyObject(() => ({ personaId: z.string().min(1) })), result: z.object({}) },
} as const;
