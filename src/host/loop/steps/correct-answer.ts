/**
 * The answer of a turn in which nothing was done of what was to be done. It is asked once more on the live prefix, with that
 * fact in front of the message: a small model says "done" since it was asked to do something.
 */
import { parseJson } from '../../../protocol/json.ts';
import { replySchema } from '../calls/constrained.ts';
import type { RequestScope } from '../ports.ts';
import { askSide } from '../request/ask-side.ts';

const maxTokens = 300;
const answerGrammar = replySchema({ tools: [], mayCall: false, mayAnswer: true });

/** @param line the fact, with the message behind it. Null = it has nothing else to say. Throws what the provider throws. */
export async function correctedAnswer(
  text: string,
  line: string,
  scope: RequestScope,
  signal: AbortSignal,
): Promise<string | null> {
  const messages = [
    ...scope.history.log.messages(),
    { role: 'assistant' as const, content: text, thinking: '', calls: [] },
    { role: 'user' as const, content: line },
  ];
  const limits = { purpose: 'correction', maxTextTokens: maxTokens, temperature: 0 } as const;
  const { text: reply } = await askSide({ messages, format: answerGrammar, ...limits }, scope, signal);
  const answer = answerIn(reply);
  return answer === null || answer === text.trim() ? null : answer;
}

function answerIn(reply: string): string | null {
  try {
    const value = parseJson(reply);
    if (typeof value !== 'object' || value === null || !('answer' in value)) return null;
    return typeof value.answer === 'string' && value.answer.trim() !== '' ? value.answer.trim() : null;
  } catch {
    return null;
  }
}
