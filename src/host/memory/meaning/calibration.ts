/**
 * How far apart two texts of a model may be and still mean the same. Models differ too much for one number: with one of them
 * unrelated texts are 0.95 apart, with another 0.24. So each is measured once, on facts of nobody, questions that ask for
 * one of them, and requests that have nothing to do with any.
 */
import { distance } from './nearest.ts';

/** Of pairs that do not belong together so many may be taken to: a fact in vain now and then, not in every message. */
const wrongShare = 0.01;
/** Further apart nothing is related, whatever a model makes of these texts. */
const maxDistance = 0.75;

/** A fact, and what somebody could write who wants to know it in other words. */
const asked = [
  ['favourite editor: Helix', 'Which program do I like to write code in?'],
  ['home town: Lisbon', 'Where do I live?'],
  ['diet: vegetarian', 'What could I cook for myself tonight that has no meat?'],
  ['birthday: 14 March', 'When do I turn a year older?'],
  ['dog: a beagle called Momo', "What is my pet's name?"],
  ["job: nurse in a children's hospital", 'What do I do for a living?'],
  ['native language: Portuguese', 'Which tongue did I grow up with?'],
  ['main project: a weather station on a Raspberry Pi', 'What am I building at the moment?'],
  ['sport: climbs twice a week', 'How do I keep fit?'],
  ['allergy: peanuts', 'Which food makes me ill?'],
  ['children: two daughters, six and nine', 'How old are my kids?'],
  ['indentation: two spaces', 'How should source lines be shifted to the right?'],
  ['test runner: pytest', 'With what do we check that our Python code works?'],
  ['operating system: Debian', 'Which Linux is on my machine?'],
  ['deadline: thesis due in June', 'By when must I hand in my dissertation?'],
  ['music: plays the cello', 'Which instrument do I practise?'],
  ['car: an old electric Renault', 'What do I drive?'],
  ['answers: short, without examples', 'How long should your replies to me be?'],
  ['time zone: UTC+1', 'What hour is it where I am?'],
  ['partner: Jonas, an architect', 'Who am I together with?'],
] as const;

const unrelated = [
  'Fix the failing build and tell me what was wrong.',
  'Rename the function parseDate in all files.',
  'Summarise this page in three sentences.',
  'Why does this query take ten seconds?',
  'Write a regular expression for hexadecimal colours.',
  'Explain the difference between a mutex and a semaphore.',
  'Translate the heading into French.',
  'List the largest files in this folder.',
  'What is the capital of Mongolia?',
  'Convert the table to CSV.',
  'Thanks, that works. Go on with the next step.',
  'Draft an email that moves the meeting to Friday.',
  'Undo the last change.',
  'How do black holes evaporate?',
  'Add a dark theme to the settings page.',
];

/** In this order. */
export const calibrationTexts: readonly string[] = [
  ...asked.map(([fact]) => fact),
  ...asked.map(([, question]) => question),
  ...unrelated,
];

/** @param vectors of the texts above, in their order. Two texts that are less far apart are taken to mean the same. */
export function boundOf(vectors: readonly Float32Array[]): number {
  const facts = vectors.slice(0, asked.length);
  const messages = vectors.slice(asked.length);
  const apart = messages
    .flatMap((message, at) => facts.filter((_, fact) => fact !== at).map((fact) => distance(message, fact)))
    .toSorted((a, b) => a - b);
  return Math.min(maxDistance, apart[Math.floor(apart.length * wrongShare)] ?? 0);
}
