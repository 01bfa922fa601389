/** Signs that draw nothing, or change how what stands beside them is drawn. Told by Unicode's properties, not by a list. */

/**
 * What draws nothing although Unicode calls it a letter or a symbol: the blank of Braille, of musical notes, of Khitan,
 * of hieroglyphs, and the place of an object that is not there.
 */
const blankSigns = String.raw`\u2800\u{1D159}\u{16FE4}\u{13441}\u{13442}\uFFFC`;

/**
 * Controls, formats (bidirectional marks, joiners, tags, shorthand, hieroglyph controls), halves of characters, private
 * and unassigned signs; whatever a font may leave out (fillers, variation selectors); separators of lines.
 */
const hidden = new RegExp(
  String.raw`^[[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}${blankSigns}]--[\n\t]]$`,
  'v',
);

/** Blanks that are not the plain one: as wide as they like, and other words to a shell. */
const oddBlank = /^[\p{Zs}--[ ]]$/v;

/** Says nothing of whether it is a part of an emoji, which is drawn as one picture. */
export const isHidden = (sign: string): boolean => hidden.test(sign);
export const isOddBlank = (sign: string): boolean => oddBlank.test(sign);

/** Joiners shape letters of these scripts; between others they only tell two equal names apart. */
const joined: readonly (readonly [script: string, letter: RegExp])[] = [
  ['Arab', /\p{Script=Arabic}/u],
  ['Syrc', /\p{Script=Syriac}/u],
  ['Mong', /\p{Script=Mongolian}/u],
  ['Deva', /\p{Script=Devanagari}/u],
  ['Beng', /\p{Script=Bengali}/u],
  ['Guru', /\p{Script=Gurmukhi}/u],
  ['Gujr', /\p{Script=Gujarati}/u],
  ['Orya', /\p{Script=Oriya}/u],
  ['Taml', /\p{Script=Tamil}/u],
  ['Telu', /\p{Script=Telugu}/u],
  ['Knda', /\p{Script=Kannada}/u],
  ['Mlym', /\p{Script=Malayalam}/u],
  ['Sinh', /\p{Script=Sinhala}/u],
  ['Khmr', /\p{Script=Khmer}/u],
  ['Mymr', /\p{Script=Myanmar}/u],
];

/** A joiner right between letters of one such script, which is the person's. */
export function isShapingJoiner(
  sign: string,
  before: string,
  after: string,
  scripts: ReadonlySet<string>,
): boolean {
  if (sign !== '\u200C' && sign !== '\u200D') return false;
  return joined.some(([script, letter]) => scripts.has(script) && letter.test(before) && letter.test(after));
}

/** Circles, squares and strokes that are drawn over their letter, and hide it. */
const overlay = /^[\p{Me}\u0334-\u0338\u20D2\u20D3\u20D8-\u20DA\u20E5-\u20EB\u{1BC9E}]$/u;
const combining = /^\p{M}$/u;
/** The accents of Latin, Greek and Cyrillic letters. */
const accent = /^[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\uFE20-\uFE2F]$/u;
const latinLetter = /^\p{Script=Latin}$/u;
const letter = /^\p{L}$/u;
/** Marks that are drawn above or below one letter: more is no writing of any language. */
const maxAccents = 2;
const maxScriptMarks = 4;

export const isCombining = (sign: string): boolean => combining.test(sign);

/** `place`: how many marks the letter has already. `base` empty = there is none that it could go on. */
export function isExcessMark(sign: string, base: string, place: number): boolean {
  if (overlay.test(sign) || !letter.test(base)) return true;
  if (accent.test(sign)) return place >= maxAccents;
  return place >= maxScriptMarks || latinLetter.test(base);
}
