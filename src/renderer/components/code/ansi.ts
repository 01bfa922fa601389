/**
 * What a command printed with colours, as styled pieces. Only SGR (ECMA-48 8.3.117) means something; every other
 * sequence and control character is dropped. Pure; finished lines are read once.
 */

/** A colour as a name: which value it has, decides the theme. */
type AnsiColour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'strong' | 'faint';

export interface AnsiStyle {
  ink?: AnsiColour;
  ground?: AnsiColour;
  bold?: true;
  faint?: true;
  italic?: true;
  underline?: true;
  struck?: true;
  inverse?: true;
}

interface AnsiPiece {
  text: string;
  style: AnsiStyle;
}
export type AnsiLine = AnsiPiece[];

const plain: AnsiStyle = Object.freeze({});

/** Reads output that grows at its end. */
export class AnsiReader {
  #lines: AnsiLine[] = [];
  #offset = 0;
  #seam = '';
  #style: AnsiStyle = plain;

  /** All lines of `text`, which normally is the text of the last call and more; finished ones keep their identity. */
  read(text: string): AnsiLine[] {
    if (!text.startsWith(this.#seam, this.#offset - this.#seam.length) || text.length < this.#offset)
      this.#reset();
    const end = text.lastIndexOf('\n') + 1;
    if (end > this.#offset) {
      const fresh = text.slice(this.#offset, end - 1).split('\n');
      this.#lines = [...this.#lines, ...fresh.map((line) => this.#readLine(line))];
      this.#offset = end;
      this.#seam = text.slice(Math.max(0, end - 32), end);
    }
    return [...this.#lines, readLine(text.slice(this.#offset), this.#style).pieces];
  }

  #readLine(line: string): AnsiLine {
    const { pieces, style } = readLine(line, this.#style);
    this.#style = style;
    return pieces;
  }

  #reset(): void {
    this.#lines = [];
    this.#offset = 0;
    this.#seam = '';
    this.#style = plain;
  }
}

// A control sequence, a control string with or without its end, any other escape, or a control character (ECMA-48 5).
const escape = '\\u001B';
const sequence = `(?:${escape}\\[|\\u009B)(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])`;
const bell = '\\u0007';
const controlString = `(?:${escape}[\\]PX^_]|[\\u0090\\u0098\\u009D-\\u009F])[^${bell}${escape}\\u009C]*(?:${bell}|${escape}\\\\|\\u009C)?`;
const controls = new RegExp(`${sequence}|${controlString}|${escape}[ -/]*[0-~]?|[^\\P{Cc}\\t\\r]`, 'gu');

/** A line that is drawn again after a carriage return shows its last state, as the model reads it. */
function readLine(line: string, before: AnsiStyle): { pieces: AnsiLine; style: AnsiStyle } {
  let drawn: { pieces: AnsiLine; style: AnsiStyle } = { pieces: [], style: before };
  // Colours that were set in what is drawn over go on.
  for (const state of line.replace(/\r+$/, '').split('\r')) drawn = readState(state, drawn.style);
  return drawn;
}

function readState(text: string, before: AnsiStyle): { pieces: AnsiLine; style: AnsiStyle } {
  const pieces: AnsiLine = [];
  let style = before;
  let at = 0;
  const add = (piece: string): void => {
    if (piece === '') return;
    const last = pieces.at(-1);
    if (last?.style === style) last.text += piece;
    else pieces.push({ text: piece, style });
  };
  for (const match of text.matchAll(controls)) {
    add(text.slice(at, match.index));
    at = match.index + match[0].length;
    const { parameters = '', final } = match.groups ?? {};
    if (final === 'm') style = restyled(style, parameters);
  }
  add(text.slice(at));
  return { pieces, style };
}

const named: readonly AnsiColour[] = ['faint', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'strong'];

/** Parameters of SGR, one after the other; those that mean nothing here are passed over. */
function restyled(before: AnsiStyle, parameters: string): AnsiStyle {
  // With colons a colour is one parameter (T.416), with semicolons the ones that follow belong to it.
  const codes = parameters
    .replaceAll(/([34]8:2):\d*:(?=\d+:\d+:\d)/g, '$1:')
    .split(/[;:]/)
    .map((code) => (code === '' ? 0 : Number(code)));
  let style: AnsiStyle = { ...before };
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) style = {};
    else if (code === 38 || code === 48) {
      const { colour, length } = extended(codes.slice(at + 1));
      style = coloured(style, code === 38 ? 'ink' : 'ground', colour);
      at += length;
    } else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      style = coloured(style, 'ink', named[code % 10] ?? null);
    } else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) {
      style = coloured(style, 'ground', named[code % 10] ?? null);
    } else if (code === 39) style = coloured(style, 'ink', null);
    else if (code === 49) style = coloured(style, 'ground', null);
    else style = marked(style, code);
  }
  return Object.keys(style).length === 0 ? plain : style;
}

function coloured(style: AnsiStyle, place: 'ink' | 'ground', colour: AnsiColour | null): AnsiStyle {
  const { [place]: _before, ...others } = style;
  return colour === null ? others : { ...others, [place]: colour };
}

type Mark = 'bold' | 'faint' | 'italic' | 'underline' | 'struck' | 'inverse';
const on: Readonly<Record<number, Mark>> = {
  1: 'bold',
  2: 'faint',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'struck',
  21: 'underline',
};
const off: Readonly<Record<number, readonly Mark[]>> = {
  22: ['bold', 'faint'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['struck'],
};

function marked(style: AnsiStyle, code: number): AnsiStyle {
  const mark = on[code];
  if (mark) return { ...style, [mark]: true };
  const gone = off[code];
  if (!gone) return style;
  return Object.fromEntries(Object.entries(style).filter(([key]) => !gone.includes(key as Mark)));
}

/** 5 and an index, or 2 and three shares; how many codes it took. */
function extended([kind, ...rest]: number[]): { colour: AnsiColour | null; length: number } {
  if (kind === 5) return { colour: indexed(rest[0] ?? 0), length: 2 };
  if (kind !== 2) return { colour: null, length: 0 };
  const [red = 0, green = 0, blue = 0] = rest;
  return { colour: nearest(red, green, blue), length: 4 };
}

/** Of the 256: the sixteen, a cube of six by six by six, and 24 greys. */
function indexed(index: number): AnsiColour {
  if (index < 16) return named[index % 8] ?? 'strong';
  if (index >= 232) return grey((index - 232) / 23);
  const cube = index - 16;
  return nearest(share(Math.floor(cube / 36)), share(Math.floor(cube / 6) % 6), share(cube % 6));
}

/** Of 255, for one of the six steps of the cube. */
const share = (step: number): number => (step === 0 ? 0 : 55 + step * 40);

const grey = (light: number): AnsiColour => (light < 0.62 ? 'faint' : 'strong');

const hues: readonly [until: number, colour: AnsiColour][] = [
  [22, 'red'],
  [72, 'yellow'],
  [165, 'green'],
  [200, 'cyan'],
  [258, 'blue'],
  [335, 'magenta'],
  [360, 'red'],
];

/** By hue: any shade becomes the one that reads well in both themes. */
function nearest(red: number, green: number, blue: number): AnsiColour {
  const most = Math.max(red, green, blue);
  const spread = most - Math.min(red, green, blue);
  if (spread < 24) return grey(most / 255);
  const sixth =
    most === red
      ? (green - blue) / spread
      : most === green
        ? 2 + (blue - red) / spread
        : 4 + (red - green) / spread;
  const hue = (sixth * 60 + 360) % 360;
  return hues.find(([until]) => hue <= until)?.[1] ?? 'red';
}
