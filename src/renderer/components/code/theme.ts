/** Which scopes get which of the five code colours. A colour here is only a key; the class carries the token's value. */
import type { ThemeRegistration } from 'shiki/core';

/** key · string · number · comment · function; everything else is plain code text. */
export type CodeTone = 'k' | 's' | 'u' | 'c' | 'f';

const keys: Record<CodeTone, string> = {
  k: '#000001',
  s: '#000002',
  u: '#000003',
  c: '#000004',
  f: '#000005',
};

const tones = new Map(Object.entries(keys).map(([tone, color]) => [color, tone as CodeTone]));

export function toneOf(color: string | undefined): CodeTone | null {
  return tones.get(color?.toLowerCase() ?? '') ?? null;
}

const rule = (scope: string[], tone: CodeTone) => ({ scope, settings: { foreground: keys[tone] } });

export const codeTheme: ThemeRegistration = {
  name: 'andiron',
  type: 'dark',
  fg: '#000000',
  bg: '#ffffff',
  colors: {},
  settings: [
    { settings: { foreground: '#000000', background: '#ffffff' } },
    rule(['comment', 'punctuation.definition.comment', 'markup.quote'], 'c'),
    rule(
      [
        'string',
        'punctuation.definition.string',
        'markup.inserted',
        'markup.inline.raw',
        'constant.other.symbol',
      ],
      's',
    ),
    rule(
      [
        'constant.numeric',
        'constant.language',
        'constant.character',
        'keyword.other.unit',
        'constant.other.color',
      ],
      'u',
    ),
    rule(
      [
        'keyword',
        'storage',
        'variable.language',
        'entity.name.tag',
        'support.type.property-name.json',
        'markup.deleted',
        'markup.heading',
      ],
      'k',
    ),
    // Operators would be the loudest thing on every line.
    {
      scope: ['string.unquoted', 'keyword.operator', 'punctuation.separator', 'storage.type.function.arrow'],
      settings: { foreground: '#000000' },
    },
    rule(['keyword.operator.new', 'keyword.operator.expression', 'keyword.operator.logical.python'], 'k'),
    rule(
      [
        'entity.name.function',
        'support.function',
        'meta.function-call.generic',
        'entity.other.attribute-name',
      ],
      'f',
    ),
  ],
};
