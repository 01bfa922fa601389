/**
 * XML as a row of tags and texts: nothing is built of it, no entity but the five of XML is known, and how deep it nests is
 * counted. Names come without their prefix.
 */
import { maxDepth, UnreadableDocument } from '../reading-limits.ts';

export type XmlPiece =
  /** `at` and `end`: where it is in the text; `nameEnd`: where its attributes begin there. */
  | {
      kind: 'open';
      name: string;
      attributes: string;
      isEmpty: boolean;
      at: number;
      nameEnd: number;
      end: number;
    }
  | { kind: 'close'; name: string; at: number; end: number }
  | { kind: 'text'; text: string };

/** Throws UnreadableDocument for what is not well-formed enough to be told apart, or would be dangerous elsewhere. */
export function* scanXml(xml: string): Iterable<XmlPiece> {
  let at = 0;
  let depth = 0;
  while (at < xml.length) {
    const open = xml.indexOf('<', at);
    if (open === -1) return finish(depth);
    if (open > at) yield { kind: 'text', text: decodeEntities(xml.slice(at, open)) };
    const special = specialEnd(xml, open);
    if (special !== null) {
      if (special.text !== null) yield { kind: 'text', text: special.text };
      at = special.end;
      continue;
    }
    const close = tagEnd(xml, open + 1);
    const tag = xml.slice(open + 1, close);
    at = close + 1;
    if (tag.startsWith('/')) {
      depth -= 1;
      if (depth < 0) throw new UnreadableDocument('broken');
      yield { kind: 'close', name: localName(tag.slice(1)), at: open, end: at };
      continue;
    }
    const isEmpty = tag.endsWith('/');
    depth += isEmpty ? 0 : 1;
    if (depth > maxDepth) throw new UnreadableDocument('nesting');
    const name = /^[^\s/>]+/.exec(tag)?.[0] ?? '';
    const nameEnd = open + 1 + name.length;
    const attributes = tag.slice(name.length);
    yield { kind: 'open', name: localName(name), attributes, isEmpty, at: open, nameEnd, end: at };
  }
  finish(depth);
}

function finish(depth: number): void {
  if (depth !== 0) throw new UnreadableDocument('broken');
}

/** Comments, instructions and character data; null = it is a tag. */
function specialEnd(xml: string, at: number): { end: number; text: string | null } | null {
  const second = xml[at + 1];
  if (second === '?') return { end: after(xml, '?>', at), text: null };
  if (second !== '!') return null;
  if (xml.startsWith('<!--', at)) return { end: after(xml, '-->', at + 4), text: null };
  if (xml.startsWith('<![CDATA[', at)) {
    const end = after(xml, ']]>', at);
    return { end, text: xml.slice(at + 9, end - 3) };
  }
  const end = tagEnd(xml, at + 2);
  if (/[[]|^ENTITY/.test(xml.slice(at + 2, end))) throw new UnreadableDocument('entities');
  return { end: end + 1, text: null };
}

function after(xml: string, mark: string, from: number): number {
  const at = xml.indexOf(mark, from);
  if (at === -1) throw new UnreadableDocument('broken');
  return at + mark.length;
}

/** Of a tag: a value may hold the sign that ends it. */
function tagEnd(xml: string, from: number): number {
  for (let at = from; at < xml.length; at += 1) {
    const sign = xml[at];
    if (sign === '>') return at;
    if (sign !== '"' && sign !== "'") continue;
    at = xml.indexOf(sign, at + 1);
    if (at === -1) break;
  }
  throw new UnreadableDocument('broken');
}

const localName = (name: string): string => name.trim().replace(/^[^:]*:/, '');

/** In their order; names without their prefix, so that one may come twice. */
export function* attributesIn(attributes: string): Iterable<readonly [name: string, value: string]> {
  for (const [, name = '', double, single] of attributes.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    yield [localName(name), decodeEntities(double ?? single ?? '')];
}

/** The first of that name; undefined = it has none. */
export function attributeOf(attributes: string, wanted: string): string | undefined {
  for (const [name, value] of attributesIn(attributes)) if (name === wanted) return value;
  return undefined;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi, (whole, hex, decimal, name) => {
    if (typeof name === 'string') return entities[name] ?? whole;
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}
