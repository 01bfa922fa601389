/**
 * What a model noted counts only where the person's conversation bears it out. The model that is asked has seen files
 * and web pages too, and these may say anything about the user, also on purpose.
 */
import type { StoredMessage } from '../store/context.ts';
import { tellingWords, wordsOf } from './words.ts';

/** Of what was said and of what tools brought, the newest; parting the latter takes some 60 ms. */
const saidCap = 60_000;
const toolCap = 400_000;

/**
 * Words of the person count, and those of the model's own text unless it may have them from a tool. Thinking, calls and
 * results count for nothing.
 */
export function whatWasSaid(messages: readonly StoredMessage[]) {
  const contents = (role: StoredMessage['role']): string[] =>
    messages.filter((message) => message.role === role).map(({ content }) => content);

  const person = stems(contents('user'), saidCap);
  const tools = stems(contents('tool'), toolCap);
  const model = [...stems(contents('assistant'), saidCap)].filter((word) => !tools.has(word));
  const said = new Set([...person, ...model]);
  return {
    /** At least half of what the statement says was said. */
    bearsOut: (statement: string): boolean => isWithin(statement, said, 1 / 2),
  };
}

/** Whether at least this share of the words that mean something is among the stems. */
export function isWithin(statement: string, known: ReadonlySet<string>, least: number): boolean {
  const words = tellingWords(statement);
  const found = words.filter((word) => known.has(stem(word)));
  return found.length > 0 && found.length >= words.length * least;
}

export const stems = (texts: readonly string[], cap = saidCap): Set<string> =>
  new Set(wordsOf(texts.join('\n').slice(-cap), cap).map(stem));

/** Crude on purpose: prefers, preferred and prefer are one, in most languages. */
const stem = (word: string): string => word.slice(0, 6);
