/** What must never be remembered: memory is plain text on the disk, and every later prompt may carry it. */

interface SecretPattern {
  kind: string;
  pattern: RegExp;
}

/** Formats that issuers publish, so that nothing else looks like them. */
const patterns: readonly SecretPattern[] = [
  { kind: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY|PuTTY-User-Key-File|AGE-SECRET-KEY-1/i },
  { kind: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  { kind: 'a GitHub token', pattern: /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,})/ },
  { kind: 'a GitLab token', pattern: /\bglpat-[\w-]{16,}/ },
  { kind: 'an API key', pattern: /\b(?:sk|pk|rk)[-_](?=[\w-]*\d)[\w-]{16,}/ },
  { kind: 'a Google API key', pattern: /\bAIza[\w-]{30,}/ },
  { kind: 'a Slack token', pattern: /\bxox[abeoprs]-[\w-]{10,}/ },
  { kind: 'an access token', pattern: /\b(?:hf|npm|nav|dop_v1|pypi|shpat)[_-][A-Za-z0-9_-]{20,}/ },
  { kind: 'a sign-in token', pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}\.?[\w-]*/ },
  { kind: 'a sign-in token', pattern: /\b(?:bearer|basic)\s+[\w+/=.~-]{16,}/i },
  { kind: 'an address with a password', pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i },
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
  const known = patterns.find(({ pattern }) => pattern.test(text));
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
