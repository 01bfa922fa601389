/** How a task is found done: by its files and by what the answer names. */
import type { Check } from './task.ts';

/** Of scripts that set words apart: only beside these does a letter or figure make another word. */
const wordSign = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}]`;

/** The answer names all of `wanted` and none of `decoys`, as whole words. */
export function says(wanted: readonly (string | number)[], decoys: readonly (string | number)[] = []): Check {
  return ({ answer }) => {
    const missing = wanted.find((each) => !names(answer, each));
    if (missing !== undefined) return `the answer lacks ${missing}`;
    const wrong = decoys.find((each) => names(answer, each));
    return wrong === undefined ? null : `the answer also names ${wrong}`;
  };
}

const isWord = (end: string): boolean => /[\p{L}\p{Nd}]/u.test(end);

/** Thousands may be set apart: 12,345 and 12.345. */
function names(answer: string, wanted: string | number): boolean {
  const given = String(wanted).normalize('NFC');
  const escaped = given.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const before = isWord(given.charAt(0)) ? `(?<!${wordSign})` : '';
  const after = isWord(given.at(-1) ?? '') ? `(?!${wordSign})` : '';
  const whole = new RegExp(`${before}${escaped}${after}`, 'iu');
  const text = answer.normalize('NFC');
  return whole.test(text) || whole.test(text.replaceAll(/(?<=\d)[.,' \u{A0}\u{202F}](?=\d{3}(?!\d))/gu, ''));
}

/** The file is there with exactly this content, white space at its ends and line ends aside. */
export function holds(path: string, content: string | RegExp): Check {
  return ({ file }) => {
    const found = file(path)?.replaceAll('\r\n', '\n').trim();
    if (found === undefined) return `${path} is not there`;
    const fits = typeof content === 'string' ? found === content.trim() : content.test(found);
    return fits ? null : `${path} holds ${JSON.stringify(found.slice(0, 60))}`;
  };
}

export const gone =
  (path: string): Check =>
  ({ file }) =>
    file(path) === null ? null : `${path} is still there`;

export const matches =
  (pattern: RegExp, what: string): Check =>
  ({ answer }) =>
    pattern.test(answer) ? null : `the answer lacks ${what}`;

/**
 * The answer owns up that something is missing or cannot be done, and brings no figure that the person did not write.
 *
 * @param ways in which that is said: in the language of the question, or in English
 */
export function admits(ask: string, ways: readonly RegExp[]): Check {
  return ({ answer }) => {
    if (!ways.some((way) => way.test(answer))) return 'the answer does not say that it cannot be done';
    const invented = answer.match(/(?<!\d)\d{4,}(?!\d)/g)?.find((figure) => !ask.includes(figure));
    return invented === undefined ? null : `the answer makes up ${invented}`;
  };
}

export const allOf =
  (...checks: readonly Check[]): Check =>
  (outcome) =>
    checks.map((check) => check(outcome)).find((wrong) => wrong !== null) ?? null;
