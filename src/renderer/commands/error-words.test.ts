import { afterEach, expect, it } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import { de } from '../../text/de/index.ts';
import { firstDictionary } from '../../text/dictionaries.ts';
import { speakFrom } from '../text.ts';
import { wordsOf } from './error-words.ts';

afterEach(() => speakFrom(firstDictionary));

const missing = new AndironError(
  'model_missing',
  'qwen3:8b is not installed.',
  'Get it in Settings, Models.',
);

it('An error of the host is said in its own words in English', () => {
  expect(wordsOf(missing)).toEqual({
    message: 'qwen3:8b is not installed.',
    advice: 'Get it in Settings, Models.',
  });
});

it('An error of the host is said by its code in German, and its own words follow', () => {
  speakFrom(de);
  expect(wordsOf(missing)).toEqual({
    message: de.errorHeads.model_missing,
    advice: 'qwen3:8b is not installed. Get it in Settings, Models.',
  });
});

it('An error without a code, or with one that nobody knows, stays as it is in German', () => {
  speakFrom(de);
  const words = [new Error('boom'), Object.assign(new Error('odd'), { code: 'constructor' }), 'text'].map(
    wordsOf,
  );
  expect(words.map(({ message }) => message)).toEqual(['boom', 'odd', 'text']);
});
