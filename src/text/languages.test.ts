import { expect, it } from 'vitest';
import { languageFor } from './languages.ts';

it('the first wanted language that is here is taken, whatever its region', () => {
  expect(languageFor(['tlh', 'EN-gb', 'de'])).toBe('en');
  expect(languageFor(['fr', 'de-AT', 'en'])).toBe('de');
});

it('English stands in for languages that are not here, and names of properties are none', () => {
  expect(languageFor(['tlh', 'constructor'])).toBe('en');
  expect(languageFor([])).toBe('en');
});
