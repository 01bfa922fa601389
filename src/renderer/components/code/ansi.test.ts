import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { threadMs } from '../../../../test/helpers/thread-time.ts';
import { AnsiReader, type AnsiLine } from './ansi.ts';

const esc = '\u001B';
const read = (text: string): AnsiLine[] => new AnsiReader().read(text);
const plain = (text: string): string =>
  read(text)
    .map((line) => line.map((piece) => piece.text).join(''))
    .join('\n');
const styleOf = (codes: string) => read(`${esc}[${codes}mx`)[0]?.[0]?.style;

describe('colours of a command', () => {
  it('are the sixteen by their names, on ink and ground, and reset one by one or all', () => {
    expect(read(`a${esc}[31mb${esc}[1;42mc${esc}[39md${esc}[0me`)).toEqual([
      [
        { text: 'a', style: {} },
        { text: 'b', style: { ink: 'red' } },
        { text: 'c', style: { ink: 'red', bold: true, ground: 'green' } },
        { text: 'd', style: { bold: true, ground: 'green' } },
        { text: 'e', style: {} },
      ],
    ]);
    expect(styleOf('94')).toEqual({ ink: 'blue' });
    expect(styleOf('103')).toEqual({ ground: 'yellow' });
    expect(styleOf('90')).toEqual({ ink: 'faint' });
    expect(styleOf('')).toEqual({});
  });

  it('of 256 and of millions become the nearest that reads well in both themes', () => {
    expect(styleOf('38;5;9')).toEqual({ ink: 'red' });
    expect(styleOf('38;5;46')).toEqual({ ink: 'green' });
    expect(styleOf('38;5;201')).toEqual({ ink: 'magenta' });
    expect(styleOf('38;5;240')).toEqual({ ink: 'faint' });
    expect(styleOf('38;5;255')).toEqual({ ink: 'strong' });
    expect(styleOf('38;2;255;140;0')).toEqual({ ink: 'yellow' });
    expect(styleOf('38;2;30;144;255;4')).toEqual({ ink: 'blue', underline: true });
    expect(styleOf('48:2::0:255:255')).toEqual({ ground: 'cyan' });
    expect(styleOf('38;2;0;0;0')).toEqual({ ink: 'faint' });
  });

  it('come with bold, faint, italic, underline, strike and inverse; nothing hides or blinks', () => {
    expect(styleOf('1;3;4;9;7')).toEqual({
      bold: true,
      italic: true,
      underline: true,
      struck: true,
      inverse: true,
    });
    expect(styleOf('2;22;4;24;7;27;9;29;3;23')).toEqual({});
    expect(styleOf('5;8;53')).toEqual({});
  });

  it('go on over lines', () => {
    expect(read(`${esc}[32ma\nb${esc}[0m\nc`).map((line) => line[0]?.style.ink)).toEqual([
      'green',
      'green',
      undefined,
    ]);
  });
});

describe('what else a terminal would obey', () => {
  it('is dropped, whole or cut off', () => {
    const hostile = [
      `${esc}[2J${esc}[10;5H${esc}[K${esc}[?1049h${esc}[>4;2m`,
      `${esc}]0;title\u0007${esc}]8;;http://evil.example\u001B\\`,
      `${esc}P1;2|dcs${esc}\\${esc}c${esc}(0\u009B2J\u0090x\u009C\u0000\u0007\u0008\u007F`,
    ].join('');
    expect(plain(`a${hostile}b`)).toBe('ab');
    expect(plain(`a${esc}`)).toBe('a');
    expect(plain(`a${esc}]52;c;ZXZpbA==`)).toBe('a');
  });

  it('never leaves a control character, whatever comes', () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
    const alphabet = [
      esc,
      '[',
      ']',
      '0',
      '3',
      '1',
      ';',
      ':',
      'm',
      'K',
      '\u009B',
      '\u0007',
      '\r',
      '\n',
      '\\',
      'P',
      'a',
    ];
    for (let round = 0; round < 500; round++) {
      const text = Array.from({ length: 40 }, () => alphabet[Math.floor(random() * alphabet.length)]).join(
        '',
      );
      expect(plain(text)).not.toMatch(/[^\P{Cc}\n]/u);
    }
  });

  it('is read in linear time', () => {
    const text = `${esc}[`.repeat(20_000) + `${esc}]`.repeat(20_000) + '1;'.repeat(50_000);
    const began = threadMs();
    read(text);
    expect(threadMs() - began).toBeLessThan(2000);
  });
});

describe('a line that is drawn again', () => {
  it('shows its last state in the colours that hold by then', () => {
    expect(plain('10%\r50%\r100%\ndone')).toBe('100%\ndone');
    expect(plain('10%\r50%\r')).toBe('50%');
    expect(read(`${esc}[31m10%\r20%`)[0]).toEqual([{ text: '20%', style: { ink: 'red' } }]);
  });
});

describe('output that grows', () => {
  it('keeps every finished line as the same object, and reads the same as at once', () => {
    const text = `one\n${esc}[31mtwo\nthree\r3\n${esc}[0mfour`;
    const reader = new AnsiReader();
    let before: AnsiLine[] = [];
    for (let at = 0; at <= text.length; at++) {
      const lines = reader.read(text.slice(0, at));
      for (const [place, line] of before.slice(0, -1).entries()) expect(lines[place]).toBe(line);
      before = lines;
    }
    expect(before).toEqual(read(text));
  });

  it('begins anew with another text', () => {
    const reader = new AnsiReader();
    reader.read(`${esc}[31mone\ntwo`);
    expect(reader.read('three\nfour').flat()).toEqual([
      { text: 'three', style: {} },
      { text: 'four', style: {} },
    ]);
  });
});

const sheet = (path: string): string => readFileSync(`src/renderer/${path}.css`, 'utf8');

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const contrast = (a: string, b: string): number => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

describe('the colours of the style sheet', () => {
  it.each(['light', 'dark'] as const)('read well on every ground in the %s theme', (theme) => {
    const token = (name: string): string =>
      new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(sheet('styles/tokens'))?.[
        theme === 'light' ? 1 : 2
      ] ?? '';
    const rules = [...sheet('components/code/ansi-text.module').matchAll(/\.[^{]*\{([^}]*)\}/g)].map(
      ([, body = '']) => ({
        ink: /(?:^|\s)color: var\(--([\w-]+)\)/.exec(body)?.[1],
        ground: /background: var\(--([\w-]+)\)/.exec(body)?.[1] ?? 's2',
      }),
    );
    const coloured = rules.filter(({ ink }) => ink !== undefined);
    expect(coloured.length).toBeGreaterThan(12);
    for (const { ink = '', ground } of coloured) {
      expect([ink, ground, contrast(token(ink), token(ground)) >= 4.5]).toEqual([ink, ground, true]);
    }
  });
});
