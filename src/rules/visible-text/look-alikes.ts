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
  ['Cher', /^\p{Script=Cherokee}$/u],
  ['Copt', /^\p{Script=Coptic}$/u],
  ['Lisu', /^\p{Script=Lisu}$/u],
  ['Dsrt', /^\p{Script=Deseret}$/u],
];
/** Of no alphabet, and written beside Latin letters without a blank between. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Yi}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Common}\p{Script=Inherited}]$/u;
/** Greek letters of formulas (Δx, λ1), which no Latin letter looks like. */
const formula = /^[ΔΘΛΞΠΣΦΨΩδθλμπφψ]$/u;

/** Letters that look like Latin ones, in the fonts that code is drawn with. */
const latinLooks: Readonly<Record<string, RegExp>> = {
  Cyrl: /^[аеіјкорсухѕһԁԛԝѵАВЕЅІЈКМНОРСТУХҮԌԚԜ]$/u,
  Grek: /^[οικνρυαγϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ]$/u,
  Armn: /^[օոսհյցզքՕՍԼ]$/u,
  Cher: /^\p{Script=Cherokee}$/u,
  Copt: /^\p{Script=Coptic}$/u,
  Lisu: /^\p{Script=Lisu}$/u,
  Dsrt: /^\p{Script=Deseret}$/u,
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

/**
 * Signs that pass for those with a meaning to a shell or in a path, and are not folded to them: slashes, backslashes,
 * bars, colons, dots, hyphens, tildes, angles, asterisks, apostrophes. Dashes, quotation marks and minus are writing.
 */
const operatorLooks =
  /^[\u2044\u2215\u29F8\u27CB\u2216\u29F5\u29F9\u01C0\u2223\u2758\u02D0\u02F8\u2236\uA789\u0589\u05C3\u2024\u2027\u02D7\u2010\u2011\u2043\u223C\u02F7\u02C2\u02C3\u1438\u1433\u204E\u2217\u066D\u02B9\u02C8\uA78B\uA78C\u055D]$/u;

export function alphabetOf(letter: string): string | null {
  if (/^[A-Za-z]$/.test(letter)) return 'Latn';
  if (unspaced.test(letter)) return null;
  return alphabets.find(([, has]) => has.test(letter))?.[0] ?? 'Zyyy';
}

/**
 * Whatever the word that it is in, it passes for a plain sign. `beside`: what is written around it, since wide forms
 * belong to Chinese, Japanese and Korean.
 */
export function looksPlain(sign: string, beside: string, scripts: ReadonlySet<string>): boolean {
  if (operatorLooks.test(sign) || oddLatin.test(sign)) return true;
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
  const kinds = letters.map((letter) => (/^\p{L}$/u.test(letter) ? alphabetOf(letter) : null));
  const plain = letters.some((letter) => /^[A-Za-z0-9]$/.test(letter));
  for (const [place, letter] of letters.entries()) {
    if (letter <= '~') continue;
    if (looksPlain(letter, word, scripts) || (plain && digitOfOther.test(letter))) found.add(place);
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
