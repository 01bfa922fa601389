/** Stands in for `src/text/languages.ts`: English with every text a third longer, to see where there is no room. */
import type { Dictionary } from '../../src/text/languages.ts';
import { en } from '../../src/text/en/index.ts';

export function languageFor(): { language: string; dictionary: Dictionary } {
  return { language: 'en', dictionary: stretch(en) as Dictionary };
}

function stretch(value: unknown): unknown {
  if (typeof value === 'string') return longer(value);
  if (typeof value === 'function') {
    return (...about: unknown[]) => stretch((value as (...given: unknown[]) => unknown)(...about));
  }
  if (Array.isArray(value)) return value.map(stretch);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, stretch(inner)]));
}

/** Vowels doubled until it is a third longer; figures and names stay as they are. */
function longer(text: string): string {
  let wanted = Math.ceil(text.length * 0.35);
  return text.replace(/[aeiou](?=[a-z])/g, (vowel) => {
    wanted -= 1;
    return wanted >= 0 ? vowel + vowel : vowel;
  });
}
