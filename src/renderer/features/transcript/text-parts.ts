/** Answers as parts that scroll on their own: read once, those not drawn yet not at all. */
import type { ItemOf } from '../../../protocol/model.ts';
import {
  directLexer,
  MarkdownReader,
  type Block,
  type MarkdownLexer,
} from '../../components/markdown/reader.ts';

export interface TextPart {
  /** Read when it is first asked for. */
  readonly blocks: Block[];
  /** Characters that it was written with. */
  readonly length: number;
}

/** A finished answer up to here is one part: it is read when it comes into view. */
const oneRow = 8000;

interface ReadText {
  item: ItemOf<'text'>;
  reader: MarkdownReader;
  /** It was finished before it was ever shown, and is short. */
  isLazy: boolean;
  parts: TextPart[];
}

export class TextParts {
  readonly #lexer: MarkdownLexer;
  readonly #onChange: (itemId: string) => void;
  #texts = new Map<string, ReadText>();

  /** `onChange` is called with the id of an item whose parts have changed while the item has not. */
  constructor(lexer: MarkdownLexer = directLexer, onChange: (itemId: string) => void = () => undefined) {
    this.#lexer = lexer;
    this.#onChange = onChange;
  }

  /** A text that did not change is not even looked at again; a part that did not change is the same object. */
  readonly of = (item: ItemOf<'text'>): TextPart[] => {
    const known = this.#texts.get(item.id);
    if (known?.item === item) return known.parts;
    const complete = item.completedAt !== null;
    const isLazy = complete && (known?.isLazy ?? true) && item.text.length <= oneRow;
    const reader = known?.reader ?? new MarkdownReader(this.#lexer, () => this.#change(item.id));
    const read: ReadText = { item, reader, isLazy, parts: [] };
    read.parts = partsOf(read, known?.parts ?? []);
    this.#texts.set(item.id, read);
    return read.parts;
  };

  /** Reading its Markdown took too long too often: the end of it is plain for good. */
  readonly isPlain = (itemId: string): boolean => this.#texts.get(itemId)?.reader.hasGivenUp ?? false;

  /** Forgets what is no longer in the window. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#texts.keys()) if (!ids.has(id)) this.#texts.delete(id);
  }

  #change(itemId: string): void {
    const read = this.#texts.get(itemId);
    if (!read) return;
    this.#texts.set(itemId, { ...read, parts: partsOf(read, read.parts) });
    this.#onChange(itemId);
  }
}

function partsOf({ item, reader, isLazy }: ReadText, before: readonly TextPart[]): TextPart[] {
  if (isLazy) return item.text.trim() === '' ? [] : [lazyPart(item.text, reader)];
  return reader.readParts(item.text, item.completedAt !== null).map((blocks, at): TextPart => {
    const same = before[at];
    return same?.blocks === blocks ? same : { blocks, length: lengthOf(blocks) };
  });
}

function lazyPart(text: string, reader: MarkdownReader): TextPart {
  let blocks: Block[] | undefined;
  return {
    length: text.length,
    get blocks() {
      blocks ??= reader.read(text, true);
      return blocks;
    },
  };
}

function lengthOf(blocks: Block[]): number {
  const [first, last] = [blocks[0], blocks.at(-1)];
  return first && last ? last.start + last.token.raw.length - first.start : 0;
}
