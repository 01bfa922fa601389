/** What servers of tools have beside tools: resources that go with a message, and prompts that one may begin with. */
import { z } from 'zod';
import { attachmentSchema } from './attachments.ts';
import { formFieldSchema, formValuesSchema } from './form-question.ts';
import { lazyObject } from './lazy-object.ts';

const resourceSchema = lazyObject(() => ({
  server: z.string(),
  uri: z.string(),
  name: z.string(),
  description: z.string(),
}));
/** All but the name of the server is foreign text. */
export type McpResource = z.infer<typeof resourceSchema>;

const promptSchema = lazyObject(() => ({
  server: z.string(),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** Its arguments. */
  fields: z.array(formFieldSchema),
}));
/** Likewise. */
export type McpPrompt = z.infer<typeof promptSchema>;

const server = z.string().min(1).max(32);

/** A prompt of a server that a message began as: the person did not write all of it. */
export const promptOriginSchema = lazyObject(() => ({ server, prompt: z.string().max(200) }));
export type PromptOrigin = z.infer<typeof promptOriginSchema>;

export const mcpOfferMethods = {
  /** Of servers that can be reached now, by parts of their names and addresses, the best first; at most 50. */
  'mcp/resources': {
    params: lazyObject(() => ({ query: z.string().max(200) })),
    /** `complete` = there are no more. */
    result: lazyObject(() => ({ resources: z.array(resourceSchema), complete: z.boolean() })),
  },
  /** Reads it now, for a message that is sent next. Refused: not listed, no answer in time, empty, too large. */
  'mcp/attach-resource': {
    params: lazyObject(() => ({ server, uri: z.string().min(1).max(2_000) })),
    result: lazyObject(() => ({ attachment: attachmentSchema })),
  },
  'mcp/prompts': {
    params: z.object({}),
    result: lazyObject(() => ({ prompts: z.array(promptSchema) })),
  },
  /** Its text with these arguments, for a person to look at: nothing is sent. `leftOut`: pictures and the like in it. */
  'mcp/prompt': {
    params: lazyObject(() => ({ server, name: z.string().min(1).max(200), values: formValuesSchema })),
    result: lazyObject(() => ({ text: z.string(), leftOut: z.number().int().nonnegative() })),
  },
} as const;
