/** Replies of many megabytes in pieces as a socket brings them, most of them in a single line. */

const pieceBytes = 64 * 1024;
const megabyte = 1024 * 1024;

function inSocketPieces(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
}

const line = (content: string, rest = ''): string =>
  `{"message":{"role":"assistant","content":"${content}"${rest}},"done":false}\n`;
const done = '{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}\n';
const call = (args: string): string =>
  line('', `,"tool_calls":[{"function":{"name":"x","arguments":${args}}}]`);
const filled = (megabytes: number): string => 'häuser 🔥 '.repeat((megabytes * megabyte) / 13);

export const hugeKeys = (): string => `{${'"k":1,'.repeat(3 * megabyte)}"k":1}`;

export const hugeReplies: readonly (readonly [label: string, pieces: () => Buffer[]])[] = [
  ['20 MB of text in a line', () => inSocketPieces(line(filled(20)) + done)],
  ['20 MB of arguments in a call', () => inSocketPieces(call(`{"content":"${filled(20)}"}`) + done)],
  ['20 MB that are no JSON', () => inSocketPieces(`${filled(20)}\n${done}`)],
  ['20 MB of an error', () => inSocketPieces(`{"error":"${filled(20)}"}\n`)],
  ['a line that never ends', () => inSocketPieces(line('begun') + filled(40))],
  ['20 MB cut in the middle', () => inSocketPieces(line(filled(20)).slice(0, -20))],
  [
    '20 MB of nested lists',
    () => inSocketPieces(call(`{"a":${'['.repeat(10 * megabyte)}${']'.repeat(10 * megabyte)}}`)),
  ],
  ['20 MB of nested objects, cut', () => inSocketPieces('{"a":'.repeat(4 * megabyte))],
  ['20 MB of keys', () => inSocketPieces(call(hugeKeys()) + done)],
  ['5 MB of short lines', () => inSocketPieces(line('x').repeat(70_000) + done)],
];
