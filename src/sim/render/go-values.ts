/** Spelling of values as Go writes them, because every recorded prompt was written by Go. */

import type { Json } from './types.ts';

export interface JsonStyle {
  comma: string;
  colon: string;
  sortKeys: boolean;
  /** Writes `<`, `>` and `&` as `\u003c`, `\u003e` and `\u0026`. */
  escapeMarkup: boolean;
  /** Absent = as Go and JavaScript write numbers in JSON. */
  number?: (value: number) => string;
}

/** Go's encoder. */
export const GO_JSON: JsonStyle = { comma: ',', colon: ':', sortKeys: true, escapeMarkup: true };

/** Go's encoder with a space behind each comma and colon. */
export const SPACED_GO_JSON: JsonStyle = { ...GO_JSON, comma: ', ', colon: ': ' };

/** As a model writes JSON by itself: spaced, keys in the order of its thoughts, nothing escaped. */
export const MODEL_JSON: JsonStyle = { comma: ', ', colon: ': ', sortKeys: false, escapeMarkup: false };

const MARKUP_ESCAPES = /[<>&\u2028\u2029]/g;

export function writeJson(value: Json, style: JsonStyle): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => writeJson(item, style)).join(style.comma)}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    return writeMembers(
      (style.sortKeys ? sortByKey(entries) : entries).map(([key, item]) => [key, writeJson(item, style)]),
      style,
    );
  }
  if (typeof value === 'number' && style.number !== undefined) {
    return style.number(value);
  }
  // Go's encoder switches to exponents at the same magnitudes as JavaScript.
  const text = JSON.stringify(value);
  return typeof value === 'string' && style.escapeMarkup ? escapeMarkup(text) : text;
}

/** An object from members whose values are JSON already, in the order given. */
export function writeMembers(members: readonly (readonly [string, string])[], style: JsonStyle): string {
  return `{${members.map(([key, json]) => writeJson(key, style) + style.colon + json).join(style.comma)}}`;
}

export function sortByKey<T>(entries: readonly (readonly [string, T])[]): (readonly [string, T])[] {
  return entries.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
}

/**
 * A number as Go prints it for people (`%v`): the shortest digits, with an exponent of at least two places
 * below 1e-4 and from 1e6 on.
 */
export function printNumber(value: number): string {
  const [digits = '0', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) {
    return String(value);
  }
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** As {@link printNumber}, but whole numbers of up to 63 bits in full. */
export function printWhole(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? String(BigInt(value)) : printNumber(value);
}

/** Any value as Go prints it for people (`%v`). */
export function printValue(value: Json | undefined): string {
  if (value === undefined || value === null) {
    return '<nil>';
  }
  if (Array.isArray(value)) {
    return `[${value.map(printValue).join(' ')}]`;
  }
  if (typeof value === 'object') {
    return `map[${sortByKey(Object.entries(value))
      .map(([key, item]) => `${key}:${printValue(item)}`)
      .join(' ')}]`;
  }
  return typeof value === 'number' ? printNumber(value) : String(value);
}

function escapeMarkup(json: string): string {
  return json.replace(MARKUP_ESCAPES, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
