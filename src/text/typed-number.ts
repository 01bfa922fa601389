/** Numbers as a person types them: with the signs of their language, or of another one where only that can be meant. */

interface Signs {
  group: string;
  decimal: string;
}

const foreign: readonly Signs[] = [
  { group: ',', decimal: '.' },
  { group: '.', decimal: ',' },
];

/** A thousand with its group in one language, three decimals in another. */
const isThousandOrDecimals = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** @returns null for what is no number, and for what could be two. */
export function numberReader(locale: string): (typed: string) => number | null {
  const own = signsOf(locale);
  return (typed) => {
    const text = evenSpaces(typed.trim()).replace('\u2212', '-');
    const digits = text.startsWith('-') ? text.slice(1) : text;
    const ways = isThousandOrDecimals.test(digits) ? ownOnly(digits, own) : [own, ...foreign];
    const read = ways.map((signs) => valueOf(digits, signs)).find((value) => value !== null);
    if (read === undefined) return null;
    return digits === text ? read : -read;
  };
}

/** Nobody writes three zeros as decimals of a whole number: that is a thousand in the signs of another language. */
function ownOnly(digits: string, { group, decimal }: Signs): readonly Signs[] {
  const isOwn = digits.includes(group) || (digits.includes(decimal) && !digits.endsWith('000'));
  return isOwn ? [{ group, decimal }] : [];
}

function valueOf(digits: string, { group, decimal }: Signs): number | null {
  const form = new RegExp(`^(?:\\d+|[1-9]\\d{0,2}(?:[${group}]\\d{3})+)(?:[${decimal}]\\d+)?$`);
  return form.test(digits) ? Number(digits.replaceAll(group, '').replace(decimal, '.')) : null;
}

function signsOf(locale: string): Signs {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5);
  const signOf = (kind: 'group' | 'decimal', usual: string): string =>
    evenSpaces(parts.find(({ type }) => type === kind)?.value ?? usual);
  return { group: signOf('group', ','), decimal: signOf('decimal', '.') };
}

/** Languages that group with a space write one that no keyboard has. */
const evenSpaces = (text: string): string => text.replaceAll(/\s/g, ' ');
