/** How a template spells things: arguments of a call, dates, the begin-of-text mark. */
import type { TemplateCard } from './card.ts';

type Spelling = TemplateCard['arguments'];

/** `before` is a prompt up to the call; `argsPrompt` gives the one in which a call has the named set of arguments. */
export function readArguments(
  before: string,
  argsPrompt: (set: 'order_a' | 'order_b' | 'numbers' | 'text') => string | undefined,
): Spelling {
  const [a, b] = [argsPrompt('order_a'), argsPrompt('order_b')];
  const written = (set: 'numbers' | 'text'): string => {
    const prompt = argsPrompt(set) ?? '';
    return prompt.slice(commonLength(before, prompt));
  };
  const [numbers, text] = [written('numbers'), written('text')];
  return {
    order: a === undefined || b === undefined ? null : a === b ? 'sorted' : 'as sent',
    html: text.includes('\\u003ca') ? 'escaped' : text.includes('<a href') ? 'raw' : null,
    newline: text.includes('first\n') ? 'raw' : text.includes('first\\n') ? 'escaped' : null,
    million: numberAfter('million', numbers),
    hugeInteger: hugeInteger(numberAfter('big', numbers)),
  };
}

/** The first number behind a name; between them stands markup. */
function numberAfter(name: string, text: string): string | null {
  return new RegExp(`\\b${name}\\b[^0-9]{1,60}?(-?\\d[\\d.]*(?:e[+-]?\\d+)?)`).exec(text)?.[1] ?? null;
}

function hugeInteger(spelled: string | null): Spelling['hugeInteger'] {
  if (spelled === null) return null;
  if (spelled.includes('e')) return 'exponent';
  return spelled.startsWith('1234567890123456') ? 'rounded' : 'garbage';
}

export function commonLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let length = 0;
  while (length < end && a[length] === b[length]) length += 1;
  return length;
}

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
const datePattern = new RegExp(
  `\\b\\d{4}-\\d{2}-\\d{2}\\b|\\b\\d{1,2} ${month} \\d{4}\\b|\\b${month} \\d{1,2}, \\d{4}\\b`,
);

/** The probes name no day, so one in their prompt was written by the template. */
export function hasDate(prompt: string): boolean {
  return datePattern.test(prompt);
}

const beginOfTextMarks = [
  '<bos>',
  '<s>',
  '<|begin_of_text|>',
  '<|startoftext|>',
  '<｜begin▁of▁sentence｜>',
  '〈|EOS|〉',
];

export function beginOfText(prompt: string): string {
  return beginOfTextMarks.find((mark) => prompt.startsWith(mark)) ?? '';
}
