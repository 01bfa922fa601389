import { expect, test } from 'vitest';
import type { PropertySchema } from '../../tools/tool.ts';
import { hasUnsaid } from './unsaid-arguments.ts';

const properties: Record<string, PropertySchema> = {
  city: { type: 'string' },
  unit: { type: 'string', enum: ['celsius', 'kelvin'] },
  days: { type: 'integer' },
};
const isUnsaid = (args: Record<string, unknown>, said: string): boolean =>
  hasUnsaid(args, { properties }, said);

test.each([
  [{ city: 'Vienna' }, 'The weather in Vienna, please'],
  [{ city: 'Viennese' }, 'How do they see it in VIENNA?'],
  [{ city: 'Munchen' }, 'Wie warm ist es in München?'],
  [{ city: '東京' }, '明日の東京の天気'],
  [{ days: 5 }, 'for 5 days'],
  [{ days: -5 }, 'minus 5'],
  [{ days: 1500 }, 'in 1,500 days'],
  [{ city: 'Oslo', days: 5 }, 'Oslo for five days'],
  [{ key: 'C' }, 'a chord in C'],
  [{ days: 1500 }, 'in 1 500 days'],
  [{ unit: 'kelvin' }, 'as scientists have it'],
  [{ days: 2.5 }, 'in 2.50 days'],
  [{ cities: ['Rome', 'Oslo'] }, 'from Oslo'],
  [{ place: { city: 'Oslo', near: 'x' } }, 'in Oslo'],
  [{}, 'anything'],
])('%j says nothing that is not in "%s"', (args, said) => {
  expect(isUnsaid(args, said)).toBe(false);
});

test.each([
  [{ city: 'Oslo' }, 'What is the weather like?'],
  [{ city: 'Vienna', days: 30 }, 'The weather in Vienna'],
  [{ city: 'Oslo', days: 50 }, 'Oslo for 150 days, or 5000'],
  [{ city: 'Oslo', days: 50 }, 'Oslo for 1.50 days'],
  [{ days: 5 }, 'who invented poker?'],
  [{ key: 'C' }, 'choose a chord'],
  [{ title: 'Dinner in Rome' }, 'who invented the fork?'],
  [{ isLong: true }, 'hello'],
  [{ cities: ['Rome', 'Oslo'] }, 'from here'],
  [{ place: { city: 'Oslo' } }, 'from here'],
])('%j says what is not in "%s"', (args, said) => {
  expect(isUnsaid(args, said)).toBe(true);
});
