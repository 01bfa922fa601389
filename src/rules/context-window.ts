/** How much context a model is used with: what is wished, as far as the model is known to hold it (I7). */
import { defaultContextTokens } from '../protocol/profile-limits.ts';

/** Every model that can work with tools holds this much. */
export const unknownContextTokens = 8_192;

export interface ContextWish {
  tokens: number;
  /** What the model was trained for, by the engine or the host; null = neither says. */
  trained: number | null;
  /** A person has named this size for this model. A profile that is not at its default names it too. */
  named?: boolean;
}

/** `isAssumed`: nobody knows what the model holds, so less is used than the default asks for. */
export function contextWindow({ tokens, trained, named = false }: ContextWish): {
  tokens: number;
  isAssumed: boolean;
} {
  if (trained !== null) return { tokens: Math.min(tokens, trained), isAssumed: false };
  const isAssumed = !named && tokens === defaultContextTokens;
  return { tokens: isAssumed ? unknownContextTokens : tokens, isAssumed };
}
