import { expect, it } from 'vitest';
import { titleIn, titleInstruction } from './title-text.ts';

it.each([
  ['a plain title', 'Fix flaky lease test', 'Fix flaky lease test'],
  ['quotation marks around it', '“Fix flaky lease test.”', 'Fix flaky lease test'],
  ['the marks of another language', '«Ремонт часов»', 'Ремонт часов'],
  ['a heading and bold letters', '## **Fix flaky lease test**', 'Fix flaky lease test'],
  ['a label', '**Title:** Fix flaky lease test', 'Fix flaky lease test'],
  [
    'a line that announces it',
    'Here is one:\n\nFix flaky lease test\n\nAnything else?',
    'Fix flaky lease test',
  ],
  ['a script without blanks', '《修复》租约测试', '《修复》租约测试'],
  [
    'a sentence around one quoted title',
    'I would say that this conversation is best called "Fix flaky lease test" for now.',
    'Fix flaky lease test',
  ],
  ['signs that cannot be seen', 'Fix\u202E flaky\u0007 lease\u200B', 'Fix flaky lease'],
])('a reply with %s is a title on one clean line', (_, reply, title) => {
  expect(titleIn(reply, null)).toBe(title);
});

it.each([
  ['nothing', ' \n '],
  ['only marks', '---\n***'],
  ['a call as text', '{"call":"read_file","with":{"path":"a"}}'],
  ['an address', 'See https://evil.example/x'],
  ['markup', '<img src=x onerror=alert(1)>'],
  ['more than sixty characters', 'Incomprehensibilities counterrevolutionaries electroencephalograms'],
  ['a sentence', 'This is a conversation about a file that was read and what it says'],
  [
    'two quoted titles in a sentence',
    'It could be “Fix lease” or “Flaky test”, whatever you like better here.',
  ],
  ['a piece of the question', 'a title for this conversation'],
])('a reply of %s is no title', (_, reply) => {
  expect(titleIn(reply, null)).toBeNull();
});

it('another title is taken only where it shares no word with the one before', () => {
  const before = { title: 'Fix flaky lease test', isCopied: false };
  expect(titleIn('The lease test is fixed', before)).toBeNull();
  expect(titleIn('Release notes', before)).toBe('Release notes');
});

it('a copy takes any title that is not the one of its original', () => {
  const before = { title: 'Retry delay (2)', isCopied: true };
  expect(titleIn('retry delay', before)).toBeNull();
  expect(titleIn('Retry delay with jitter', before)).toBe('Retry delay with jitter');
  expect(titleInstruction('', before)).toContain('“Retry delay”');
});

it('the question quotes the beginning of the message on one line, and cannot be ended by it', () => {
  const asked = titleInstruction(`Fix “it”\n\u202E now ${'x'.repeat(500)}`, null).split('\n')[0] ?? '';
  expect(asked).toMatch(/asked: “Fix 'it' now x+”$/);
  expect(asked.length).toBeLessThan(240);
});

it('words of the message are a title, also where they stand in it just so', () => {
  expect(titleIn('Retry delay', null)).toBe('Retry delay');
});
