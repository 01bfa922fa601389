/**
 * One set of texts that can change its language: whoever took a part of it reads the new words from then on.
 * Objects and functions keep their identity, texts and lists are replaced, so only who copied a text keeps the old one.
 */

type Speech = Record<string, unknown>;

export interface LiveTexts<T> {
  texts: T;
  /** From now on they are those of `next`. */
  speak: (next: T) => void;
}

export function liveTexts<T extends object>(first: T): LiveTexts<T> {
  const { texts, speak } = liveNode(first as Speech);
  return { texts: texts as T, speak: speak as (next: T) => void };
}

function liveNode(first: Speech): LiveTexts<Speech> {
  const texts: Speech = {};
  const followers = Object.keys(first).map((key): ((next: Speech) => void) => {
    const text = first[key];
    if (typeof text === 'function') {
      let current = text;
      texts[key] = (...about: unknown[]): unknown => Reflect.apply(current, undefined, about);
      return (next) => {
        if (typeof next[key] === 'function') current = next[key];
      };
    }
    if (typeof text === 'object' && text !== null && !Array.isArray(text)) {
      const inner = liveNode(text as Speech);
      texts[key] = inner.texts;
      return (next) => inner.speak(next[key] as Speech);
    }
    texts[key] = text;
    return (next) => {
      texts[key] = next[key];
    };
  });
  return { texts, speak: (next) => followers.forEach((follow) => follow(next)) };
}
