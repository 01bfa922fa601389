/**
 * Reads JSON that is too large to be held as a text. Lists and objects that are entered come piece by piece; all else is
 * kept until it is whole and parsed as one value, or passed over. Every byte is looked at once.
 */
import { maxFileNesting } from '../../protocol/limits.ts';

/** Names and places on the way from the root. */
export type JsonPath = readonly (string | number)[];

export interface Room {
  bytes: number;
  /** Those in its lists and objects included: a million of nothing takes more memory than its text. */
  values: number;
}

export interface JsonSink {
  /** What becomes of the value that begins here. Only lists and objects can be entered. */
  plan(path: JsonPath, kind: 'list' | 'object' | 'scalar'): 'enter' | 'keep' | 'skip';
  /** How much the value at this place may be before it is parsed; above it `onTooLarge` is called. */
  room(path: JsonPath): Room;
  /** `values`: it had room by its bytes. Throws. */
  onTooLarge(path: JsonPath, what: 'bytes' | 'values'): never;
  /** A value is nested deeper than a file may be. Throws. */
  onTooDeep(): never;
  /** It is no JSON, or not all of it. Throws. */
  onBroken(): never;
  entered(path: JsonPath): void;
  value(path: JsonPath, value: unknown, size: { characters: number; values: number }): void;
  /** All of what was entered there has come. */
  left(path: JsonPath): void;
}

type Expected = 'first' | 'next' | 'colon' | 'value' | 'after';

interface Frame {
  kind: 'root' | 'list' | 'object';
  expected: Expected;
}

interface Piece {
  purpose: 'key' | 'keep' | 'skip';
  kind: 'string' | 'container' | 'scalar';
  bytes: number;
  values: number;
  room: Room;
  depth: number;
  maxDepth: number;
  inString: boolean;
  isEscaped: boolean;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const byteOrderMark = [0xef, 0xbb, 0xbf];
const roomOfKey: Room = { bytes: 10_000, values: 1 };
const firstScratch = 64 * 1024;

export class JsonStream {
  readonly #sink: JsonSink;
  readonly #frames: Frame[] = [{ kind: 'root', expected: 'value' }];
  readonly #path: (string | number)[] = [];
  #piece: Piece | null = null;
  #read = 0;
  /** The bytes of the piece. */
  #scratch = Buffer.alloc(firstScratch);

  constructor(sink: JsonSink) {
    this.#sink = sink;
  }

  /** Keeps nothing of the chunk itself. */
  feed(chunk: Uint8Array): void {
    let at = 0;
    if (this.#read === 0 && byteOrderMark.every((byte, index) => chunk[index] === byte)) at = 3;
    this.#read += chunk.length;
    while (at < chunk.length) {
      if (this.#piece) at = this.#gather(this.#piece, chunk, at);
      else {
        const byte = chunk[at] ?? 0;
        if (blanks.has(byte)) at += 1;
        else at += this.#step(byte);
      }
    }
  }

  /** Throws where the text ends too early. */
  end(): void {
    if (this.#piece?.kind === 'scalar') this.#finish(this.#piece);
    const { kind, expected } = this.#top;
    if (this.#piece || kind !== 'root' || expected !== 'after') this.#broken();
  }

  get #top(): Frame {
    return this.#frames.at(-1) ?? { kind: 'root', expected: 'after' };
  }

  /** Returns how many bytes it took: a value begins with its own first byte. */
  #step(byte: number): 0 | 1 {
    const frame = this.#top;
    if (frame.expected === 'colon') {
      if (byte !== colon) this.#broken();
      frame.expected = 'value';
      return 1;
    }
    if (frame.kind !== 'root' && frame.expected !== 'value' && byte === closerOf(frame)) {
      if (frame.expected === 'next') this.#broken();
      this.#leave();
      return 1;
    }
    if (frame.expected === 'after') {
      if (byte !== comma || frame.kind === 'root') this.#broken();
      frame.expected = 'next';
      return 1;
    }
    if (frame.kind === 'object' && frame.expected !== 'value') {
      if (byte !== quote) this.#broken();
      this.#piece = newPiece('key', 'string', roomOfKey);
      return 0;
    }
    return this.#begin(frame, byte);
  }

  #begin(frame: Frame, byte: number): 0 | 1 {
    if (byte === comma || byte === colon || byte === closeList || byte === closeObject) this.#broken();
    if (frame.kind === 'list') this.#path.push(placeAfter(frame.expected, this.#path.pop()));
    const kind = byte === openList ? 'list' : byte === openObject ? 'object' : 'scalar';
    const plan = this.#sink.plan(this.#path, kind);
    if (plan === 'enter' && kind !== 'scalar') {
      this.#frames.push({ kind, expected: 'first' });
      this.#sink.entered(this.#path);
      // Where a list is, its next place stands; where an object is, its next key.
      this.#path.push(kind === 'list' ? -1 : '');
      return 1;
    }
    const shape = kind !== 'scalar' ? 'container' : byte === quote ? 'string' : 'scalar';
    this.#piece = newPiece(plan === 'skip' ? 'skip' : 'keep', shape, this.#sink.room(this.#path));
    return 0;
  }

  #leave(): void {
    this.#frames.pop();
    this.#path.pop();
    this.#sink.left(this.#path);
    this.#top.expected = 'after';
  }

  /** Returns where the piece ended, or the end of the chunk. */
  #gather(piece: Piece, chunk: Uint8Array, from: number): number {
    const end = endOf(piece, chunk, from);
    const to = end ?? chunk.length;
    if (piece.maxDepth > maxFileNesting) this.#sink.onTooDeep();
    if (piece.purpose !== 'skip') this.#keep(piece, chunk.subarray(from, to));
    if (end !== null) this.#finish(piece);
    return to;
  }

  #finish(piece: Piece): void {
    this.#piece = null;
    const frame = this.#top;
    if (piece.purpose === 'key') {
      this.#path[this.#path.length - 1] = String(this.#parse(piece).value);
      frame.expected = 'colon';
      return;
    }
    frame.expected = 'after';
    if (piece.purpose === 'skip') return;
    const { value, text } = this.#parse(piece);
    this.#sink.value(this.#path, value, { characters: text.length, values: piece.values });
  }

  #keep(piece: Piece, bytes: Uint8Array): void {
    const length = piece.bytes + bytes.length;
    if (length > piece.room.bytes) this.#sink.onTooLarge(this.#path, 'bytes');
    if (piece.values > piece.room.values) this.#sink.onTooLarge(this.#path, 'values');
    if (length > this.#scratch.length) {
      const larger = Buffer.alloc(Math.max(length, 2 * this.#scratch.length));
      this.#scratch.copy(larger, 0, 0, piece.bytes);
      this.#scratch = larger;
    }
    this.#scratch.set(bytes, piece.bytes);
    piece.bytes = length;
  }

  #parse({ bytes }: Piece): { value: unknown; text: string } {
    const text = this.#scratch.toString('utf8', 0, bytes);
    try {
      return { value: JSON.parse(text), text };
    } catch {
      return this.#broken();
    }
  }

  #broken(): never {
    return this.#sink.onBroken();
  }
}

const closerOf = ({ kind }: Frame): number => (kind === 'list' ? closeList : closeObject);

const placeAfter = (expected: Expected, place: string | number | undefined): number =>
  expected === 'first' || typeof place !== 'number' ? 0 : place + 1;

const newPiece = (purpose: Piece['purpose'], kind: Piece['kind'], room: Room): Piece => ({
  purpose,
  kind,
  bytes: 0,
  values: 1,
  room,
  depth: 0,
  maxDepth: 0,
  inString: false,
  isEscaped: false,
});

/** The place behind the piece's last byte; null = it goes on in the next chunk. */
function endOf(piece: Piece, chunk: Uint8Array, from: number): number | null {
  if (piece.kind === 'scalar') return endOfScalar(chunk, from);
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at];
    if (piece.inString) {
      if (piece.isEscaped) piece.isEscaped = false;
      else if (byte === backslash) piece.isEscaped = true;
      else if (byte === quote) {
        piece.inString = false;
        if (piece.kind === 'string') return at + 1;
      }
    } else if (byte === quote) piece.inString = true;
    else if (byte === comma) piece.values += 1;
    else if (byte === openList || byte === openObject) {
      piece.values += 1;
      piece.depth += 1;
      piece.maxDepth = Math.max(piece.maxDepth, piece.depth);
    } else if (byte === closeList || byte === closeObject) {
      piece.depth -= 1;
      if (piece.depth === 0) return at + 1;
    }
  }
  return null;
}

function endOfScalar(chunk: Uint8Array, from: number): number | null {
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at] ?? 0;
    if (byte === comma || byte === closeList || byte === closeObject || blanks.has(byte)) return at;
  }
  return null;
}
