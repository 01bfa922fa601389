/**
 * Letters that pass for others. No list can know them all, so a word is judged as a whole: letters of two alphabets in
 * one word are a trick, a word of one alphabet is writing. A word that would look the same in Latin letters is marked
 * where nobody reads its alphabet.
 */

/** By their codes of ISO 15924, as `Intl.Locale` names them. */
const alphabets: readonly (readonly [code: string, letter: RegExp])[] = [
  ['Latn', /^\p{Script=Latin}$/u],
  ['Cyrl', /^\p{Script=Cyrillic}$/u],
  ['Grek', /^\p{Script=Greek}$/u],
  ['Armn', /^\p{Script=Armenian}$/u],
  ['Geor', /^\p{Script=Georgian}$/u],
  ['Hebr', /^\p{Script=Hebrew}$/u],
  ['Arab', /^\p{Script=Arabic}$/u],
];
/** Of no alphabet, and written beside Latin letters without a blank between. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]$/u;
/** Written beside Latin letters without a blank too, by who reads them. */
const withoutBlanks: readonly (readonly [code: string, letter: RegExp])[] = [
  ['Thai', /^\p{Script=Thai}$/u],
  ['Laoo', /^\p{Script=Lao}$/u],
  ['Khmr', /^\p{Script=Khmer}$/u],
  ['Mymr', /^\p{Script=Myanmar}$/u],
  ['Tibt', /^\p{Script=Tibetan}$/u],
];
/** Greek letters of formulas (Δx, λ1), which no Latin letter looks like. */
const formula = /^[ΔΘΛΞΠΣΦΨΩδθλμπφψ]$/u;

/** Letters that look like Latin ones, in the fonts that code is drawn with. */
const latinLooks: Readonly<Record<string, RegExp>> = {
  Cyrl: /^[аеіјкорсухѕһԁԛԝѵАВЕЅІЈКМНОРСТУХҮԌԚԜ]$/u,
  Grek: /^[οικνρυαγϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ]$/u,
  Armn: /^[օոսհյցզքՕՍԼ]$/u,
};
/** Latin letters of no living alphabet that pass for the plain ones. */
const oddLatin = /^[ɑɡɩɪȷʀʏʙɢʜɴʟᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢꜰꜱꞌꞯƽǃ]$/u;

/** Not plain, but drawn nearly as the plain sign that they are folded to: wide, mathematical, Roman, Greek question mark. */
const foldsToPlain = /^[!-~]$/;
/** Small, raised or circled: nobody takes them for the plain one. */
const otherSize = /^[\p{Lm}\p{No}\u00AA\u00BA\u2070-\u209C\u2120\u2122\u24B6-\u24E9]$/u;
const wideForm = /^[\uFF01-\uFF5E]$/;
const wideScripts = ['Jpan', 'Hans', 'Hant', 'Hani', 'Kore', 'Bopo'];
const wideWriting =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\u3001\u3002]/u;

/** Scripts in everyday use; letters of all others are signs to nearly everybody. */
const everyday =
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Braille}\p{Script=Inherited}\p{Script=Arabic}\p{Script=Armenian}\p{Script=Bengali}\p{Script=Bopomofo}\p{Script=Cyrillic}\p{Script=Devanagari}\p{Script=Ethiopic}\p{Script=Georgian}\p{Script=Greek}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Han}\p{Script=Hangul}\p{Script=Hebrew}\p{Script=Hiragana}\p{Script=Kannada}\p{Script=Katakana}\p{Script=Khmer}\p{Script=Lao}\p{Script=Malayalam}\p{Script=Mongolian}\p{Script=Myanmar}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Syriac}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thaana}\p{Script=Thai}\p{Script=Tibetan}]$/u;

/** The alphabet of a letter; null = of none, and at home beside any other. */
function alphabetOf(letter: string, scripts: ReadonlySet<string>): string | null {
  if (/^[A-Za-z]$/.test(letter)) return 'Latn';
  if (unspaced.test(letter)) return null;
  const own = withoutBlanks.find(([, has]) => has.test(letter))?.[0];
  if (own !== undefined) return scripts.has(own) ? null : own;
  return alphabets.find(([, has]) => has.test(letter))?.[0] ?? 'Zyyy';
}

/** A sign of a script that hardly anybody reads, unless this person does: `scripts` may name any of Unicode's. */
function isUnread(sign: string, scripts: ReadonlySet<string>): boolean {
  if (everyday.test(sign)) return false;
  return !Array.from(scripts).some((code) => scriptNamed(code)?.test(sign));
}

/** null = no script of Unicode, such as `Jpan`, which is several. */
function scriptNamed(code: string): RegExp | null {
  try {
    return new RegExp(`^\\p{Script=${code}}$`, 'u');
  } catch {
    return null;
  }
}

/**
 * Whatever the word that it is in, it passes for a plain sign. `beside`: what is written around it, since wide forms
 * belong to Chinese, Japanese and Korean.
 */
export function looksPlain(sign: string, beside: string, scripts: ReadonlySet<string>): boolean {
  if (oddLatin.test(sign) || isUnread(sign, scripts)) return true;
  if (otherSize.test(sign) || !foldsToPlain.test(sign.normalize('NFKC'))) return false;
  if (!wideForm.test(sign)) return true;
  return !wideWriting.test(beside) && !wideScripts.some((script) => scripts.has(script));
}

const digitOfOther = /^[\p{Nd}--[0-9]]$/v;

/**
 * The letters of a word that pass for others, as the set of their places. `letters`: its characters, marks included.
 * `scripts`: those that the person reads; Latin is always one of them.
 */
export function lookAlikes(letters: readonly string[], scripts: ReadonlySet<string>): ReadonlySet<number> {
  const found = new Set<number>();
  const word = letters.join('');
  const kinds = letters.map((letter) => (/^\p{L}$/u.test(letter) ? alphabetOf(letter, scripts) : null));
  const plain = letters.some((letter) => /^[A-Za-z0-9]$/.test(letter));
  for (const [place, letter] of letters.entries()) {
    if (letter <= '~') continue;
    if (looksPlain(letter, word, scripts)) found.add(place);
    if (plain && digitOfOther.test(letter)) found.add(place);
  }
  const used = new Set(kinds.filter((kind) => kind !== null));
  const foreign = marked(letters, kinds, used, scripts);
  for (const [place, kind] of kinds.entries()) if (kind !== null && foreign(kind, place)) found.add(place);
  return found;
}

function marked(
  letters: readonly string[],
  kinds: readonly (string | null)[],
  used: ReadonlySet<string>,
  scripts: ReadonlySet<string>,
): (kind: string, place: number) => boolean {
  const isRead = (kind: string): boolean => kind === 'Latn' || scripts.has(kind);
  if (used.size > 1) {
    const rare = [...used].every(isRead) ? rarest(kinds, used) : null;
    return (kind, place) =>
      (rare === null ? !isRead(kind) : kind === rare) && !formula.test(letters[place] ?? '');
  }
  const [only] = used;
  const looks = only === undefined || isRead(only) ? undefined : latinLooks[only];
  const whole =
    looks !== undefined && letters.every((letter, at) => kinds[at] === null || looks.test(letter));
  return () => whole;
}

/** The alphabet with the fewest letters of the word; of two the one that is not Latin. */
function rarest(kinds: readonly (string | null)[], used: ReadonlySet<string>): string {
  const count = (kind: string): number => kinds.filter((other) => other === kind).length;
  const [first = ''] = [...used].toSorted(
    (a, b) => count(a) - count(b) || Number(a === 'Latn') - Number(b === 'Latn'),
  );
  return first;
}
