/**
 * The answer of a turn in which nothing was done of what was to be done, or that only says over what it was to be about. It
 * is asked once more on the live prefix, with that fact in front of the message.
 */
import { grammar, object, anyText } from '../../../rules/grammar/schema.ts';
import { parseJson } from '../../../protocol/json.ts';
import type { RequestScope } from '../ports.ts';
import { askSide } from '../request/ask-side.ts';

const maxTokens = 300;

/** Where something was done, a small model asked for an answer says once more that it is to say so. */
const keyOf = (isDone: boolean): string => (isDone ? 'what_was_done' : 'answer');

export interface Correction {
  /** Stands in front of the message; '' = nothing. */
  fact: string;
  /** Something was changed or run, and all that the answer lacks is to tell it. */
  isDone: boolean;
}

/** @param line the fact, with the message behind it. Null = it has nothing else to say. Throws what the provider throws. */
export async function correctedAnswer(
  text: string,
  { line, isDone }: { line: string } & Pick<Correction, 'isDone'>,
  scope: RequestScope,
  signal: AbortSignal,
): Promise<string | null> {
  const messages = [
    ...scope.history.log.messages(),
    { role: 'assistant' as const, content: text, thinking: '', calls: [] },
    { role: 'user' as const, content: line },
  ];
  const limits = { purpose: 'correction', maxTextTokens: maxTokens, temperature: 0 } as const;
  const key = keyOf(isDone);
  const format = grammar(object({ [key]: anyText({ minLength: 1 }) }));
  const { text: reply } = await askSide({ messages, format, ...limits }, scope, signal);
  const answer = answerIn(reply, key);
  return answer === null || answer === text.trim() ? null : answer;
}

function answerIn(reply: string, key: string): string | null {
  try {
    const answer = (parseJson(reply) as Record<string, unknown> | null)?.[key];
    return typeof answer === 'string' && answer.trim() !== '' ? answer.trim() : null;
  } catch {
    return null;
  }
}
