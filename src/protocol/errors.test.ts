import { expect, test } from 'vitest';
import { asSentence } from './errors.ts';

test.each([
  [
    'Ollama refused the grammar: failed to parse grammar',
    'Ollama refused the grammar: failed to parse grammar.',
  ],
  ['It stopped: no memory left.', 'It stopped: no memory left.'],
  ['It said "no."', 'It said "no."'],
  ['Is it (really?)', 'Is it (really?)'],
  ['It is still loading…', 'It is still loading…'],
  ['It said {"code": 500}\n', 'It said {"code": 500}.'],
  ['Ollama refused the request (403): ', 'Ollama refused the request (403).'],
  ['one two', 'one two.'],
])('The message %j ends as a sentence, whoever wrote its end', (message, sentence) => {
  expect(asSentence(message)).toBe(sentence);
  expect(asSentence(sentence)).toBe(sentence);
});
