import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { threadMs } from '../../../test/helpers/thread-time.ts';
import { visibleParts, type VisiblePart } from './visible-parts.ts';
import { visibleName, visibleText } from './visible-text.ts';

const russian = { scripts: new Set(['Latn', 'Cyrl']) };

/** Marks in words: `[U+202E]`, `[9 blanks]`; what is written as it is stays so. */
const drawn = (text: string, options = {}): string =>
  visibleParts(text, options)
    .map((part) => {
      switch (part.kind) {
        case 'text':
          return part.text;
        case 'rtl':
          return `<${part.text}>`;
        case 'sign':
          return part.count === 1 ? `[${part.code}]` : `[${part.code} x${String(part.count)}]`;
        case 'signs':
          return `[${String(part.count)} signs]`;
        case 'blanks':
          return `[${String(part.count)} blanks]`;
        case 'lines':
          return `[${String(part.count)} lines]`;
      }
    })
    .join('');

const raw = (parts: readonly VisiblePart[]): string => parts.map(({ text }) => text).join('');

describe('signs that hide something', () => {
  const hidden = /^[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]--[ \n\t]]$/v;
  const all = Array.from({ length: 0x11_00_00 }, (_, code) => code);

  test('every sign of Unicode that may draw nothing is drawn as a mark (audit-S2)', () => {
    const signs = all.filter((code) => hidden.test(String.fromCodePoint(code)));
    expect(signs.length).toBeGreaterThan(800_000);
    // Planes of unassigned and private signs are tried at every seventh.
    const tried = signs.filter((code) => code < 0x3_00_00 || code % 7 === 0 || code >= 0xe_00_00);
    for (let at = 0; at < tried.length; at += 1_000) {
      const some = tried.slice(at, at + 1_000);
      const parts = visibleParts(`a${some.map((code) => `${String.fromCodePoint(code)}a`).join('')}`);
      const codes = parts.flatMap((part) => (part.kind === 'sign' ? part.text.codePointAt(0) : []));
      expect(codes).toEqual(some);
    }
  });

  test.each([
    ['Hangul fillers', 'a\u3164\uFFA0\u115F\u1160b', 'a[U+3164][U+FFA0][U+115F][U+1160]b'],
    ['the blank of Braille', 'a\u2800b', 'a[U+2800]b'],
    ['the grapheme joiner', 'a\u034Fb', 'a[U+034F]b'],
    ['joiners between Latin letters', 'a\u200Cb\u200Dc', 'a[U+200C]b[U+200D]c'],
    ['variation selectors', 'a\uFE00b\uFE0F\u{E0100}', 'a[U+FE00]b[U+FE0F][U+E0100]'],
    ['Mongolian and Khmer signs', '\u180B\u180E\u17B4\u17B5', '[U+180B][U+180E][U+17B4][U+17B5]'],
    [
      'controls of music, shorthand and hieroglyphs',
      '\u{1D173}\u{1BCA0}\u{13430}',
      '[U+1D173][U+1BCA0][U+13430]',
    ],
    ['tags', 'a\u{E0041}\u{E0042}b', 'a[U+E0041][U+E0042]b'],
    ['soft hyphens', 'rm\u00AD-rf', 'rm[U+00AD]-rf'],
    ['blanks that are not plain', 'a\u00A0b\u202Fc\u3000d\u2003e', 'a[U+00A0]b[U+202F]c[U+3000]d[U+2003]e'],
    ['other ends of lines', 'a\u2028b\u2029c\u0085d\vd\f', 'a[U+2028]b[U+2029]c[U+0085]d[U+000B]d[U+000C]'],
    ['escapes of a terminal', 'a\u001B[2Kb', 'a[U+001B][2Kb'],
    ['a return to the begin of the line', 'rm -rf /\recho', 'rm -rf /[U+000D]echo'],
    ['the backspace', 'ab\b\bcd', 'ab[U+0008 x2]cd'],
    ['bidirectional marks', 'a\u202Eb\u2066c\u200Fd', 'a[U+202E]b[U+2066]c[U+200F]d'],
    ['halves of characters and private ones', 'a\uD800b\uE000', 'a[U+D800]b[U+E000]'],
    ['many of them in a row', `a${'\u200B\u200C'.repeat(500)}b`, 'a[1000 signs]b'],
  ])('%s are marked by code (audit-S2)', (_, text, expected) => {
    expect(drawn(text)).toBe(expected);
    expect(raw(visibleParts(text))).toBe(text);
  });

  it.each([
    [
      'emoji, joined and of all kinds',
      '\u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u2764\uFE0F 1\uFE0F\u20E3 \u{1F1E9}\u{1F1EA}',
    ],
    ['accents, composed or not', 'é e\u0301 ệ e\u0323\u0302 ü'],
    ['scripts with marks', 'สวัสดีครับ हिन्दी בְּרֵאשִׁית'.replace(/[\u0590-\u05FF]+/, 'x')],
    ['Chinese with its punctuation', '使用git提交，然后（完成）。'],
    ['what a program is indented by', `if (a) {\n${' '.repeat(12)}b();\n\t\t\t\tc();\n}\n\n\nend`],
    ['dashes, quotation marks and signs', '“a” – b — c … d × 2 ≠ ≤ → € ² ½ ™ №'],
    ['what a formula is written with', 'Δx = λ1 + 3µm'],
  ])('%s stay as they are written', (_, text) => {
    expect(visibleParts(text)).toEqual([{ kind: 'text', text }]);
  });

  it('a joiner between letters of a script that the person reads stays as it is written', () => {
    const persian = 'می\u200Cخواهم';
    expect(drawn(persian, { scripts: new Set(['Latn', 'Arab']) })).toBe(`<می>\u200C<خواهم>`);
    expect(drawn(persian)).toContain('[U+200C]');
  });
});

describe('what pushes text out of sight', () => {
  it.each([
    ['sixty line breaks', `npm test${'\n'.repeat(60)}curl x | sh`, 'npm test\n[59 lines]curl x | sh'],
    ['lines of blanks', `a\n${'   \n\t\n'.repeat(10)}b`, 'a\n[20 lines]b'],
    ['lines before anything else', `${'\n'.repeat(9)}a`, '[9 lines]a'],
    ['a thousand blanks', `a${' '.repeat(1000)}b`, 'a[1000 blanks]b'],
    ['tabs and blanks', `a${'\t '.repeat(5)}b`, 'a[10 blanks]b'],
    ['blanks at the end of a line', `a${' '.repeat(9)}\nb`, 'a[9 blanks]\nb'],
    ['a line that begins far to the right', `a\n${' '.repeat(41)}b`, 'a\n[41 blanks]b'],
  ])('%s become a mark that counts them (audit-S2)', (_, text, expected) => {
    expect(drawn(text)).toBe(expected);
    expect(raw(visibleParts(text))).toBe(text);
  });
});

describe('marks on letters', () => {
  it('sixty marks on one letter are counted and not drawn (audit-S2)', () => {
    expect(drawn(`a${'\u0301'.repeat(60)}b`)).toBe('a\u0301\u0301[U+0301 x58]b');
    expect(drawn(`ก${'\u0E47'.repeat(60)}`)).toBe(`ก${'\u0E47'.repeat(4)}[U+0E47 x56]`);
  });

  it.each([
    ['over no letter', 'a \u0301b', 'a [U+0301]b'],
    ['over a digit', '1\u0332', '1[U+0332]'],
    ['through its letter', 'a\u0338b', 'a[U+0338]b'],
    ['around its letter', 'a\u20DDb', 'a[U+20DD]b'],
    ['of another script', 'a\u064Bb', 'a[U+064B]b'],
  ])('a mark %s is drawn as a mark (audit-S2)', (_, text, expected) => {
    expect(drawn(text)).toBe(expected);
  });
});

describe('letters that pass for others', () => {
  it.each([
    ['a Cyrillic letter in a Latin word', 'p\u0430ypal.com', 'p[U+0430]ypal.com'],
    ['a Greek letter in a Latin word', 'c\u03BFnfig', 'c[U+03BF]nfig'],
    [
      'a word that is Latin by its looks',
      'rm \u0441\u043E\u0440\u0430',
      'rm [U+0441][U+043E][U+0440][U+0430]',
    ],
    [
      'letters of formulas and wide ones',
      '\u{1D5CB}\u{1D5C6} \uFF52\uFF4D',
      '[U+1D5CB][U+1D5C6] [U+FF52][U+FF4D]',
    ],
    ['a Greek question mark', 'a\u037Eb', 'a[U+037E]b'],
    ['slashes, bars and hyphens', 'a\u2215b\u2223c\u2010d', 'a[U+2215]b[U+2223]c[U+2010]d'],
    ['Latin letters that nobody writes', '\u0261it', '[U+0261]it'],
    ['digits of another script among plain ones', '1\u0966', '1[U+0966]'],
    ['a Cherokee word', '\u13A0\u13A1', '[U+13A0][U+13A1]'],
  ])('%s are marked (audit-S2)', (_, text, expected) => {
    expect(drawn(text)).toBe(expected);
  });

  /** By Unicode's table of confusable signs; what is written as itself (dashes, curly quotation marks) left out. */
  const confusable: Record<string, string> = {
    '/': '1735 2041 2044 2215 2571 27CB 29F8 2CC6 2F03 3033 30CE 31D3 4E3F 1D23A',
    '\\': '2216 27CD 29F5 29F9 2F02 31D4 4E36 1D20F 1D23B 2572',
    '.': 'A4F8 A60E 3002 FF61 30FB FF65 22C5 2E31 0387 2219 2027 16EB 10101',
    '|': '05C0 2223 23FD FFE8 2502 2503 3163 4E28 239F 00A6 01C0 2758 0964',
    '-': '02D7 2010 2011 2043 2796 2CBA 30FC 4E00 3161 2500 2501 31D0 1173 2F00',
    "'": '00B4 02B9 02BB 02BC 02BD 02BE 02C8 02CA 02CB 02EE 02F4 0374 0384 055A 055D 144A 16CC 1FBD 1FBF 1FFD 1FFE 2035 A78C 16F51',
    '"': '02DD 02F6 2036 3003',
    '=': '1400 2E40 30A0 A4FF A78A 4E8C 30CB 2F06',
    ':': '02D0 02F8 0589 05C3 16EC 1803 1809 205A 2236 A4FD A789',
    '<': '02C2 1438 16B2 276E 1D236 3008',
    '>': '02C3 1433 276F 16F3F 1D237 3009',
    '*': '204E 2217 1031F 066D',
    '~': '02DC 1FC0 2053 223C 301C',
    '&': 'A778 214B',
    '!?^+': '01C3 2D51 0241 0294 13AE A6EB 02C4 02C6 16ED 2795 1029B',
  };
  it.each(Object.entries(confusable))(
    'signs that pass for %s between plain letters are marked (audit-S2)',
    (_, codes) => {
      for (const code of codes.split(' ')) {
        const sign = String.fromCodePoint(Number.parseInt(code, 16));
        expect(drawn(`evil${sign}com`)).toBe(`evil[U+${code}]com`);
        expect(drawn(`x ${sign}y`)).toBe(`x [U+${code}]y`);
      }
    },
  );

  it.each([
    ['words of a script that hardly anybody reads', 'ᗷᗩᔕᕼ ⵔⵙⵏ 𐌀'],
    ['letters of a script without blanks', 'gဝgle.com'],
    ['a stroke between blanks', 'curl x 丨 sh'],
  ])('%s are marked (audit-S2)', (_, text) => {
    const shown = drawn(text).replaceAll(/\[U\+[0-9A-F]+\]/g, '');
    expect(shown).toMatch(/^[ -~]*$/);
  });

  it.each<[string, string[], string]>([
    ['Japanese', ['Jpan'], 'gitノート、コミットー。ファイルA・B'],
    ['Thai', ['Thai'], 'ใช้gitดู'],
    ['Tamazight', ['Tfng'], 'ⵜⴰⵎⴰⵣⵉⵖⵜ'],
    ['Inuktitut', ['Cans'], 'ᐃᓄᒃᑎᑐᑦ'],
  ])('what is written in %s is plain to who reads it', (_, read, text) => {
    expect(drawn(text, { scripts: new Set(['Latn', ...read]) })).toBe(text);
  });

  it('a tree and a frame of lines stay as they are drawn', () => {
    const tree = 'src\n├── a.ts\n│   └── b.ts\n└── c.ts\n┌─────┬───┐\n│ a b │ c │\n└─────┴───┘';
    expect(drawn(tree)).toBe(tree);
    expect(drawn('curl x │ sh')).toBe('curl x [U+2502] sh');
  });

  it('a Russian sentence stays readable, whoever reads it, and wholly so to who reads Russian', () => {
    const sentence = 'Проверь файл «отчёт.txt» и скажи, сколько строк в нём.';
    expect(visibleParts(sentence, russian)).toEqual([{ kind: 'text', text: sentence }]);
    expect(drawn(sentence)).toBe(sentence);
    expect(drawn('\u0441\u043E\u0440\u0430', russian)).toBe('\u0441\u043E\u0440\u0430');
  });

  it('who reads Russian is shown the letters that do not belong into the word (audit-S2)', () => {
    expect(drawn('p\u0430ypal', russian)).toBe('p[U+0430]ypal');
    expect(drawn('прив\u0065т', russian)).toBe('прив[U+0065]т');
  });

  it('one letter that Andiron knows as a look-alike is of the script that it is listed for', () => {
    // Written words of each script, of which none may be marked beside a letter that looks like no Latin one.
    expect(drawn('Ελλάδα Ευρώπη Հայաստան')).toBe('Ελλάδα Ευρώπη Հայաստան');
  });
});

test('what is written from right to left stands apart, word groups together (audit-S2)', () => {
  expect(drawn('rm \u05D0\u05D1 \u05D2 /x 1 \u05D3')).toBe('rm <\u05D0\u05D1 \u05D2> /x 1 <\u05D3>');
});

test.each([
  'Arab Hebr Syrc Thaa Nkoo Samr Mand Adlm Rohg Mend Yezi Phnx Lydi Mero Merc Khar Sarb Narb Armi Avst Prti',
  'Phli Phlp Orkh Hung Sogd Sogo Ougr Chrs Elym Nbat Palm Hatr Cprt Mani',
])('no sign of a script that runs from right to left can move its neighbours: %s (audit-S2)', (scripts) => {
  const isOne = new RegExp(`^[${scripts.replaceAll(/(\w+) ?/g, String.raw`\p{Script=$1}`)}]$`, 'u');
  const tried = Array.from({ length: 0x2_00_00 }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
    isOne.test(sign),
  );
  expect(tried.length).toBeGreaterThan(500);
  for (const sign of [...tried, ...Array.from('\u060C\u061B\u061F\u0640\u0660\u06DD\u{10A50}\u{1EE00}')]) {
    const parts = visibleParts(`rm ${sign} ../1`).map(({ kind }) => kind);
    expect([sign, ...parts]).toHaveLength(4);
  }
});

test('the parts of any text, one after the other, are that text', () => {
  const nasty = constantFrom(
    ...'\u202E|\u200B|\u0301|\n|\n\n\n\n\n| |            |\t|a|\u0430|\u05D0|\uD800'.split('|'),
    ...'\u{1F468}\u200D\u{1F469}|\uFE0F|\uFF52|1|\r|\u3164|\uFF1B'.split('|'),
  );
  assert(
    property(array(oneof(nasty, string({ unit: 'binary' }))), (pieces) => {
      const text = pieces.join('');
      const parts = visibleParts(text);
      expect(raw(parts)).toBe(text);
      for (const part of parts) {
        if (part.kind !== 'text' && part.kind !== 'rtl') continue;
        // What is left as it is has nothing of the kind in it, but for emoji.
        const plain = part.text.replaceAll(/\p{RGI_Emoji}/gv, '');
        expect(plain).not.toMatch(/[[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]--[ \n\t]]|\S[ \t]{9}/v);
      }
    }),
    { numRuns: 500 },
  );
});

test('a hundred kilobytes of marks are read in a moment', () => {
  for (const text of [
    'a\u200B',
    '\u0301',
    'p\u0430',
    ' \n',
    `${' '.repeat(50)}\n`,
    '\u05D0 ',
    '\u{1F468}\u200D',
  ]) {
    const began = threadMs();
    visibleParts(text.repeat(100_000 / text.length));
    // Squared, each would take a minute; a machine may be busy with other things.
    expect(threadMs() - began).toBeLessThan(8_000);
  }
});

test('a line break or a tab in a name is a mark like any other (audit-S19)', () => {
  expect(drawn('a.txt\n./b\tc', { oneLine: true })).toBe('a.txt[U+000A]./b[U+0009]c');
});

describe('a text where nothing can be drawn', () => {
  it('has hidden signs by their codes, and keeps what can be seen', () => {
    expect(visibleText('a\u202Eb\u{E0041}c\u00A0d p\u0430y é \u{1F468}\u200D\u{1F469}\u200D\u{1F467}')).toBe(
      String.raw`a\u202eb\u{e0041}c${'\u00A0'}d p${'\u0430'}y é ${'\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'}`,
    );
    expect(visibleText('می\u200Cخواهم')).toBe('می\u200Cخواهم');
  });

  it('of a name is one line (audit-S19)', () => {
    expect(visibleName('a\nb\tc\u2028d\r')).toBe(String.raw`a\nb\tc\u2028d\u000d`);
  });
});
