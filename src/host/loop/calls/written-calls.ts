/** Reads the calls that stand at one place of a reply, in whichever notation: JSON, name and JSON, Python, XML. */
import { asObject, callsIn, type RawCall } from './call-shapes.ts';
import { attempt, type Budget, type LooseReader, readLooseJson } from './loose-json.ts';
import type { OfferedTool } from './offered-tool.ts';
import { findTool } from './tool-names.ts';

/** `why`: `broken` began as JSON and is none; `other` is something else than calls. `end` is where reading goes on. */
export type WrittenCalls =
  | { ok: true; calls: RawCall[]; notation: 'data' | 'code'; end: number; mended: string[] }
  | { ok: false; why: 'broken' | 'other'; end: number };

export interface Place {
  text: string;
  start: number;
  offered: readonly OfferedTool[];
  budget: Budget;
}

const endTag =
  /<\/[\w:.-]{1,64}>|<[|｜](?:[\w▁]{1,40}end|eom_id|eot_id|call|return|end)[|｜]>|<end_function_call>|\[\/[A-Z_]{1,20}\]/;
/** End marks of all templates, and of what a call may be wrapped in. */
const endMark = new RegExp(`${endTag.source}|\`\`\`|~~~`, 'y');
const stickyEndTag = new RegExp(`\\s{0,200}(?:${endTag.source})`, 'y');
/** A name right before its arguments, with what templates put in between. */
const nameBeforeJson =
  /([\w.:-]{1,64})\s{0,20}(?:\[ARGS\]|<\|tool_call_argument_begin\|>|<｜tool▁sep｜>|\(|```[a-z]{0,10})?\s{0,20}(?=\{)/y;
const pythonCall = /([A-Za-z_][\w.]{0,64})\(/y;
const xmlCall = /<(?:function=|invoke name=|function name=)["']?([\w.:-]{1,64})["']?\s{0,20}>/y;
const xmlParameter =
  /\s{0,200}(?:<(?:parameter=|parameter name=)["']?([\w.-]{1,64})["']?(?: string="[a-z]{1,5}")?>|<arg_key>([\w.-]{1,64})<\/arg_key>\s{0,20}<arg_value>)/y;
const glmCall = /([\w.:-]{1,64})\s{0,20}(?=<arg_key>)/y;
const separator = /[\s,;]*/y;

/** As many calls as follow one another. */
export function readWrittenCalls(place: Place): WrittenCalls {
  const first = readOne(place);
  if (!first.ok) return first;
  const calls: RawCall[] = [];
  const mended = new Set<string>();
  let end = place.start;
  let read: WrittenCalls = first;
  while (read.ok && read.end > end) {
    for (const call of read.calls) calls.push(call);
    for (const word of read.mended) mended.add(word);
    ({ end } = read);
    read = readOne({ ...place, start: end + (sticky(separator, place.text, end)?.[0].length ?? 0) });
  }
  return { ok: true, calls, notation: first.notation, end, mended: [...mended] };
}

function readOne(place: Place): WrittenCalls {
  const { text, start } = place;
  if (text[start] === '[' && sticky(pythonCall, text, start + 1)) return readPython(place, true);
  if (text[start] === '{' || text[start] === '[') return readJson(place);
  if (text[start] === '<') return readXml(place);
  return readNameAndJson(place) ?? readGlm(place) ?? readPython(place, false);
}

function readJson({ text, start, offered, budget }: Place): WrittenCalls {
  const read = readLooseJson(text, start, budget, endMark);
  if (!read.ok) return { ok: false, why: 'broken', end: read.why === 'cut' ? text.length : start + 1 };
  const calls = callsIn(read.value, offered);
  if (!calls) return { ok: false, why: 'other', end: read.end };
  const extra = sticky(/[}\]]*/y, text, read.end)?.[0].length ?? 0;
  const mended = extra > 0 ? [...read.mended, 'dropped closing brackets too many'] : read.mended;
  return { ok: true, calls, notation: 'data', end: read.end + extra, mended };
}

/** The arguments of a call whose name is known already. */
export function readArguments(name: string, { text, start, budget }: Place): WrittenCalls {
  const read = readLooseJson(text, start, budget, endMark);
  if (!read.ok) return { ok: false, why: 'broken', end: read.why === 'cut' ? text.length : start + 1 };
  const args = asObject(read.value);
  if (!args) return { ok: false, why: 'other', end: read.end };
  return { ok: true, calls: [{ name, args }], notation: 'data', end: read.end, mended: read.mended };
}

function readNameAndJson(place: Place): WrittenCalls | null {
  const { text, start } = place;
  const head = sticky(nameBeforeJson, text, start);
  if (!head?.[1]) return null;
  const read = readArguments(head[1], { ...place, start: start + head[0].length });
  if (!read.ok) return read;
  const after = head[0].includes('(') ? /\s{0,20}\)/y : /\s{0,20}```/y;
  return { ...read, end: read.end + (sticky(after, text, read.end)?.[0].length ?? 0) };
}

/** `read_file(path="a")`, alone or as a list in brackets. */
function readPython({ text, start, offered, budget }: Place, list: boolean): WrittenCalls {
  const calls: RawCall[] = [];
  const read = attempt(text, start, budget, (reader) => {
    if (list) reader.take('[');
    calls.push(readPythonCall(reader, offered));
    if (!list) return;
    while (reader.take(',')) calls.push(readPythonCall(reader, offered));
    if (!reader.take(']')) reader.fail();
  });
  return read.ok
    ? { ok: true, calls, notation: 'code', end: read.end, mended: [] }
    : { ok: false, why: calls.length > 0 ? 'broken' : 'other', end: start };
}

function readPythonCall(reader: LooseReader, offered: readonly OfferedTool[]): RawCall {
  const name = reader.name();
  const tool = findTool(name, offered)?.tool;
  if (!tool || !reader.take('(')) return reader.fail();
  const args = new Map<string, unknown>();
  while (!reader.take(')')) {
    if (args.size > 0 && !reader.take(',')) reader.fail();
    if (reader.take(')')) break;
    const key = reader.keyword() ?? onlyArgument(tool, args.size) ?? reader.fail();
    if (args.has(key)) reader.fail();
    args.set(key, reader.value());
  }
  return { name, args: Object.fromEntries(args) };
}

/** An argument without a name is only plain where the tool needs exactly one. */
function onlyArgument({ schema }: OfferedTool, before: number): string | undefined {
  return before === 0 && schema.required.length === 1 ? schema.required[0] : undefined;
}

/** `<function=read_file><parameter=path>…`, `<invoke name="read_file">…`, `<read_file><path>…`. */
function readXml(place: Place): WrittenCalls {
  const { text, start, offered } = place;
  const head = sticky(xmlCall, text, start);
  if (head?.[1]) {
    const from = start + head[0].length;
    const json = sticky(/\s{0,200}(?=\{)/y, text, from);
    if (json) return readArguments(head[1], { ...place, start: from + json[0].length });
    return readParameters(head[1], { ...place, start: from }, xmlParameter);
  }
  const tag = sticky(/<([A-Za-z_][\w-]{0,63})>/y, text, start);
  const tool = tag?.[1] === undefined ? undefined : findTool(tag[1], offered, false)?.tool;
  if (!tag?.[1] || !tool) return { ok: false, why: 'other', end: start };
  return readParameters(
    tag[1],
    { ...place, start: start + tag[0].length },
    /\s{0,200}<([A-Za-z_][\w-]{0,63})>/y,
  );
}

/** `<tool_call>read_file<arg_key>path</arg_key><arg_value>…`. */
function readGlm(place: Place): WrittenCalls | null {
  const head = sticky(glmCall, place.text, place.start);
  if (!head?.[1]) return null;
  return readParameters(head[1], { ...place, start: place.start + head[0].length }, xmlParameter);
}

function readParameters(name: string, place: Place, opening: RegExp): WrittenCalls {
  const args = new Map<string, unknown>();
  let end = place.start;
  let open = sticky(opening, place.text, end);
  while (open) {
    const key = open[1] ?? open[2] ?? '';
    const from = end + open[0].length;
    const close = closing(open[0], key);
    const until = place.budget.left > 0 ? place.text.indexOf(close, from) : -1;
    place.budget.left -= (until === -1 ? place.text.length : until) - from;
    if (until === -1 || args.has(key)) return { ok: false, why: 'broken', end: place.start };
    args.set(key, withoutFrame(place.text.slice(from, until)));
    end = until + close.length;
    open = sticky(opening, place.text, end);
  }
  const tail = sticky(/\s{0,200}<\/(?:function|invoke|[A-Za-z_][\w-]{0,63})>/y, place.text, end);
  // Text behind the last value is most likely the rest of it: it held the closing mark itself.
  if (!tail && (args.size === 0 || !sticky(/\s{0,200}$/y, place.text, end))) {
    return { ok: false, why: args.size === 0 ? 'other' : 'broken', end: place.start };
  }
  return {
    ok: true,
    calls: [{ name, args: Object.fromEntries(args) }],
    notation: 'data',
    end: end + (tail?.[0].length ?? 0),
    mended: [],
  };
}

function closing(opening: string, key: string): string {
  if (opening.includes('<arg_key>')) return '</arg_value>';
  return opening.includes('<parameter') ? '</parameter>' : `</${key}>`;
}

/** Templates write a value on lines of its own: the line break after the mark and the one before are theirs. */
const withoutFrame = (value: string): string => value.replace(/^\r?\n/, '').replace(/\r?\n$/, '');

export function sticky(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Past the end marks behind a call, and past the end of the fence that it stands in. */
export function pastEndMarks(text: string, from: number, fence: string | null): number {
  let at = from;
  let open = fence;
  for (let most = 8; most > 0; most -= 1) {
    const tag = sticky(stickyEndTag, text, at);
    const space = sticky(/\s{0,200}/y, text, at)?.[0].length ?? 0;
    if (tag) at += tag[0].length;
    else if (open !== null && text.startsWith(open, at + space)) {
      at += space + open.length;
      open = null;
    } else break;
  }
  return at;
}
