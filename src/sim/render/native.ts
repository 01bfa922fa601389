/** What the families share whose own Jinja template writes the prompt, inside llama-server. */

import { MODEL_JSON, writeJson, writeMembers, type JsonStyle } from './go-values.ts';
import type { Entry } from './history.ts';
import type { JsonObject, Refusal } from './types.ts';

const LARGEST_SIGNED = 2 ** 63;
const LARGEST_UNSIGNED = 2 ** 64;

/** JSON as the templates write it: spaced, nothing but quotes escaped, keys as Go sent them, which is sorted. */
export const NATIVE_JSON: JsonStyle = { ...MODEL_JSON, sortKeys: true, number: printNumber };

/** The top-level keys of arguments keep their order on the way; nested ones are sorted. */
export function writeArguments(args: JsonObject): string {
  const members = Object.entries(args).map(([key, value]) => [key, writeJson(value, NATIVE_JSON)] as const);
  return writeMembers(members, NATIVE_JSON);
}

/** A history that the template does not take, in the runner's words with the template's text left out. */
export function templateRefuses(reason: string): Refusal {
  const message = `Unable to generate parser for this template. Automatic parser generation failed:  … Error: Jinja Exception: ${reason}`;
  const error = JSON.stringify({ error: { code: 400, message, type: 'invalid_request_error' } });
  return { ok: false, status: 400, error };
}

/** The runner takes a last message of the assistant off the list and puts its text behind the prompt. */
export function splitPrefill(entries: readonly Entry[]): { history: readonly Entry[]; prefill?: Entry } {
  const last = entries.at(-1);
  return last?.message.role === 'assistant'
    ? { history: entries.slice(0, -1), prefill: last }
    : { history: entries };
}

/** Integers above 63 bits come out as the signed number with the same bits, all others as the shortest digits. */
function printNumber(value: number): string {
  if (Number.isInteger(value) && value >= -LARGEST_SIGNED && value < LARGEST_UNSIGNED) {
    return String(BigInt.asIntN(64, BigInt(JSON.stringify(value))));
  }
  const [digits = '0', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  return exponent >= -4 && exponent < 15
    ? String(value)
    : `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
