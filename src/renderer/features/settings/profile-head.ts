/** What a profile takes of every prompt before a word is said: its texts and its tools. Pure. */
import { guessTokens } from '../../../rules/token-guess.ts';
import type { Profile } from '../../../protocol/model.ts';
import type { ToolFacts } from '../../../protocol/profile-methods.ts';

export interface HeadCost {
  tools: number;
  texts: number;
}

/** Estimated; null = not known yet, or a tool that nobody here knows. `commonPersona` is that of all profiles. */
export function headCost(
  { tools, systemPrompt, persona }: Profile,
  facts: readonly ToolFacts[] | null,
  commonPersona: string | null,
): HeadCost | null {
  if (facts === null || commonPersona === null) return null;
  let tokens = 0;
  for (const name of tools) {
    const known = facts.find((fact) => fact.name === name);
    if (!known) return null;
    tokens += known.tokens;
  }
  return { tools: tokens, texts: tokensOf((persona || commonPersona) + systemPrompt) };
}

/** Estimated. */
export const tokensOf = (text: string): number => guessTokens(text.length);

/**
 * The same tools with one more or less. What stays keeps its order, and one that comes stands where the list has it:
 * taken away and put back it gives the same head.
 */
export function withTool(chosen: readonly string[], name: string, list: readonly string[]): string[] {
  if (chosen.includes(name)) return chosen.filter((other) => other !== name);
  const place = list.indexOf(name);
  const next = chosen.findIndex((other) => list.indexOf(other) > place);
  return chosen.toSpliced(next === -1 ? chosen.length : next, 0, name);
}

/** "Writer" → "Writer copy", and the next free number where that is taken. */
export function freeName(wanted: (nth: number) => string, taken: readonly string[]): string {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  let nth = 1;
  while (known.has(wanted(nth).toLowerCase())) nth += 1;
  return wanted(nth);
}
