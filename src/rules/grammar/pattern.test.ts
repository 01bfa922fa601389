import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grammarProblem } from './check.ts';
import { chars, literal, oneOf, optional, pattern, sequence, type CharRange, type Part } from './pattern.ts';

const anyName = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
// oxlint-disable-next-line no-control-regex
const oddName = fc.stringMatching(/^[-\][(){}|*+?.^$/\\"' #&,;:=@%!~`<>a-z0-9éЖ日😀\n\t\u0000]{1,20}$/u);
const names = fc.oneof(anyName, oddName);
// oxlint-disable-next-line no-control-regex
const hasNoLiteral = (text: string): boolean => /["\\\u0000-\u001F\u007F]/.test(text) || !text.isWellFormed();
const schemaOf = (form: string | undefined) => ({
  type: 'object',
  properties: { a: { type: 'string', pattern: form } },
  required: ['a'],
  additionalProperties: false,
});
const matches = (form: string | undefined, text: string): boolean =>
  new RegExp(form ?? '(?!)', 'u').test(text);

describe('a pattern', () => {
  test('A pattern of any name is taken and matches that name alone (audit-E1)', () => {
    fc.assert(
      fc.property(names, names, (name, other) => {
        const form = pattern(literal(name));
        const isSent = !hasNoLiteral(name);
        expect(form !== undefined).toBe(isSent);
        expect(grammarProblem(schemaOf(form))).toBeNull();
        expect(matches(form, name)).toBe(isSent);
        expect(matches(form, other)).toBe(isSent && other === name);
      }),
      { numRuns: 2_000 },
    );
  });

  test('A name with a hyphen is not escaped, and signs of a pattern are (audit-E1)', () => {
    expect(pattern(literal('my-file_1.txt'))).toBe(String.raw`^my-file_1\.txt$`);
    expect(pattern(literal('^$.[](){}|*+?'))).toBe(String.raw`^\^\$\.\[\]\(\)\{\}\|\*\+\?$`);
    expect(pattern(literal("a/b c#d'e,f"))).toBe("^a/b c#d'e,f$");
  });

  test('Any composition of parts is taken (audit-E1)', () => {
    const part = fc.letrec<{ part: Part | null }>((tie) => ({
      part: fc.oneof(
        { maxDepth: 3 },
        names.map(literal),
        fc
          .tuple(
            fc.uniqueArray(
              fc.constantFrom<CharRange>(
                '-',
                '^',
                ']',
                '[',
                '.',
                ['a', 'z'],
                ['+', '-'],
                ['-', '9'],
                ['А', 'я'],
                ['\u{1F600}', '\u{1F64F}'],
              ),
              { minLength: 1, maxLength: 5 },
            ),
            fc.nat(9),
            fc.nat(300),
          )
          .filter(([ranges]) => ranges.some((range) => range !== '^'))
          .map(([ranges, min, more]) => chars(ranges, min, Math.max(1, min + more))),
        fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map(oneOf),
        fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => sequence(...parts)),
        tie('part').map(optional),
      ),
    })).part;
    fc.assert(
      fc.property(part, (made) => {
        const form = pattern(made);
        expect(() => new RegExp(form ?? '', 'u')).not.toThrow();
        expect(grammarProblem(schemaOf(form ?? '^$'))).toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });

  test('A class matches its characters and no others, whatever their place in it (audit-E1)', () => {
    const form = pattern(chars(['^', '-', ']', '[', ['a', 'c']], 1, 1));
    for (const char of '^-][abc') expect(matches(form, char)).toBe(true);
    for (const char of 'd\\."') expect(matches(form, char)).toBe(false);
    expect(pattern(chars(['^', '-'], 1, 3))).toBe('^[-^]{1,3}$');
    expect(pattern(chars([['-', '9'], '+'], 2, 2))).toBe('^[--9+]{2}$');
  });

  test('One part that cannot be written leaves the whole pattern out (audit-E1)', () => {
    expect(literal('say "hi"')).toBeNull();
    expect(oneOf([literal('a'), literal('b\\c')])).toBeNull();
    expect(sequence(literal('a'), optional(literal('\n')))).toBeNull();
    expect(oneOf([])).toBeNull();
    expect(pattern(null)).toBeUndefined();
  });

  test.each<[string, readonly CharRange[], number, number]>([
    ['a quote', ['"'], 1, 2],
    ['a backslash', ['\\'], 1, 2],
    ['a range over them', [['z', 'a']], 1, 2],
    ['no characters', [], 1, 2],
    ['a caret alone', ['^'], 1, 2],
    ['two characters in place of one', ['ab'], 1, 2],
    ['more than can be repeated', ['a'], 1, 1_001],
    ['less than nothing', ['a'], -1, 2],
    ['the wrong order of counts', ['a'], 3, 2],
  ])('A class of %s is a mistake of the programmer', (_, ranges, min, max) => {
    expect(() => chars(ranges, min, max)).toThrow('pattern cannot');
  });
});
