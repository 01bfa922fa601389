/** What of a counted prompt is no conversation. */
import type { ContextMessage, PromptHead } from '../providers/provider.ts';
import { textKey } from './ledger/pieces.ts';
import { charactersPerToken } from '../../rules/token-guess.ts';
import { estimateHead, estimatePrompt } from './token-estimate.ts';

export interface ContextParts {
  headTokens: number;
  /** null = the first message does not begin with it. */
  openingTokens: number | null;
  /** Tells the model and the texts that they were counted of from others. */
  of?: number | undefined;
}

export interface CountedPrompt {
  model: string;
  head: PromptHead;
  messages: readonly ContextMessage[];
  opening: string;
  promptTokens: number;
}

/**
 * The engine counts a prompt as one: its parts by the shares that their texts have of the guess. They are told apart once,
 * when there is little beside them: the shares move as the conversation grows, and these texts do not.
 */
export function contextParts(prompt: CountedPrompt, known: ContextParts | undefined): ContextParts {
  const { model, head, messages, opening, promptTokens } = prompt;
  const first = messages.find(({ role }) => role === 'user');
  const of = textKey(JSON.stringify([model, head, first?.content ?? '']));
  if (known?.of === of && known.headTokens + (known.openingTokens ?? 0) <= promptTokens) return known;
  const guess = estimatePrompt(head, messages, null);
  const share = guess === 0 ? 0 : promptTokens / guess;
  const begins = opening !== '' && first?.content.startsWith(opening) === true;
  const length = (first?.role === 'user' && first.opening) || (begins ? opening.length : 0);
  return {
    headTokens: Math.round(estimateHead(head) * share),
    openingTokens: length > 0 ? Math.round((length / charactersPerToken) * share) : null,
    of,
  };
}
