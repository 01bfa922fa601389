import { expect, test } from 'vitest';
import { personMessage } from '../../prompt/person-message.ts';
import type { ReplyOptions } from '../calls/constrained.ts';
import { offered as tools } from '../calls/testing.ts';
import { offerOf } from './offer.ts';

const offerFor = (step: string, words: string): ReplyOptions =>
  offerOf({
    tools,
    acts: ['change'],
    named: { message: personMessage(words), step },
    entries: ['memo.txt'],
    calls: [],
  });
const namesOf = ({ tools: some }: ReplyOptions): string[] => some.map(({ name }) => name);

test('A file that is not there is not made by a step to replace all of it: it is read, which says so', () => {
  const options = offerFor('replace all of gone.txt', 'In gone.txt, replace one by two');
  expect(namesOf(options)).toEqual(['read_file']);
  expect(options.values?.('read_file', 'path')).toEqual(['gone.txt']);
  expect(options).toMatchObject({ mayCall: true, mayAnswer: false });
});

test('A file that is not there is made by a step to write it', () => {
  expect(namesOf(offerFor('9 to 17 in gone.txt', 'Write 9 to 17 into gone.txt'))).toEqual(['write_file']);
  expect(namesOf(offerFor('write gone.txt', 'Write one to two words into gone.txt'))).toEqual(['write_file']);
});
