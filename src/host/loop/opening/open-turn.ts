/**
 * The opening of a turn: one request on the live prefix, under a grammar, in which the model says what it is about to do.
 * Nothing of it is kept in the log: the conversation goes on as the model was taught, a call behind the message.
 */
import type { TurnPermission } from '../../../protocol/model.ts';
import { makeRoom } from '../compact.ts';
import type { RequestScope } from '../ports.ts';
import { askSide, type SideQuestion } from '../request/ask-side.ts';
import { Steps } from '../steps/steps.ts';
import { cautiousSteps, openingGrammar, readOpening, scopeOf, type ScopeStep } from './turn-acts.ts';

/** Four steps of sixty characters, in any script. */
const maxTokens = 400;

export interface OpeningReply {
  /** null = it is no opening. */
  steps: ScopeStep[] | null;
  /** It ended in a thought, so nothing is known of its openings. */
  isThought: boolean;
}

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
  const { steps } = await askOpening({ maxTextTokens: maxTokens }, scope, signal);
  return { steps: new Steps(scopeOf(steps ?? cautiousSteps, allow), allow), inForm: steps !== null };
}

/** Throws what the provider throws. */
export async function askOpening(
  limits: Pick<SideQuestion, 'maxTextTokens' | 'maxThinkingTokens'>,
  scope: RequestScope,
  signal: AbortSignal,
): Promise<OpeningReply> {
  const messages = scope.history.log.messages();
  const question = { messages, format: openingGrammar, temperature: 0, ...limits };
  const { text, thinking } = await askSide(question, scope, signal);
  return { steps: readOpening(text), isThought: text.trim() === '' && thinking.trim() !== '' };
}
