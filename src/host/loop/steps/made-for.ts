/** Whether the tool that a led model has found is made for what was asked, in its own judgement. */
import { grammar, object, oneOfValues, anyText } from '../../../rules/grammar/schema.ts';
import { AndironError } from '../../../protocol/errors.ts';
import { parseJson } from '../../../protocol/json.ts';
import type { RequestScope } from '../ports.ts';
import { askSide } from '../request/ask-side.ts';

/** Its words are a part of the question: asked whether it fits, the larger of two small models said yes to all. */
const key = 'made_for_this_question';
const format = grammar(object({ [key]: oneOfValues(['no', 'yes']) ?? anyText() }));
const maxTokens = 40;

/** Behind the result that shows the tool, in front of the call. True where nothing could be learnt, and after Stop. */
export async function isMadeForThis(scope: RequestScope, signal: AbortSignal): Promise<boolean> {
  const messages = scope.history.log.messages();
  const call = messages.findLastIndex(({ role }) => role === 'assistant');
  const limits = { purpose: 'correction', maxTextTokens: maxTokens, temperature: 0 } as const;
  try {
    const { text } = await askSide({ messages: messages.slice(0, call), format, ...limits }, scope, signal);
    return (parseJson(text) as Record<string, unknown> | null)?.[key] !== 'no';
  } catch (error) {
    if (!signal.aborted && !(error instanceof AndironError || error instanceof SyntaxError)) throw error;
    return true;
  }
}
