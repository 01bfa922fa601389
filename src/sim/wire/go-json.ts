/** JSON as Go's encoder writes it: HTML characters and line separators escaped, keys in the order given. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** RFC 3339 in UTC with nanoseconds, trailing zeros cut, as Go prints a time. */
export function goTime(ms: number): string {
  const whole = Math.floor(ms);
  const nanoseconds = Math.floor((ms - whole) * 1e6);
  const iso = new Date(whole).toISOString();
  const fraction = (iso.slice(20, 23) + String(nanoseconds).padStart(6, '0')).replace(/0+$/, '');
  return `${iso.slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/** Go's zero time, which an answer carries when nothing ever filled it. */
export const GO_ZERO_TIME = '0001-01-01T00:00:00Z';

/** Milliseconds as the integer nanoseconds of Ollama's metrics. */
export const toNanoseconds = (ms: number): number => Math.max(0, Math.round(ms * 1e6));

/** The object without the keys whose value Go's `omitempty` leaves out. */
export function omitEmpty<T extends Record<string, unknown>>(fields: T): Partial<T> {
  const kept = Object.entries(fields).filter(
    ([, value]) =>
      value !== undefined &&
      value !== null &&
      value !== '' &&
      value !== 0 &&
      value !== false &&
      !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept) as Partial<T>;
}
