import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Verdict } from './verdict.tsx';

const shown = (...[verdict, noGpu]: [Parameters<typeof Verdict>[0]['verdict'], boolean]) => {
  const { container } = render(<Verdict verdict={verdict} noGpu={noGpu} />);
  return [container.textContent, container.querySelector('.ok') !== null];
};

it('says in a word whether a model fits', () => {
  expect(shown('fits', false)).toEqual(['fits', true]);
  expect(shown('too_big', false)).toEqual(['too big', false]);
});

it('does not praise a model that fits into main memory alone', () => {
  expect(shown('fits', true)).toEqual(['on the CPU, slow', false]);
  expect(shown('tight', true)).toEqual(['barely, on the CPU', false]);
  expect(shown('too_big', true)).toEqual(['too big', false]);
});
