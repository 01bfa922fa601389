/**
 * `npm run voice`: how Andiron speaks, in figures.
 *
 *   npm run voice -- [--list FIGURE]
 *
 * - texts: what a person reads: dictionaries, errors, the command line, the README;
 * - forbidden: texts with an expression that a native speaker would not use, listed in `scripts/voice/rules.ts`;
 * - two_words_for_one: texts with another word for a thing that has one;
 * - without_subject: texts with a sentence that nobody does, such as "Being read.";
 * - mixed_spelling: texts with American spelling among British;
 * - mixed_signs: texts of a dictionary with a straight apostrophe, three dots or a dash as ornament;
 * - german: German texts that are translated word by word, formal, at odds with `docs/languages.md`, or with other signs;
 * - untranslated: texts of another language that are English, without the words of `scripts/voice/same-words.json`, and words
 *   that a component says itself instead of its dictionary;
 * - kept_texts: texts that stay in the language of the moment when a module was loaded or a component drawn first;
 * - over_length: the share of sentences with more than twenty words, which may be 2 %.
 *
 * `scripts/voice/limits.json` says how far the figures are reached: the exit code is 1 where one is above its limit, and where
 * it is below, since the limit is then to be lowered.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './node.mjs';
import { germanOffences, isGerman } from './voice/german-rules.ts';
import { moduleTexts } from './voice/module-texts.ts';
import { personTexts } from './voice/person-texts.ts';
import {
  forbiddenIn,
  maxWords,
  mixedSigns,
  mixedSpelling,
  sentencesOf,
  twoWordsForOne,
  withoutSubject,
} from './voice/rules.ts';
import { untranslated } from './voice/untranslated.ts';

const maxLongShare = 0.02;

const { values } = parseArgs({ options: { list: { type: 'string' } } });
const limits = JSON.parse(readFileSync(join(root, 'scripts', 'voice', 'limits.json'), 'utf8'));

const all = personTexts();
const texts = all.filter((text) => !isGerman(text));
const sentences = sentencesOf(all);
const long = sentences.filter(({ words }) => words > maxWords);
const found = {
  forbidden: forbiddenIn(texts),
  two_words_for_one: twoWordsForOne(texts),
  without_subject: withoutSubject(texts),
  mixed_spelling: mixedSpelling(texts),
  mixed_signs: mixedSigns(texts),
  german: germanOffences(all.filter(isGerman)),
  untranslated: untranslated(),
  kept_texts: moduleTexts(),
  over_length: long.map(({ place, text, words }) => `${place}: ${words} words: ${text}`),
};
if (values.list !== undefined) for (const line of found[values.list] ?? []) console.log(line);

const share = long.length / Math.max(1, sentences.length);
const { over_length: _, ...lists } = found;
const counted = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length]));
let passed = share <= maxLongShare;
for (const [name, figure] of Object.entries(counted)) {
  const limit = limits[name] ?? 0;
  const isOk = figure === limit;
  passed &&= isOk;
  const remark = figure > limit ? `: more than ${limit}` : ': lower its limit in scripts/voice/limits.json';
  console.log(`${isOk ? 'ok  ' : 'FAIL'} ${name} ${figure}${isOk ? '' : remark}`);
}
console.log(`${share <= maxLongShare ? 'ok  ' : 'FAIL'} over_length ${(share * 100).toFixed(1)} %`);
console.log(JSON.stringify({ voice: { texts: all.length, ...counted, over_length: share } }));
process.exitCode = passed ? 0 : 1;
