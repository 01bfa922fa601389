/** Reads a constrained reply while it comes: the answer leaves its JSON piece by piece, a call when it is whole. */

import { parseJson } from '../../../protocol/json.ts';
import type { ReplyEvent } from '../../providers/provider.ts';
import { asEdit } from './added-line.ts';
import { withoutNumbers } from './argument-order.ts';
import { answerKeys } from './constrained.ts';

export type ConstrainedEvent =
  /** The next piece of the answer, as the person reads it. */
  | { type: 'text'; text: string }
  /** The model has chosen this tool and now writes the arguments; told once. */
  | { type: 'calling'; name: string };

export type ConstrainedReply =
  | { type: 'call'; name: string; args: Record<string, unknown> }
  | { type: 'answer'; text: string }
  /** `cut`: the JSON ends in the middle; `form`: it is something else, such as prose where `format` is ignored. */
  | { type: 'broken'; why: 'empty' | 'cut' | 'form' | 'too_long'; raw: string };

type CallEvent = Extract<ReplyEvent, { type: 'call' }>;

/**
 * An engine that looks for calls in the text of a model may find ours: it then passes the whole reply on as the arguments
 * of a call, of whichever tool it thinks of. Back to what was written.
 */
export function unwrapped(found: CallEvent): CallEvent | { type: 'text'; text: string } {
  const { answer_about: _, ...said } = found.args;
  const [first, ...others] = Object.entries(said);
  const text = first !== undefined && answerKey.test(first[0]) && others.length === 0 ? first[1] : undefined;
  return typeof text === 'string' ? { type: 'text', text } : { ...found, ...callOf(found.args) };
}

const maxReplyLength = 1_000_000;
/** Longer than any beginning that the grammar can write: what is not known to be an answer by then is none. */
const maxHeadLength = 600;

const alone = Object.values(answerKeys).join('|');
const behind = 'answer_found|answer_text';
const answerKey = new RegExp(`^(?:${alone}|${behind})$`);
const about = String.raw`"answer_about"\s*:\s*"(?:[^"\\]|\\.){1,400}"\s*,\s*`;
const answerHead = new RegExp(String.raw`^\s*\{\s*(?:${about}"(?:${behind})"|"(?:${alone})")\s*:\s*"`);
const callHead = /^\s*\{\s*"call"\s*:\s*"([^"\\]{1,200})"/;

export function createConstrainedReader() {
  let raw = '';
  let tooLong = false;
  let calling = false;
  let answer: AnswerText | undefined;

  function readHead(): ConstrainedEvent[] {
    const head = answerHead.exec(raw.slice(0, maxHeadLength))?.[0];
    if (head === undefined) return [];
    answer = createAnswerText();
    return toEvents(answer.push(raw.slice(head.length)));
  }

  function noteCall(): ConstrainedEvent[] {
    const name = callHead.exec(raw.slice(0, maxHeadLength))?.[1];
    if (name === undefined) return [];
    calling = true;
    return [{ type: 'calling', name }];
  }

  return {
    push(chunk: string): ConstrainedEvent[] {
      if (tooLong) return [];
      const decided = raw.length >= maxHeadLength;
      raw += chunk;
      if (raw.length > maxReplyLength) {
        tooLong = true;
        raw = raw.slice(0, maxReplyLength);
        return [];
      }
      if (answer) return toEvents(answer.push(chunk));
      if (calling || decided) return [];
      const events = readHead();
      return answer ? events : noteCall();
    },
    /** Once, after the last chunk. */
    end(): ConstrainedReply {
      if (tooLong) return { type: 'broken', why: 'too_long', raw };
      if (raw.trim() === '') return { type: 'broken', why: 'empty', raw };
      const read = answer ? answer.end() : readCall(raw);
      return typeof read === 'string' ? { type: 'broken', why: read, raw } : read;
    },
  };
}

const toEvents = (text: string): ConstrainedEvent[] => (text === '' ? [] : [{ type: 'text', text }]);

type AnswerText = ReturnType<typeof createAnswerText>;

/** From behind the opening quote. */
function createAnswerText() {
  let text = '';
  /** The beginning of an escape, or the first half of a character that is written in two. */
  let held = '';
  let rest: string | undefined;
  return {
    /** What of the answer is complete by now. */
    push(chunk: string): string {
      if (rest !== undefined) {
        rest += chunk;
        return '';
      }
      const read = decode(held + chunk);
      held = read.held;
      rest = read.rest;
      text += read.text;
      return read.text;
    },
    end(): ConstrainedReply | 'cut' | 'form' | 'empty' {
      if (rest === undefined) return 'cut';
      if (rest.trim() !== '}') return rest.trim() === '' ? 'cut' : 'form';
      return text.trim() === '' ? 'empty' : { type: 'answer', text };
    },
  };
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** `rest`: what stands behind the closing quote; undefined = it has not come. */
function decode(written: string): { text: string; held: string; rest: string | undefined } {
  let text = '';
  let at = 0;
  while (at < written.length) {
    const plain = /[^"\\]*/y;
    plain.lastIndex = at;
    text += plain.exec(written)?.[0] ?? '';
    at = plain.lastIndex;
    if (written[at] === '"') return { text: text.toWellFormed(), held: '', rest: written.slice(at + 1) };
    if (at >= written.length) break;
    const length = written[at + 1] === 'u' ? 6 : 2;
    if (at + length > written.length) break;
    text += unescape(written.slice(at, at + length));
    at += length;
  }
  // Half of a character waits for its other half, in the form in which it is not yet an escape again.
  const half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';
  const whole = half === '' ? text : text.slice(0, -1);
  return { text: whole.toWellFormed(), held: half + written.slice(at), rest: undefined };
}

/** What the grammar excludes stays as it was written: it is only text for a person. */
function unescape(escape: string): string {
  const letter = escape[1] ?? '';
  if (letter !== 'u') return escapes[letter] ?? (/["\\/]/.test(letter) ? letter : escape);
  return /^\\u[\da-f]{4}$/i.test(escape) ? String.fromCharCode(Number.parseInt(escape.slice(2), 16)) : escape;
}

function readCall(raw: string): ConstrainedReply | 'cut' | 'form' {
  let value: unknown;
  try {
    value = parseJson(raw);
  } catch {
    return isCut(raw) ? 'cut' : 'form';
  }
  const call = isObject(value) ? callOf(value) : null;
  return call ? { type: 'call', ...call } : 'form';
}

function callOf(value: Record<string, unknown>): { name: string; args: Record<string, unknown> } | null {
  const { call, with: args, ...others } = value;
  const formed = typeof call === 'string' && isObject(args) && Object.keys(others).length === 0;
  return formed ? { name: call, args: withoutNumbers(asEdit(args)) } : null;
}

/** Begins as a reply of ours and has an open text or bracket. */
function isCut(raw: string): boolean {
  if (!/^\s*\{\s*(?:"|$)/.test(raw.slice(0, maxHeadLength))) return false;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw[at];
    if (inText && char === '\\') at += 1;
    else if (char === '"') inText = !inText;
    else if (!inText && (char === '{' || char === '[')) depth += 1;
    else if (!inText && (char === '}' || char === ']')) depth -= 1;
  }
  return inText || depth > 0;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
