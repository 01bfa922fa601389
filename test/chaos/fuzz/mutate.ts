/** One recorded stream → bytes that are wrong in one to three ways, or in none, and the pieces in which they come. */
import type { Chance } from '../../bench/prefix/chance.ts';
import { recordedStream, type Line } from './recorded.ts';

export interface Mutant {
  /** What was done to it, in order; empty = nothing: it must be read to its end. */
  mutations: string[];
  bytes: Buffer;
}

type Change<T> = (subject: T, chance: Chance) => T;

/** Nothing of what can stand in JSON may surprise the reader. */
const oddValues: readonly (() => unknown)[] = [
  () => null,
  () => 5,
  () => 'text',
  () => [],
  () => ({}),
  () => true,
  () => -1,
  () => 1.5,
  () => 1e308,
  () => Number.MAX_SAFE_INTEGER + 2,
  () => '\ud800',
  () => '\u0000\u001b[31m\u202e',
  () => [[]],
  () => ({ error: 'inside' }),
];

/** Literal JSON that `JSON.stringify` cannot write. */
const oddTokens = [
  '1e999',
  '-1e999',
  '1'.repeat(400),
  '-0',
  '1E400',
  '"\\ud83d"',
  '"\\u0000"',
  '01',
  'NaN',
  '+1',
];

const keys = ['model', 'message', 'done', 'done_reason', 'prompt_eval_count', 'eval_count', 'load_duration'];
const messageKeys = ['role', 'content', 'thinking', 'tool_calls'];

const messageOf = (line: Line): Line =>
  typeof line['message'] === 'object' ? (line['message'] as Line) : {};
const withMessage = (line: Line, changes: Line): Line => ({
  ...line,
  message: { ...messageOf(line), ...changes },
});
const callWith = (args: unknown): Line => ({ function: { name: 'read_file', arguments: args } });
const stringifyCall = (args: string): string =>
  `{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"x","arguments":${args}}}]},"done":false}`;

const ofLine: Record<string, Change<Line>> = {
  'wrong type': (line, chance) => ({ ...line, [chance.pick(keys)]: chance.pick(oddValues)() }),
  'wrong type inside': (line, chance) =>
    withMessage(line, { [chance.pick(messageKeys)]: chance.pick(oddValues)() }),
  'wrong arguments': (line, chance) =>
    withMessage(line, { tool_calls: [callWith(chance.pick(oddValues)())] }),
  'key missing': (line, chance) => {
    const { [chance.pick(keys)]: _gone, ...rest } = line;
    return rest;
  },
  'key of another API': (line, chance) => ({
    ...line,
    ...chance.pick<Line>([
      { status: 'success' },
      { error: 5 },
      { error: 'odd' },
      { error: null },
      { response: 'x' },
    ]),
  }),
};

const ofText: Record<string, Change<string>> = {
  'odd token': (line, chance) => line.replace(/(":)("[^"]*"|[\d.]+)/, `$1${chance.pick(oddTokens)}`),
  'key __proto__': (line, chance) =>
    chance.pick([
      line.replace('{', '{"__proto__":{"done":true,"polluted":1},'),
      line.replace('"message":{', '"message":{"__proto__":{"content":"x","polluted":1},'),
      stringifyCall('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
    ]),
  'key twice': (line) => line.replace('{', '{"done":true,"message":{"content":"other"},'),
  'deep nesting': (_line, chance) => {
    const depth = 10 ** (1 + chance.below(5));
    return stringifyCall(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  },
  'deep nesting cut': (_line, chance) => '[{"a":'.repeat(10 ** (1 + chance.below(5))),
  'no JSON': (_line, chance) =>
    chance.pick(['data: {}', '<html>', 'null', '5', '"text"', '[]', '{}', '{', ' ', '}']),
  'error line': (_line, chance) =>
    chance.pick(['{"error":"an error was encountered"}', '{"error":""}', `{"error":"${'e'.repeat(9000)}"}`]),
  'long line': (line, chance) =>
    line.replace('"content":"', `"content":"${'long '.repeat(chance.below(4_000))}`),
};

const ofLines: Record<string, Change<string[]>> = {
  'line twice': (lines, chance) => {
    const at = chance.below(lines.length);
    return lines.toSpliced(at, 0, lines[at] ?? '');
  },
  'done twice': (lines) => [...lines, lines.at(-1) ?? ''],
  'line dropped': (lines, chance) => lines.toSpliced(chance.below(lines.length), 1),
  'lines swapped': (lines, chance) => {
    const at = chance.below(lines.length);
    const [moved = ''] = lines.slice(at, at + 1);
    return lines.toSpliced(at, 1).toSpliced(chance.below(lines.length), 0, moved);
  },
  'blank lines': (lines, chance) => lines.toSpliced(chance.below(lines.length), 0, '', '  ', '\t\r'),
  'end without done': (lines) => lines.slice(0, -1),
};

const ofBytes: Record<string, Change<Buffer>> = {
  'bits flipped': (bytes, chance) => {
    const flipped = Buffer.from(bytes);
    for (let left = 1 + chance.below(8); left > 0 && flipped.length > 0; left -= 1) {
      const at = chance.below(flipped.length);
      flipped.writeUInt8((flipped[at] ?? 0) ^ (1 << chance.below(8)), at);
    }
    return flipped;
  },
  'cut off': (bytes, chance) => bytes.subarray(0, chance.below(bytes.length + 1)),
  'bytes lost': (bytes, chance) => {
    const at = chance.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + chance.below(40))]);
  },
  'bytes put in': (bytes, chance) => {
    const at = chance.below(bytes.length + 1);
    const strange = chance.pick([
      [0],
      [0xff, 0xfe],
      [0xef, 0xbb, 0xbf],
      [13, 10],
      [0xed, 0xa0, 0x80],
      [0xc0, 0x80],
      [10],
    ]);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(strange), bytes.subarray(at)]);
  },
};

const kinds = [
  ...Object.keys(ofLine),
  ...Object.keys(ofText),
  ...Object.keys(ofLines),
  ...Object.keys(ofBytes),
];

/** One in twelve is left as it was. */
const untouchedShare = 12;

export function makeMutant(chance: Chance): Mutant {
  const lines = recordedStream(chance);
  const count = chance.below(untouchedShare) === 0 ? 0 : 1 + chance.below(3);
  const mutations = Array.from({ length: count }, () => chance.pick(kinds));
  // The finer the change, the later: a line must be written before its bytes can be spoilt.
  const values = onOne(lines, mutations, ofLine, chance);
  const texts = onOne(
    values.map((line) => JSON.stringify(line)),
    mutations,
    ofText,
    chance,
  );
  const ordered = onAll(texts, mutations, ofLines, chance);
  const bytes = Buffer.from(ordered.map((line) => `${line}\n`).join(''));
  return { mutations, bytes: onAll(bytes, mutations, ofBytes, chance) };
}

function onOne<T>(all: T[], mutations: string[], table: Record<string, Change<T>>, chance: Chance): T[] {
  return mutations.reduce((now, name) => {
    const change = table[name];
    if (!change) return now;
    const chosen = chance.below(now.length);
    return now.map((each, index) => (index === chosen ? change(each, chance) : each));
  }, all);
}

function onAll<T>(all: T, mutations: string[], table: Record<string, Change<T>>, chance: Chance): T {
  return mutations.reduce((now, name) => table[name]?.(now, chance) ?? now, all);
}

/** The same bytes in pieces: as one, at newlines, anywhere, inside characters, byte by byte. */
export function inPieces(bytes: Buffer, chance: Chance): Buffer[] {
  const cuts = cutter(chance)(bytes);
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
}

/** Bytes of a stream up to which it is cut at every place that fits. */
const fewBytes = 3000;

function cutter(chance: Chance): (bytes: Buffer) => number[] {
  const anywhere = (bytes: Buffer): number[] =>
    Array.from({ length: 1 + chance.below(12) }, () => chance.below(bytes.length + 1)).toSorted(
      (a, b) => a - b,
    );
  const wherever = (fits: (byte: number, before: number) => boolean) => (bytes: Buffer) =>
    bytes.length > fewBytes
      ? anywhere(bytes)
      : [...bytes.keys()].filter((at) => at > 0 && fits(bytes[at] ?? 0, bytes[at - 1] ?? 0));
  return chance.pick([
    () => [],
    anywhere,
    anywhere,
    wherever((_byte, before) => before === 10),
    wherever((byte) => (byte & 0xc0) === 0x80),
    ...(chance.below(4) === 0 ? [wherever(() => true)] : []),
  ]);
}
