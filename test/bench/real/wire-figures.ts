/** What the replies of one turn cost, by what passed on the wire: it also holds what was cut off and never counted. */
import { z } from 'zod';
import type { Passed } from './wire-tap.ts';

/** A reply over this many tokens is a runaway. */
export const maxReplyTokens = 2000;
/** So is a turn over this many tokens in replies of which nothing came. */
export const maxWastedTokens = 600;

export interface ReplyFigures {
  replies: number;
  /** Of the longest reply. */
  longestReply: number;
  /**
   * Tokens of replies of which nothing was kept: the next request of the turn holds no further reply than theirs did. So
   * re-asked replies count, and openings as well; the last reply counts where the turn did not end with an answer.
   */
  wastedTokens: number;
  isRunaway: boolean;
}

const requestSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.string().nullish() })),
});

const lineSchema = z.looseObject({
  message: z
    .looseObject({
      content: z.string().nullish(),
      thinking: z.string().nullish(),
      tool_calls: z.array(z.unknown()).nullish(),
    })
    .nullish(),
  eval_count: z.number().nullish(),
});

/** @param ask tells the turn's requests from those with which a model is probed meanwhile */
export function replyFigures(passed: readonly Passed[], ask: string, hasEnded: boolean): ReplyFigures {
  const replies = passed.flatMap(({ body, answer }) => {
    const request = parsed(requestSchema, body);
    const isOurs = request?.messages.some(({ role, content }) => role === 'user' && content?.includes(ask));
    if (request === null || isOurs !== true) return [];
    const before = request.messages.filter(({ role }) => role === 'assistant').length;
    return [{ before, tokens: tokensOf(answer) }];
  });
  const wasted = replies.filter(({ before }, at) => {
    const next = replies[at + 1];
    return next === undefined ? !hasEnded : next.before <= before;
  });
  const longestReply = Math.max(0, ...replies.map(({ tokens }) => tokens));
  const wastedTokens = wasted.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    replies: replies.length,
    longestReply,
    wastedTokens,
    isRunaway: longestReply > maxReplyTokens || wastedTokens > maxWastedTokens,
  };
}

/** As the engine counted; of a reply that was cut off each line that says something is a token. */
function tokensOf(answer: string): number {
  const lines = answer
    .split('\n')
    .map((line) => parsed(lineSchema, line))
    .filter((line) => line !== null);
  const counted = lines.findLast(({ eval_count: count }) => typeof count === 'number')?.eval_count;
  if (typeof counted === 'number') return counted;
  return lines.filter(({ message }) => {
    const { content, thinking, tool_calls: calls } = message ?? {};
    return (content ?? '') !== '' || (thinking ?? '') !== '' || (calls ?? []).length > 0;
  }).length;
}

function parsed<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  if (text.trim() === '') return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
