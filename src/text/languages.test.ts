import { expect, it } from 'vitest';
import { en } from './en/index.ts';
import { languageFor } from './languages.ts';

it('the first wanted language that is here is taken, whatever its region', () => {
  expect(languageFor(['tlh', 'EN-gb', 'fr'])).toEqual({ language: 'en', dictionary: en });
});

it('English stands in for languages that are not here, and names of properties are none', () => {
  expect(languageFor(['tlh', 'constructor']).language).toBe('en');
  expect(languageFor([]).language).toBe('en');
});
