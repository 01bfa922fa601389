/** Finds keys and passwords by formats that issuers publish and configuration files use; little else looks like them. */

interface KeyFormat {
  kind: string;
  /** Its group is what is secret of it; without one all of it is. */
  pattern: RegExp;
}

const quote = String.raw`\\?["'\`]`;
/** Names after which a value is a secret; `token` and `key` alone are words of too many programs. */
const secretNames = String.raw`pass(?:word|wort|phrase|wd)|pwd|(?:client|app|shared)?[_-]?secret|(?:access|api|auth|bearer|refresh|session|bot)[_-]?token|(?:access|api|encryption|license|private|secret)[_-]?key(?:[_-]id)?|credentials?`;

export const keyFormats: readonly KeyFormat[] = [
  {
    kind: 'a private key',
    // As far as what follows could belong to it: one that is cut off has no end.
    pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----((?:(?!-----)[\w+/=\s\\:,.-]){16,8000})/dg,
  },
  { kind: 'a private key', pattern: /\bAGE-SECRET-KEY-1([A-Z0-9]{20,})/dg },
  {
    kind: 'a private key',
    pattern: /^Private-Lines: \d{1,4}\s((?:(?!Private-MAC)[\w+/=\s]){16,8000})/dgm,
  },
  { kind: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)([A-Z0-9]{16})\b/dg },
  { kind: 'a GitHub token', pattern: /\b(?:gh[pousr]_|github_pat_)(\w{20,})/dg },
  { kind: 'a GitLab token', pattern: /\bglpat-([\w-]{16,})/dg },
  { kind: 'an API key', pattern: /\b(?:sk|pk|rk)[-_](?=[\w-]{0,200}\d)([\w-]{16,})/dg },
  { kind: 'a Google API key', pattern: /\bAIza([\w-]{30,})/dg },
  { kind: 'a Slack token', pattern: /\bxox[abeoprs]-([\w-]{10,})/dg },
  { kind: 'an access token', pattern: /\b(?:hf|npm|nav|shpat)_([A-Za-z0-9]{20,})/dg },
  { kind: 'a token of Andiron', pattern: /\band_([\w-]{43})/dg },
  { kind: 'an access token', pattern: /\b(?:dop_v1_|pypi-)([A-Za-z0-9_-]{20,})/dg },
  { kind: 'a sign-in token', pattern: /\beyJ([\w-]{8,}\.[\w-]{8,}\.?[\w-]*)/dg },
  { kind: 'a sign-in token', pattern: /\b(?:bearer|basic)\s{1,4}([\w+/=.~-]{16,})/dgi },
  {
    kind: 'an address with a password',
    pattern: /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,100}:([^\s/@]{1,200})@/dgi,
  },
];

/** What a file of settings gives such a name: `DB_PASSWORD=…`, `"api_key": "…"`, `password = '…'`. */
const assigned: readonly KeyFormat[] = [
  {
    kind: 'a password',
    pattern:
      /^[ \t]*(?:export[ \t]+)?\w{0,60}(?:PASSWORD|PASSWD|SECRET|TOKEN|APIKEY|API_KEY|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY|CREDENTIALS)[ \t]*=[ \t]*["']?([^\s"'$<{][^\s"']{5,})/dgm,
  },
  {
    kind: 'a password',
    pattern: new RegExp(
      String.raw`(?:${secretNames})${quote}?\s{0,4}[:=]\s{0,4}${quote}([^\s"'\`\\$<{][^\s"'\`\\]{7,200})${quote}`,
      'dgi',
    ),
  },
];

const sign = '•';
/** Reveals nothing about the secret, not even its length. */
const hidden = sign.repeat(8);

export interface MaskedText {
  text: string;
  /** Keys that are not shown. */
  count: number;
}

/**
 * With every key hidden, line by line: there are as many lines as before.
 * @param keepsPlaces each character stays where it was
 */
export function maskKeys(text: string, keepsPlaces = false): MaskedText {
  const found = [...keyFormats, ...assigned].flatMap(({ pattern }) => placesOf(text, pattern));
  let [masked, end, count] = ['', 0, 0];
  for (const [from, to] of found.toSorted(([a], [b]) => a - b)) {
    // It lies in one that is hidden already.
    if (to <= end) continue;
    const start = Math.max(from, end);
    masked += text.slice(end, start) + hide(text.slice(start, to), keepsPlaces);
    end = to;
    count += 1;
  }
  return { text: masked + text.slice(end), count };
}

/** For a log. */
export const withoutKeys = (text: string): string => maskKeys(text).text;

function placesOf(text: string, pattern: RegExp): [number, number][] {
  return [...text.matchAll(pattern)].flatMap(({ indices }) => {
    const place = indices?.[1] ?? indices?.[0];
    return place && place[1] > place[0] ? [place] : [];
  });
}

function hide(secret: string, keepsPlaces: boolean): string {
  const lines = secret.split('\n');
  if (keepsPlaces) return lines.map((line) => sign.repeat(line.length)).join('\n');
  return lines.map((line) => (line.trim() === '' ? line : hidden)).join('\n');
}
