import { expect, test } from 'vitest';
import type { Turn } from '../protocol/model.ts';
import { placeInLine } from './place-in-line.ts';

type Given = Pick<Turn, 'id' | 'status' | 'phase' | 'ahead'>;
const turn = (id: string, status: Turn['status'], more: Partial<Given> = {}): Given => ({
  id,
  status,
  phase: null,
  ...more,
});

test.each<[string, Given[], number]>([
  ['that nobody knows', [turn('a', 'running')], 0],
  ['that writes', [turn('a', 'finished'), turn('me', 'running', { phase: 'prefill' })], 0],
  ['that waits for the GPU behind two', [turn('me', 'running', { phase: 'lease', ahead: 2 })], 2],
  ['that is next for the GPU', [turn('me', 'running', { phase: 'lease' })], 0],
  [
    'behind one that writes, in its own session',
    [turn('a', 'running', { phase: 'prefill' }), turn('me', 'queued')],
    1,
  ],
  [
    'behind one that waits for two others itself',
    [turn('a', 'running', { phase: 'lease', ahead: 2 }), turn('b', 'queued'), turn('me', 'queued')],
    4,
  ],
  ['before another', [turn('me', 'queued'), turn('b', 'queued')], 0],
  ['that is over', [turn('a', 'running'), turn('me', 'stopped')], 0],
])('A turn %s waits for as many others as stand before it (X12)', (_which, turns, expected) => {
  expect(placeInLine(turns, 'me')).toBe(expected);
});
