/**
 * The answer of a turn in which nothing was done of what was to be done, or that only says over what it was to be about. It
 * is asked once more on the live prefix, with that fact in front of the message.
 */
import { grammar, object, anyText } from '../../../rules/grammar/schema.ts';
import { parseJson } from '../../../protocol/json.ts';
import type { RequestScope } from '../ports.ts';
import { askSide } from '../request/ask-side.ts';

const maxTokens = 300;

/** Asked for an answer once more, a small model says over that it is to say what was done, or invents what was not found. */
const keys = { answer: 'answer', done: 'what_was_done', missed: 'answer_why_not' } as const;

export interface Correction {
  /** Stands in front of the message; '' = nothing. */
  fact: string;
  /** `done`: something was changed or run, and all that the answer lacks is to tell it. `missed`: nothing was found. */
  asks: keyof typeof keys;
}

/** @param line the fact, with the message behind it. Null = it has nothing else to say. Throws what the provider throws. */
export async function correctedAnswer(
  text: string,
  { line, asks }: { line: string } & Pick<Correction, 'asks'>,
  scope: RequestScope,
  signal: AbortSignal,
): Promise<string | null> {
  const messages = [
    ...scope.history.log.messages(),
    { role: 'assistant' as const, content: text, thinking: '', calls: [] },
    { role: 'user' as const, content: line },
  ];
  const limits = { purpose: 'correction', maxTextTokens: maxTokens, temperature: 0 } as const;
  const key = keys[asks];
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
