/** How somebody puts what they want: sentence, manners, order and the way in which names are marked. */
import type { Draw } from './draw.ts';
import type { Frames, Language } from './languages/language.ts';

/** Marked as names of files are; every other value is written as it is. */
const marked = new Set(['file', 'other', 'out', 'copy', 'folder', 'script']);

const styles = ['terse', 'plain', 'plain', 'polite', 'rambling'] as const;

/** @param slots what stands in the braces of the sentence; one that is missing is a fault of the maker. */
export function phrase(
  frames: Frames,
  slots: Readonly<Record<string, string | number>>,
  language: Language,
  draw: Draw,
): string {
  const [order, question, terse, ...others] = frames;
  const style = draw.pick(styles);
  const frame = style === 'terse' ? terse : draw.pick([order, question, ...others]);
  const sentence = filled(frame, slots, language, draw);
  return wrapped(sentence.trim(), { style, isClosed: /[.?!。？！]$/u.test(frame) }, language, draw);
}

function filled(
  frame: string,
  slots: Readonly<Record<string, string | number>>,
  language: Language,
  draw: Draw,
): string {
  const [open, close] = language.quotes;
  const mark = draw.pick(['none', 'none', 'code', 'quotes'] as const);
  return frame.replaceAll(/\{("?)(\w+)\1\}/g, (_, quote: string, name: string) => {
    const value = slots[name];
    if (value === undefined) throw new Error(`Nothing fills {${name}} of: ${frame}`);
    if (quote !== '') return `${open}${value}${close}`;
    const text = String(value);
    if (!marked.has(name)) return text;
    const isPlain = mark === 'none' && canBeTold(text, language);
    if (isPlain) return isUnspaced(language) ? ` ${text} ` : text;
    return mark === 'quotes' ? `${open}${text}${close}` : `\`${text}\``;
  });
}

/** Without marks a reader knows where the name ends. */
function canBeTold(name: string, language: Language): boolean {
  return !name.includes(' ') && (!isUnspaced(language) || /^[ -~]*$/.test(name));
}

/** Words follow each other without a space. */
const isUnspaced = ({ code }: Language): boolean => code === 'zh' || code === 'ja';

interface Manner {
  style: (typeof styles)[number];
  /** Something may follow it. */
  isClosed: boolean;
}

function wrapped(sentence: string, { style, isClosed }: Manner, language: Language, draw: Draw): string {
  const { greetings, thanks, rambles } = language;
  const space = isUnspaced(language) ? '' : ' ';
  const end = isClosed ? [draw.pick(thanks)] : [];
  switch (style) {
    case 'terse':
      return draw.oneIn(2) ? sentence.replace(/ ?[.?!。？！]$/u, '') : sentence;
    case 'plain':
      return sentence;
    case 'polite':
      return [draw.pick(greetings), sentence, ...end].join(space);
    case 'rambling': {
      const story = draw.pick(rambles);
      const isLast = isClosed && draw.oneIn(3);
      return (isLast ? [sentence, story] : [story, sentence, ...(draw.oneIn(2) ? end : [])]).join(space);
    }
  }
}
