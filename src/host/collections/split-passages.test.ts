import { expect, test } from 'vitest';
import { maxPassage, splitPassages, type FileText } from './split-passages.ts';

const split = (lines: readonly string[], more: Partial<FileText> = {}) =>
  splitPassages({ lines, marks: [], headings: 'none', ...more });
const sentence = 'The pump is primed with water before it runs. ';

test('A passage says from which line to which it stands', () => {
  expect(split(['', 'One.', 'Two.', ''])).toEqual([{ place: 'lines 2-3', heading: '', text: 'One.\nTwo.' }]);
  expect(split(['One.'])).toEqual([{ place: 'line 1', heading: '', text: 'One.' }]);
});

test('A passage of Markdown stands under its heading, and a heading begins a new one', () => {
  const lines = ['# Pumps #', 'Water.', '## Valves', 'Brass.', '```', '# no heading', '```'];
  expect(split(lines, { headings: 'markdown' })).toEqual([
    { place: 'line 2', heading: 'Pumps', text: 'Water.' },
    { place: 'lines 4-7', heading: 'Valves', text: 'Brass.\n```\n# no heading\n```' },
  ]);
  expect(split(['# no heading'])).toHaveLength(1);
});

test('Each passage of a table has the line with the names of its columns', () => {
  const rows = Array.from({ length: 60 }, (_, at) => `${String(at)},brass valve of the cooling circuit`);
  const passages = split(['number,part', ...rows], { headings: 'first_line' });
  expect(passages.length).toBeGreaterThan(1);
  expect(new Set(passages.map(({ heading }) => heading))).toEqual(new Set(['number,part']));
});

test('A passage never goes from one page to the next, and is named by its page', () => {
  const lines = ['[page 1]', 'One.', '[page 2]', 'Two.'];
  const marks = [
    { label: 'page 1', line: 1 },
    { label: 'page 2', line: 3 },
  ];
  expect(split(lines, { marks })).toEqual([
    { place: 'page 1', heading: '', text: 'One.' },
    { place: 'page 2', heading: '', text: 'Two.' },
  ]);
});

test('Short paragraphs are put together, and long enough ones stand alone', () => {
  expect(split(['One.', '', 'Two.'])).toHaveLength(1);
  const long = sentence.repeat(12).trim();
  expect(split([long, '', long])).toHaveLength(2);
});

test('A paragraph without an end is cut at sentences, and each cut is seen from both sides', () => {
  const numbered = Array.from({ length: 200 }, (_, at) => `Part ${String(at)} is made of brass.`);
  const passages = split([numbered.join(' ')]);
  for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(maxPassage);
  for (const { text } of passages.slice(0, -1)) expect(text).toMatch(/brass\.$/);
  for (const part of numbered) expect(passages.some(({ text }) => text.includes(part))).toBe(true);
});

test('Nothing of any text is lost, whatever it is made of', () => {
  const odd = ['x'.repeat(5_000), '🦊'.repeat(1_500), ' '.repeat(3_000), '漢字。'.repeat(900), ''];
  const passages = split(odd);
  for (const { text } of passages) {
    expect(text.length).toBeLessThanOrEqual(maxPassage);
    expect(text.isWellFormed()).toBe(true);
    expect(text.trim()).not.toBe('');
  }
  const all = passages.map(({ text }) => text).join('');
  expect(all.split('🦊').length - 1).toBeGreaterThanOrEqual(1_500);
  expect(all.split('漢').length - 1).toBeGreaterThanOrEqual(900);
  expect(all.match(/x/g)?.length).toBeGreaterThanOrEqual(5_000);
});
