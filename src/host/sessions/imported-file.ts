/** The sessions in an exported file, one after the other: of a file of any size no more than one session is held. */
import { maxEntryValues } from '../../protocol/limits.ts';
import { JsonStream, type JsonPath, type Room } from './json-stream.ts';
import { damaged, invalid, maxFieldValues, maxCharacters, tooLarge, tooManyValues } from './snapshot.ts';

/** Of one entry, such as an attached file or an untruncated result. */
const maxEntryBytes = 64 * 1024 * 1024;
/** Bytes of a character in JSON at most: a control character is written as `\u0000`. */
const bytesPerCharacter = 6;

/** What a value in a list or an object takes beside its text, in characters. */
const charactersPerValue = 16;

const lists: ReadonlySet<string | number> = new Set(['turns', 'items', 'context', 'attachments', 'results']);
const fields: ReadonlySet<string | number> = new Set([
  'format',
  'version',
  'exportedAt',
  'session',
  'todo',
  'scratchpad',
  ...lists,
]);

/**
 * Yields each session as the value that its text stands for, unchecked; `readSnapshot` is for that. The file is one
 * session, a list of them, or an export of everything. Throws `snapshot_invalid` at what is no JSON, when it gets there.
 */
export async function* snapshotsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator {
  const reader = new FileReader();
  const stream = new JsonStream(reader);
  let count = 0;
  for await (const chunk of chunks) {
    let fault: unknown;
    try {
      stream.feed(chunk);
    } catch (error) {
      fault = error;
    }
    // What was whole before the fault is whole.
    for (let next = reader.whole.shift(); next; next = reader.whole.shift()) {
      count += 1;
      yield next;
    }
    if (fault !== undefined) throw fault;
  }
  stream.end();
  if (count === 0) throw invalid('There is no session in this file.', 'Choose a file that "Export" made.');
}

type Fields = Record<string, unknown>;

class FileReader {
  /** Complete, and not yet taken. */
  readonly whole: Fields[] = [];
  #open: Fields | null = null;
  #characters = 0;
  /** How deep a session is in this file: the root, an entry of the root, or of its `sessions`. */
  #base = 0;

  plan(path: JsonPath, kind: 'list' | 'object' | 'scalar'): 'enter' | 'keep' | 'skip' {
    const [first] = path;
    if (path.length === 0) {
      if (kind === 'scalar') this.onBroken();
      this.#base = kind === 'list' ? 1 : 0;
      return 'enter';
    }
    if (this.#base === 0 && path.length === 1 && first === 'sessions' && kind === 'list') {
      this.#base = 2;
      this.#open = null;
      return 'enter';
    }
    // What an export of everything holds beside its sessions.
    if (path.length < this.#base || (this.#base === 2 && first !== 'sessions')) return 'skip';
    if (path.length === this.#base) return kind === 'object' ? 'enter' : 'keep';
    const [field = '', ...inside] = path.slice(this.#base);
    if (field === '__proto__') throw damaged('it has a key that no session has');
    if (inside.length > 0) return 'keep';
    if (!fields.has(field)) return 'skip';
    return kind === 'list' && lists.has(field) ? 'enter' : 'keep';
  }

  room(path: JsonPath): Room {
    const left = maxCharacters - this.#characters;
    return {
      bytes: Math.min(maxEntryBytes, left * bytesPerCharacter),
      values: Math.min(this.#maxValues(path), this.#valuesLeft()),
    };
  }

  onTooLarge(path: JsonPath, what: 'bytes' | 'values'): never {
    const place = path.slice(this.#base);
    throw what === 'values' && this.#maxValues(path) < this.#valuesLeft() ? tooManyValues(place) : tooLarge();
  }

  #valuesLeft(): number {
    return Math.floor((maxCharacters - this.#characters) / charactersPerValue);
  }

  /** Of one value: it is parsed at once. */
  #maxValues(path: JsonPath): number {
    const field = path[this.#base];
    if (field === undefined) return Infinity;
    return lists.has(field) ? maxEntryValues : maxFieldValues;
  }

  onTooDeep(): never {
    throw damaged('it is nested too deeply');
  }

  onBroken(): never {
    throw damaged('it is not whole JSON');
  }

  entered(path: JsonPath): void {
    if (path.length === this.#base) {
      this.#open = {};
      this.#characters = 0;
    } else if (this.#open) this.#open[String(path.at(-1))] = [];
  }

  value(path: JsonPath, value: unknown, size: { characters: number; values: number }): void {
    this.#characters += size.characters + size.values * charactersPerValue;
    if (this.#characters > maxCharacters) throw tooLarge();
    const [field, place] = path.slice(this.#base);
    // No object, so no session: `readSnapshot` says so.
    if (field === undefined) this.whole.push({});
    else if (place === undefined) this.#fields[String(field)] = value;
    else (this.#fields[String(field)] as unknown[]).push(value);
  }

  left(path: JsonPath): void {
    if (path.length !== this.#base) return;
    this.whole.push(this.#fields);
    this.#open = null;
  }

  get #fields(): Fields {
    return this.#open ?? {};
  }
}
