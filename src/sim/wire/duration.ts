import type { Outcome } from './outcome.ts';

const UNIT_MS: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1e3, m: 6e4, h: 3.6e6 };

/** Go's largest duration, what "for ever" means in `keep_alive`. */
export const FOREVER_MS = (2 ** 63 - 1) / 1e6;

/** Parses a Go duration ("1h30m", "-1m", "0") to milliseconds, with Go's messages. */
function parseGoDuration(text: string): Outcome<number> {
  const invalid = {
    ok: false,
    status: 400,
    error: `time: invalid duration ${JSON.stringify(text)}`,
  } as const;
  const sign = text.startsWith('-') ? -1 : 1;
  let rest = text.replace(/^[-+]/, '');
  if (rest === '0') return { ok: true, value: 0 };
  if (rest === '') return invalid;
  let total = 0;
  while (rest !== '') {
    const match = /^(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(rest);
    if (match?.[1] === undefined) return invalid;
    const [whole, number, unit = ''] = match;
    if (unit === '') return { ...invalid, error: `time: missing unit in duration ${JSON.stringify(text)}` };
    const size = UNIT_MS[unit];
    if (size === undefined)
      return {
        ...invalid,
        error: `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`,
      };
    total += Number(number) * size;
    rest = rest.slice(whole.length);
  }
  return { ok: true, value: sign * total };
}

/** `keep_alive` of a request in milliseconds; undefined = not given. */
export function parseKeepAlive(value: unknown): Outcome<number | undefined> {
  if (value === undefined || value === null) return { ok: true, value: undefined };
  const parsed = durationOf(value);
  if (!parsed.ok) return parsed;
  return { ok: true, value: parsed.value < 0 ? FOREVER_MS : parsed.value };
}

function durationOf(value: unknown): Outcome<number> {
  if (typeof value === 'number') return { ok: true, value: value * 1000 };
  if (typeof value === 'string') return parseGoDuration(value);
  const type =
    typeof value === 'boolean' ? 'bool' : Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
  return { ok: false, status: 400, error: `Unsupported type: '${type}'` };
}
