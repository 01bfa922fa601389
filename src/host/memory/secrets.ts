/** What must never be remembered: memory is plain text on the disk, and every later prompt may carry it. */
import { keyFormats } from '../../rules/key-formats.ts';

/** Broader than what is hidden on the screen: a fact that is refused can be said in other words. */
const patterns: readonly { kind: string; pattern: RegExp }[] = [
  { kind: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY|PuTTY-User-Key-File|AGE-SECRET-KEY-1/i },
  ...keyFormats,
  {
    kind: 'a password',
    pattern:
      /\b(?:pass(?:word|wort|code|phrase|wd)|pwd|pin|secret|api[ _-]?key|token)\b\s*(?:[:=]|is:?\s|ist:?\s)\s*['"`]?(?=\S*[\d!#$%^&*?])\S{4,}/i,
  },
  { kind: 'a password', pattern: /\b(?:pass(?:word|wort|code|phrase|wd)|pwd)\s*[:=]\s*\S{4,}/i },
];

/** Names whose value is a secret, whatever it looks like. `password_manager` or `token_limit` are none. */
const secretName =
  /(?:^|_)(?:pass(?:word|wort|code|phrase|wd)|pwd|pin|pin_code|cvv|cvc|secrets?|credentials?|(?:access|api|auth|bearer|refresh|session)_?tokens?|token|(?:access|api|encryption|license|private|secret|ssh)_?keys?|recovery_codes?|seed_phrase)$/;

/** In words, for the refusal; null = it does not look like one. `name` is the normalised key. */
export function secretIn(text: string, name = ''): string | null {
  if (secretName.test(name)) return 'a password or key';
  const known = patterns.find(({ pattern }) => text.search(pattern) !== -1);
  if (known) return known.kind;
  if (hasCardNumber(text)) return 'a card number';
  return text.split(/[\s,;'"`()<>]+/).some(looksRandom) ? 'a key or password' : null;
}

/** Many turns between letters and digits are made by chance, not by a person. Digests and long hexadecimal numbers too. */
function looksRandom(piece: string): boolean {
  if (/^(?:0x)?[0-9a-f]{32,}$/i.test(piece)) return true;
  if (!/^[\w+=/-]{20,}$/.test(piece) || piece.split('/').length > 3) return false;
  if (!/[a-z]/.test(piece) || !/[A-Z]/.test(piece)) return false;
  const turns = piece.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? [];
  return turns.length >= 4;
}

/** 13 to 19 digits whose check digit is right. */
function hasCardNumber(text: string): boolean {
  return (text.match(/\b\d(?:[ -]?\d){12,18}\b/g) ?? []).some((match) => {
    const digits = match.replaceAll(/\D/g, '').split('').map(Number).toReversed();
    const sum = digits.reduce((total, digit, index) => total + luhnPart(digit, index), 0);
    return sum % 10 === 0;
  });
}

function luhnPart(digit: number, index: number): number {
  if (index % 2 === 0) return digit;
  return digit > 4 ? digit * 2 - 9 : digit * 2;
}
