/**
 * Finds the calls that a model wrote into its text. One pass from left to right over the places
 * where a call can begin. Marks that only templates write are trusted; a code fence, bare JSON or a line of code only
 * when nothing but calls of offered tools, with all they need, stands in it and nobody calls it an example.
 */
import { maxKeptCalls } from '../../../protocol/limits.ts';
import { checkCall, type TextAttempt, type TextCall } from './call-shapes.ts';
import type { Budget } from './loose-json.ts';
import type { OfferedTool } from './offered-tool.ts';
import {
  pastEndMarks,
  type Place,
  readArguments,
  readWrittenCalls,
  sticky,
  type WrittenCalls,
} from './written-calls.ts';

export type { TextCall } from './call-shapes.ts';

export interface TextCalls {
  calls: TextCall[];
  /** What looked like a call and may not run: worth asking again, and shown to the person in the end. */
  attempts: TextAttempt[];
  /** The text without the calls. */
  prose: string;
  /** Calls beyond those that are kept of one reply. */
  dropped: number;
}

type Form = 'marks' | 'fence' | 'bare';

interface Found {
  calls: TextCall[];
  /** Calls that were read and not looked at. */
  dropped: number;
  attempts: TextAttempt[];
  start: number;
  end: number;
}

const maxAttempts = 16;
const maxAttemptLength = 500;
/** Looks at one character, over all attempts: a reply that makes us look at it more often is not read on. */
const looksPerCharacter = 8;

const receipts: Readonly<Record<Form, string>> = {
  marks: 'read from tool tags in the text',
  fence: 'read from a code fence',
  bare: 'read from the text',
};

const marks = [
  /<(?:tool_calls?|function_calls?|tool_code|tool_use|tool_request)>/,
  /<[|｜]tool[_▁]calls?(?:[_▁](?:section[_▁])?begin)?[|｜]>/,
  /(?:<｜tool▁call▁begin｜>function)?<｜tool▁sep｜>/,
  /<\|python_(?:tag|start)\|>|<start_function_call>|\[TOOL_(?:CALLS|REQUEST)\]|<channel\|>/,
  /(?=<function=|<invoke name=|<function name=)/,
];
const harmony =
  /(?:<\|start\|>assistant)?(?:<\|channel\|>\w{1,20})? ?to=(?<recipient>[\w.-]{1,64})[^{}\n]{0,80}?<\|message\|>(?=\s{0,20}\{)/;
const reAct = /^Action:[ \t]{0,9}(?<action>[\w.-]{1,64})[ \t]{0,9}\n{1,3}Action Input:[ \t]{0,9}(?=\{)/;
const fence = /(?<fence>```|~~~)[\w+-]{0,20}(?=[\s{[])/;
const bare = /^[ \t]{0,20}`?(?=\{|\[|[A-Za-z_][\w.]{0,64}\()/;
const atEndOfSentence = /(?<=[:.!?])(?<inline>[ \t]{1,9})(?=\{)/;

/** What may stand between a mark and the call: white space, the next mark, a fence. */
const leading = new RegExp(
  `(?:\\s|${marks
    .slice(0, -1)
    .map(({ source }) => `(?:${source})`)
    .join('|')}|\`\`\`[\\w+-]{0,20}(?=\\s))*`,
  'y',
);
const beginsJson = /[{[]\s{0,20}(?:["'{[]|\w{1,40}\s{0,5}:)/y;
const callKey = /["']?\b(?:name|tool|function|arguments|parameters)["']?\s{0,5}:/;

/** Said right before it, the call is one that the model only shows. */
const example =
  /\b(?:example|for instance|e\.g|such as|looks? like|would be|might be|format|syntax|beispiel|exemple|ejemplo|esempio|exemplo|voorbeeld|przykład)|например|пример|例|예를/i;

export function readTextCalls(text: string, offered: readonly OfferedTool[]): TextCalls {
  const scan: Scan = {
    text,
    offered,
    budget: { left: looksPerCharacter * text.length + 1_000 },
    opening: openings(offered),
    room: maxKeptCalls,
  };
  const found: Found[] = [];
  let attempts = 0;
  let at = afterThoughts(text);
  while (attempts < maxAttempts && scan.budget.left > 0) {
    scan.opening.lastIndex = at;
    const opened = scan.opening.exec(text);
    if (!opened) break;
    const read = readAt(opened, scan);
    if (read.found) {
      found.push(read.found);
      attempts += read.found.attempts.length;
      scan.room -= read.found.calls.length;
    }
    at = Math.max(read.next, opened.index + Math.max(1, opened[0].length));
  }
  return combine(text, found);
}

interface Scan {
  text: string;
  offered: readonly OfferedTool[];
  budget: Budget;
  opening: RegExp;
  /** Calls that may still be kept. */
  room: number;
}

interface ReadAt {
  found: Found | null;
  next: number;
}

function readAt(opened: RegExpExecArray, scan: Scan): ReadAt {
  const { text } = scan;
  const { recipient, action, fence, mark, inline } = opened.groups ?? {};
  const from = opened.index + opened[0].length;
  const place: Place = { ...scan, start: from + (sticky(leading, text, from)?.[0].length ?? 0) };
  const name = recipient ?? action;
  if (name !== undefined) return trusted(opened.index, place, readArguments(name, place), scan);
  if (fence !== undefined) return fenced(opened.index, fence, place, scan);
  if (mark === undefined) return unfenced(opened.index, place, inline !== undefined, scan);
  // In backquotes it is talked about.
  if (text[opened.index - 1] === '`') return { found: null, next: from };
  return trusted(opened.index, place, readWrittenCalls(place), scan);
}

/** Behind a mark that only templates write: what cannot run is told too. */
function trusted(start: number, place: Place, read: WrittenCalls, scan: Scan): ReadAt {
  const { text } = scan;
  if (!read.ok) {
    if (read.why === 'other') return { found: null, next: place.start };
    return { found: unreadable(start, read.end, text), next: read.end };
  }
  const fence = text.slice(start, place.start).includes('```') ? '```' : null;
  const end = pastEndMarks(text, read.end, fence);
  return { found: check(read, 'marks', start, end, scan), next: end };
}

function fenced(start: number, mark: string, place: Place, scan: Scan): ReadAt {
  const { text } = scan;
  const read = readWrittenCalls(place);
  if (read.ok) {
    const end = pastEndMarks(text, read.end, mark);
    const closed = text.slice(read.end, end).includes(mark) || text.slice(end).trim() === '';
    if (closed)
      return { found: isExample(text, start) ? null : check(read, 'fence', start, end, scan), next: end };
  }
  const close = text.indexOf(mark, read.ok ? read.end : place.start);
  const next = close === -1 ? text.length : close + mark.length;
  return { found: read.ok || read.why === 'other' ? null : brokenCall(start, next, text), next };
}

/** JSON or a line of code in the open; `inline`, behind a sentence, only as the last thing said. */
function unfenced(start: number, place: Place, inline: boolean, scan: Scan): ReadAt {
  const { text } = scan;
  const read = readWrittenCalls(place);
  if (!read.ok) {
    if (read.why === 'other') return { found: null, next: read.end };
    // What stands inside of broken JSON is a part of it, not a call; `[x]` begins none.
    const next = sticky(beginsJson, text, place.start) ? endOfParagraph(text, start) : read.end;
    return { found: brokenCall(start, next, text), next };
  }
  const quoted = read.end + (sticky(/[`;]?[ \t]{0,200}/y, text, read.end)?.[0].length ?? 0);
  const end = text[quoted] === '<' ? pastEndMarks(text, quoted, null) : quoted;
  const over =
    end >= text.length || (inline ? text.slice(end).trim() === '' : /[\r\n]/.test(text.charAt(end)));
  if (!over || isExample(text, start)) return { found: null, next: end };
  return { found: check(read, 'bare', start, end, scan), next: end };
}

/** Calls that may run, with their receipt. Without marks around them only when all of them may. */
function check(
  whole: Extract<WrittenCalls, { ok: true }>,
  form: Form,
  start: number,
  end: number,
  { text, offered, room }: Scan,
): Found | null {
  const calls: TextCall[] = [];
  const attempts: TextAttempt[] = [];
  const read = { ...whole, calls: whole.calls.slice(0, room) };
  const dropped = whole.calls.length - read.calls.length;
  // A line of code may be just that: `open(…)` is no call of a tool unless a tool has that very name.
  const loosely = form === 'marks' || read.notation === 'data';
  for (const raw of read.calls) {
    const checked = checkCall(raw, offered, loosely);
    if (checked.ok) {
      const { call } = checked;
      calls.push({ ...call, repairs: [receipts[form], ...read.mended, ...call.repairs] });
    } else {
      attempts.push({ ...checked.fault, text: shorten(text.slice(start, end)) });
    }
  }
  if (form === 'marks' || attempts.length === 0) return { calls, attempts, dropped, start, end };
  return loosely && isAlone(text, start, end) ? { calls: [], attempts, dropped: 0, start, end } : null;
}

function unreadable(start: number, end: number, text: string): Found {
  const words = 'the call is no readable JSON';
  const attempt: TextAttempt = {
    name: null,
    why: 'unreadable',
    words,
    text: shorten(text.slice(start, end)),
  };
  return { calls: [], attempts: [attempt], dropped: 0, start, end };
}

/** Without marks around it, broken JSON was meant as a call when it is all that was said and has the keys of one. */
function brokenCall(start: number, end: number, text: string): Found | null {
  const meant = isAlone(text, start, end) && callKey.test(text.slice(start, start + maxAttemptLength));
  return meant ? unreadable(start, end, text) : null;
}

/** A call that was written twice in a row was meant once. */
function combine(text: string, found: readonly Found[]): TextCalls {
  const calls: TextCall[] = [];
  for (const call of found.flatMap((piece) => piece.calls)) {
    const before = calls.at(-1);
    if (!before || keyOf(before) !== keyOf(call)) calls.push(call);
  }
  let prose = '';
  let at = 0;
  for (const piece of found) {
    if (piece.calls.length + piece.dropped === 0) continue;
    prose += text.slice(at, piece.start);
    at = piece.end;
  }
  prose += text.slice(at);
  const attempts = found.flatMap((piece) => piece.attempts);
  const dropped = found.reduce((sum, piece) => sum + piece.dropped, 0);
  return { calls, attempts, prose: prose.trim(), dropped };
}

function openings(offered: readonly OfferedTool[]): RegExp {
  const names = offered.map(({ name }) => name).filter((name) => /^[\w-]+$/.test(name));
  const tags = names.length > 0 ? [`(?=<(?:${names.join('|')})>)`] : [];
  const mark = [...marks.map(({ source }) => source), ...tags].join('|');
  const others = [harmony, reAct, fence, bare, atEndOfSentence].map(({ source }) => source);
  return new RegExp([`(?<mark>${mark})`, ...others].join('|'), 'gm');
}

/** Some templates leave the thoughts in the text; what was only considered there is not run. */
function afterThoughts(text: string): number {
  const end = text.lastIndexOf('</think>');
  return end === -1 ? 0 : end + '</think>'.length;
}

function isExample(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 200), start).trimEnd();
  return example.test(before.slice(before.lastIndexOf('\n') + 1));
}

const isAlone = (text: string, start: number, end: number): boolean =>
  text.slice(0, start).trim() === '' && text.slice(end).trim() === '';

function endOfParagraph(text: string, from: number): number {
  const end = text.indexOf('\n\n', from);
  return end === -1 ? text.length : end;
}

const shorten = (text: string): string =>
  text.length <= maxAttemptLength ? text.trim() : `${text.slice(0, maxAttemptLength).trim()}…`;

const keyOf = ({ name, args }: TextCall): string => JSON.stringify([name, args]);
