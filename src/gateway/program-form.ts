/** The form of Andiron's own addresses. Times are Unix milliseconds. */
import { z } from 'zod';
import type { AgentResponse } from '../protocol/inbox-methods.ts';
import type { ProgramSession } from '../protocol/program-methods.ts';
import type { ResultFile } from '../protocol/result-files.ts';
import type { TokenSums, UsageSums } from '../protocol/usage-methods.ts';

const tokens = z.number().int().nonnegative().nullable();
const usage = { input_tokens: tokens, cached_tokens: tokens, output_tokens: tokens };

export const messageRequestSchema = z.object({
  text: z.string().trim().min(1).max(1_000_000),
  thread: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Each thread is a conversation, which begins with its first message.'),
});
export const turnRequestSchema = messageRequestSchema.omit({ thread: true });
export const openSessionSchema = z.object({
  profile: z.string().min(1).max(200).describe('An id of `GET /v1/models`.'),
});

const fileSchema = z.object({
  id: z.string(),
  name: z.string(),
  mime: z.string(),
  bytes: z.number().int().nonnegative().nullable(),
  href: z.string().nullable().describe('Where it is read; null = it does not lie in the session.'),
  url: z.string().nullable().describe('As a tool gave it, unchecked; null = it lies in the session.'),
});

export const answerSchema = z.object({
  content: z.string().describe('For the sender: the answer, or what became of it.'),
  status: z.enum(['answered', 'step_limit', 'stopped', 'refused', 'failed']),
  session_id: z.string().nullable().describe('null = there was no conversation yet.'),
  turn_id: z.string().nullable(),
  files: z.array(fileSchema),
  usage: z.object(usage).nullable().describe('Figures are null where nobody has counted.'),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

const sessionSchema = z.object({
  id: z.string(),
  title: z.string(),
  profile: z.string(),
  model: z.string().nullable().describe('null = the profile decides.'),
  status: z.enum(['idle', 'queued', 'running', 'asking', 'failed']),
  thread: z.string(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});

const rowBase = {
  id: z.string(),
  turn_id: z.string(),
  at: z.number().int(),
};
const rowSchema = z.discriminatedUnion('role', [
  z.object({ ...rowBase, role: z.literal('user'), content: z.string() }),
  z.object({
    ...rowBase,
    role: z.literal('assistant'),
    content: z.string(),
    mark: z
      .string()
      .nullable()
      .describe('A sentence to show under it: the content may read as more than it is.'),
    status: z.enum(['finished', 'stopped', 'failed', 'max_iterations', 'interrupted']),
    token_count: tokens.describe('Tokens that the models wrote in the turn.'),
    model_used: z.string().nullable(),
  }),
  z.object({
    ...rowBase,
    role: z.literal('tool_call'),
    tool_use_id: z.string(),
    name: z.string(),
    arguments: z.unknown(),
  }),
  z.object({
    ...rowBase,
    role: z.literal('tool_result'),
    tool_use_id: z.string(),
    name: z.string(),
    result: z.string().nullable().describe('All of it; null = there is an error.'),
    error: z.string().nullable(),
    status: z.enum(['done', 'failed', 'declined', 'stopped', 'interrupted']),
  }),
]);
export type Row = z.infer<typeof rowSchema>;

export const sessionQuerySchema = z.object({
  view: z.literal('rows').optional().describe('Also what was said and done, as rows.'),
  turns: z.coerce.number().int().min(1).max(1_000).default(100).describe('At most so many, the newest.'),
  before: z.coerce.number().int().nonnegative().optional().describe('`next_before` of the page behind it.'),
});
export const sessionAnswerSchema = z.object({
  session: sessionSchema,
  rows: z.array(rowSchema).optional(),
  next_before: z.number().int().nullable().optional().describe('null = there are no older ones.'),
});

export const sessionsQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(100),
  after: z.string().max(200).optional().describe('The last session of the page before.'),
});
export const sessionListSchema = z.object({ sessions: z.array(sessionSchema), has_more: z.boolean() });

export const spanQuerySchema = z.object({
  from: z.coerce.number().int().optional(),
  to: z.coerce.number().int().optional().describe('Excluded.'),
});
export const usageAnswerSchema = z.object({
  requests: z.number().int(),
  ...usage,
  uncounted: z.number().int().describe('Requests of which a figure is in no sum.'),
  costs: z.array(z.object({ nano: z.number().int(), currency: z.string() })),
});

export const stoppedSchema = z.object({ status: z.literal('stopping') });

const tokensOf = ({ inputTokens, cachedTokens, outputTokens }: TokenSums) => ({
  input_tokens: inputTokens,
  cached_tokens: cachedTokens,
  output_tokens: outputTokens,
});

export const usageForm = ({ requests, uncounted, costs, ...sums }: UsageSums) =>
  ({ requests, ...tokensOf(sums), uncounted, costs }) satisfies z.infer<typeof usageAnswerSchema>;

/** Addresses of this machine stay here: what lies in the session is read by its id. */
export const fileForm = ({ id, name, mime, bytes, path, url }: ResultFile) => ({
  id,
  name,
  mime,
  bytes,
  href: path === null ? null : `/v1/files/${id}`,
  url: path === null ? url : null,
});

export const answerForm = ({
  content,
  status,
  sessionId,
  turnId,
  files,
  usage: sums,
  error,
}: AgentResponse) =>
  ({
    content,
    status,
    session_id: sessionId,
    turn_id: turnId,
    files: files.map(fileForm),
    usage: sums && tokensOf(sums),
    error,
  }) satisfies z.infer<typeof answerSchema>;

export type SessionForm = z.infer<typeof sessionSchema>;

/** Field by field, since a session also has a folder. */
export const sessionForm = ({
  id,
  title,
  profileId,
  model,
  status,
  thread,
  createdAt,
  updatedAt,
}: ProgramSession): SessionForm => ({
  id,
  title,
  profile: profileId,
  model,
  status,
  thread,
  created_at: createdAt,
  updated_at: updatedAt,
});
