/**
 * The opening of a turn: one request on the live prefix, under a grammar, in which the model says what it is about to do.
 * Nothing of it is kept in the log: the conversation goes on as the model was taught, a call behind the message.
 */
import type { TurnPermission } from '../../../protocol/model.ts';
import { makeRoom } from '../compact.ts';
import type { RequestScope } from '../ports.ts';
import { askSide } from '../request/ask-side.ts';
import { Steps } from '../steps/steps.ts';
import { cautiousSteps, openingGrammar, readOpening, scopeOf } from './turn-acts.ts';

/** Four steps of sixty characters, in any script. */
const maxTokens = 400;

/**
 * @param allow what the person allowed besides.
 * Throws what the provider throws: `grammar_refused` where the engine takes no grammar.
 */
export async function openTurn(
  allow: readonly TurnPermission[],
  scope: RequestScope,
  signal: AbortSignal,
): Promise<{ steps: Steps; inForm: boolean }> {
  makeRoom(scope);
  const messages = scope.history.log.messages();
  const limits = { maxTextTokens: maxTokens, temperature: 0 };
  const { text } = await askSide({ messages, format: openingGrammar, ...limits }, scope, signal);
  const read = readOpening(text);
  return { steps: new Steps(scopeOf(read ?? cautiousSteps, allow), allow), inForm: read !== null };
}
