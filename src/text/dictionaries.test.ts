import { expect, it } from 'vitest';
import { de } from './de/index.ts';
import { dictionaryOf } from './dictionaries.ts';
import { en } from './en/index.ts';

it('each language is fetched with its own dictionary', async () => {
  expect(await dictionaryOf('en')).toBe(en);
  expect(await dictionaryOf('de')).toBe(de);
});
