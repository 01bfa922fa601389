import { afterEach, expect, test } from 'vitest';
import { dictionaryOf, firstDictionary } from '../../text/dictionaries.ts';
import { speakFrom } from '../text.ts';
import { rereadWords } from './reread-words.ts';

afterEach(() => speakFrom(firstDictionary));

const checked = 'Andiron checked in between what the model can do.';

test('A cause that the host told is said once, in the language of the window', async () => {
  const reread = { cause: 'own_question', owner: 'andiron', tokens: 1254, detail: checked } as const;
  expect(rereadWords(reread)).toBe(`Re-read 1,254 tokens. ${checked} By Andiron.`);
  speakFrom(await dictionaryOf('de'));
  expect(rereadWords(reread)).toBe(
    '1.254 Token neu gelesen. Andiron hat dazwischen geprüft, was das Modell kann. Durch Andiron.',
  );
});

test('What the host knows besides, such as the name of a program, stands behind the cause', async () => {
  speakFrom(await dictionaryOf('de'));
  const detail = 'The model was reloaded: ComfyUI had taken its memory.';
  const words = rereadWords({ cause: 'reload', owner: 'other_program', tokens: 8220, detail });
  expect(words).toContain('Das Modell wurde noch einmal geladen. The model was reloaded: ComfyUI');
});
