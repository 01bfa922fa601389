/**
 * Where the model has read what the person did not write, a fact is told in the person's own words or not at all: each of
 * its words stands in one message of theirs, or is one of a few plain names that carry no instruction.
 */
import type { PlainFact } from './facts.ts';
import { wordsOf } from './words.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** What a fact may be called though the person did not say the word. Nouns and plain attributes alone: none can order. */
const plainNames = words(`
  person personal identity profile general preference preferences project projects work environment decision decisions
  interest interests skill skills goal habit family pet contact health education
  name first last full nickname pronouns age birthday birthplace nationality native language languages country city town
  location place home address timezone time zone role job title profession occupation employer company team department
  hobby hobbies topic subject field style tone format units theme color colour font size length diet food drink music
  sport favorite favourite preferred main primary current new old default
  editor ide shell terminal browser os operating system platform distribution computer machine hardware gpu cpu
  programming framework library database stack tool tools version formatter linter indentation tabs spaces deadline
  status stage client customer partner child children
`);

/** Between the words of a value. No negation: it would turn round what was said. */
const valueGlue = words(
  'a an the and of in at on to for with is are was from by as it its i my me user their they person s',
);

/** Between the facts of a description. */
const sentenceGlue = new Set([
  ...valueGlue,
  ...words(`who has he she his her called named name live living work working job use using prefer preferring like want
    based speak fact also currently`),
]);

/** The newest of what was said. */
const maxCharacters = 60_000;

/** @param messages what the person said, old to new. */
export function ownWords(messages: readonly string[]) {
  let room = maxCharacters;
  const said: ReadonlySet<string>[] = [];
  for (const text of messages.toReversed()) {
    if (room <= 0) break;
    said.push(formsIn(text.slice(0, room), room));
    room -= text.length;
  }
  return {
    // One message bears out all of it: words of many messages can be put together to anything.
    /** Category, key and value. */
    bearOut: ({ category, key, value }: PlainFact): boolean =>
      !isOnly(value, valueGlue) &&
      said.some(
        (forms) => isMadeOf(`${category} ${key}`, forms, plainNames) && isMadeOf(value, forms, valueGlue),
      ),
  };
}

/** Whether a description of the person in the third person says nothing but what its basis says. */
export function isToldBy(sentence: string, basis: readonly string[]): boolean {
  const text = basis.join('\n');
  return !isOnly(sentence, sentenceGlue) && isMadeOf(sentence, formsIn(text, maxCharacters), sentenceGlue);
}

const isOnly = (text: string, glue: ReadonlySet<string>): boolean =>
  wordsOf(text).every((word) => glue.has(word));

function isMadeOf(text: string, forms: ReadonlySet<string>, glue: ReadonlySet<string>): boolean {
  return wordsOf(text).every((word) => formsOf(word).some((form) => glue.has(form) || forms.has(form)));
}

const formsIn = (text: string, cap: number): ReadonlySet<string> =>
  new Set(wordsOf(text, cap).flatMap(formsOf));

/** The word and what is left of it without an ending of grammar: live, lives, lived. An address has no such forms. */
function formsOf(word: string): string[] {
  if (!/^\p{L}+$/u.test(word)) return [word];
  return [
    word,
    ...['s', 'es', 'd', 'ed', 'ing']
      .filter((ending) => word.endsWith(ending) && word.length >= ending.length + 3)
      .map((ending) => word.slice(0, -ending.length)),
  ];
}
