/**
 * Tokens of a whole session, turn by turn and over restarts. null = nobody has said: unknown, never 0. The reducer runs in
 * the window too, which must not load zod: it tries to evaluate code, and the page's policy refuses that.
 */
import type { SessionTokens } from './session-tokens-schema.ts';

interface CountedRequest {
  iteration: number;
  parentCallId?: string | undefined;
  promptTokens: number | null;
  outputTokens: number | null;
}

const nothingKnown: SessionTokens = {
  promptTokens: null,
  outputTokens: null,
  uncounted: 0,
  lastPromptTokens: null,
  lastOutputTokens: null,
  contextTokens: null,
};

export function addRequest(before: SessionTokens | undefined, request: CountedRequest): SessionTokens {
  const sums = before ?? nothingKnown;
  const { promptTokens, outputTokens } = request;
  const isConversation = request.iteration > 0 && request.parentCallId === undefined;
  return {
    ...sums,
    promptTokens: sum(sums.promptTokens, promptTokens),
    outputTokens: sum(sums.outputTokens, outputTokens),
    uncounted: sums.uncounted + (promptTokens === null || outputTokens === null ? 1 : 0),
    ...(isConversation && { lastPromptTokens: promptTokens, lastOutputTokens: outputTokens }),
  };
}

export function withContext(before: SessionTokens | undefined, contextTokens: number): SessionTokens {
  return { ...(before ?? nothingKnown), contextTokens };
}

/** Of a copy, which has the turns and no totals of its own. undefined = nothing is known at all. */
export function countTurns(
  turns: readonly { usage: readonly CountedRequest[] }[],
  contextTokens: number | null,
): SessionTokens | undefined {
  const counted = turns
    .flatMap(({ usage }) => usage)
    .reduce<SessionTokens | undefined>((before, request) => addRequest(before, request), undefined);
  return contextTokens === null ? counted : withContext(counted, contextTokens);
}

const sum = (before: number | null, more: number | null): number | null =>
  more === null ? before : (before ?? 0) + more;
