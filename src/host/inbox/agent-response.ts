/** What the sender of a message is told of its turn, in the words that programs know (S13-S16, N2). */
import type { AgentResponse } from '../../protocol/inbox-methods.ts';
import { overBudgetText } from '../../rules/budget.ts';
import type { RunResult } from '../sessions/run-to-text.ts';

/** N2, to the letter: the sender need not know what happened in here. */
export const internalError = 'I encountered an internal error. Please try again.';
/** Behind an answer that its output limit ended (B8, Y10). */
const cutShort = '[The answer was cut off at the output limit.]';
/** Whatever the model says about it. */
const notApproved = '(Part of this needed approval and was not approved in time, so it was not done.)';
/** S15, behind what was said until then. */
const stepLimit = 'max agentic loop iterations reached';
/** S16 */
const emptyReply = 'model returned empty response';
/** S14. Both commands are taken as messages. */
const contextLimit = ({ usedTokens, windowTokens }: NonNullable<RunResult['overflow']>): string =>
  `context limit exceeded (${String(usedTokens)}/${String(windowTokens)} estimated tokens). Run \`/compact\` or \`/session new\` and retry`;

const statusOf = {
  finished: 'answered',
  max_iterations: 'step_limit',
  stopped: 'stopped',
} as const satisfies Partial<Record<RunResult['status'], AgentResponse['status']>>;

/** 8 and 9. The loop has run and all of it is kept: what is left is to say so. */
export function toResponse(
  sessionId: string,
  { status, text, code, cut, timedOut, overflow, turnId, files, usage }: RunResult,
): AgentResponse {
  const turn = { sessionId, turnId, files, usage };
  if (status === 'finished' || status === 'max_iterations' || status === 'stopped')
    return {
      ...turn,
      content: [
        text,
        timedOut ? notApproved : '',
        cut ? cutShort : status === 'max_iterations' ? stepLimit : '',
      ]
        .filter((part) => part !== '')
        .join('\n\n'),
      status: statusOf[status],
      error: null,
    };
  const error = { code: code ?? 'internal', message: text };
  // Used up on the way: what was written until then is in the conversation.
  if (code === 'over_budget') return { ...turn, content: overBudgetText, status: 'refused', error };
  const known = code === 'empty_reply' ? emptyReply : overflow ? contextLimit(overflow) : internalError;
  return { ...turn, content: known, status: 'failed', error };
}

/** Of what was never talked. */
export const early = (
  content: string,
  status: AgentResponse['status'],
  error: AgentResponse['error'],
): AgentResponse => ({ content, status, sessionId: null, turnId: null, files: [], usage: null, error });
