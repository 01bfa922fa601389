import { expect, it } from 'vitest';
import { liveTexts } from './live-texts.ts';

const english = { yes: 'Yes', days: ['Mo'], files: { open: 'Open', many: (n: number) => `${n} files` } };
const german = { yes: 'Ja', days: ['Mo.'], files: { open: 'Öffnen', many: (n: number) => `${n} Dateien` } };

it('parts that were taken in one language speak the next one', () => {
  const { texts, speak } = liveTexts(english);
  const { files } = texts;
  const { many } = files;
  speak(german);
  expect([texts.yes, texts.days, files.open, many(3)]).toEqual(['Ja', ['Mo.'], 'Öffnen', '3 Dateien']);
});

it('a change of language leaves the dictionaries themselves as they are', () => {
  const { texts, speak } = liveTexts(english);
  speak(german);
  speak(english);
  expect([texts.files.open, texts.files.many(1), german.files.open]).toEqual(['Open', '1 files', 'Öffnen']);
});
