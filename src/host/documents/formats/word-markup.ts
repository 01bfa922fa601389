/** Word's XML, so written that the library reads what it would pass over: equations, and fields of the simple kind. */
import { attributeOf, scanXml } from './xml-scan.ts';

/** An element within an equation. */
interface MathElement {
  name: string;
  text: string;
  /** Around it, where it is one of brackets. */
  brackets: { begChr: string; endChr: string };
}

const run = 'w:r xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
/** What is in them is read in their place. */
const wrappers = new Set(['fldSimple', 'oMathPara']);

export function readableWord(xml: string): string {
  const out: string[] = [];
  let copied = 0;
  const replace = (from: number, to: number, text: string): void => {
    out.push(xml.slice(copied, from), text);
    copied = to;
  };
  /** The equation that is being read, and where it begins. */
  const equation: MathElement[] = [];
  let begin = 0;
  for (const piece of scanXml(xml)) {
    const inner = equation.at(-1);
    if (piece.kind === 'text') {
      if (inner?.name === 't') inner.text += piece.text;
    } else if (inner && piece.kind === 'open') {
      addElement(equation, piece);
    } else if (inner) {
      equation.pop();
      const outer = equation.at(-1);
      if (outer) outer.text += written(inner, outer.name);
      else replace(begin, piece.end, runOf(inner.text));
    } else if (wrappers.has(piece.name)) {
      replace(piece.at, piece.end, '');
    } else if (piece.kind === 'open' && piece.name === 'oMath') {
      begin = piece.at;
      addElement(equation, piece);
    }
  }
  return copied === 0 ? xml : [...out, xml.slice(copied)].join('');
}

function addElement(
  equation: MathElement[],
  { name, attributes, isEmpty }: { name: string; attributes: string; isEmpty: boolean },
): void {
  // Signs of brackets are named in their properties.
  const around = equation.at(-2)?.brackets;
  if (around && (name === 'begChr' || name === 'endChr')) around[name] = attributeOf(attributes, 'val') ?? '';
  if (!isEmpty) equation.push({ name, text: '', brackets: { begChr: '(', endChr: ')' } });
}

/** An element in one line, as people type it: `(a+b)/2`. */
function written({ name, text, brackets }: MathElement, outer: string): string {
  if (name === 'del' || name === 'moveFrom' || text === '') return '';
  if (name === 'num') return `${grouped(text)}/`;
  if (name === 'den') return grouped(text);
  if (name === 'sup') return `^${grouped(text)}`;
  if (name === 'sub') return `_${grouped(text)}`;
  if (name === 'd') return `${brackets.begChr}${text}${brackets.endChr}`;
  return name === 'e' && outer === 'rad' ? `√${grouped(text)}` : text;
}

const grouped = (text: string): string => (text.length > 1 ? `(${text})` : text);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Without signs that no XML may have. */
function runOf(text: string): string {
  if (text === '') return '';
  const escaped = text
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, '')
    .replaceAll(/[&<>]/g, (sign) => entities[sign] ?? '');
  return `<${run}><w:t xml:space="preserve">${escaped}</w:t></w:r>`;
}
