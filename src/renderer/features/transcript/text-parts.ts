/** Answers as parts that scroll on their own: read once, those not drawn yet not at all. */
import type { ItemOf } from '../../../protocol/model.ts';
import { MarkdownReader, type Block } from '../../components/markdown/reader.ts';

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
  /** null = finished before it was ever shown, and short. */
  reader: MarkdownReader | null;
  parts: TextPart[];
}

export class TextParts {
  #texts = new Map<string, ReadText>();

  /** A text that did not change is not even looked at again; a part that did not change is the same object. */
  readonly of = (item: ItemOf<'text'>): TextPart[] => {
    const known = this.#texts.get(item.id);
    if (known?.item === item) return known.parts;
    const complete = item.completedAt !== null;
    if (complete && !known?.reader && item.text.length <= oneRow) {
      const parts = item.text.trim() === '' ? [] : [lazyPart(item.text)];
      this.#texts.set(item.id, { item, reader: null, parts });
      return parts;
    }
    const reader = known?.reader ?? new MarkdownReader();
    const parts = reader.readParts(item.text, complete).map((blocks, at): TextPart => {
      const before = known?.parts[at];
      return before?.blocks === blocks ? before : { blocks, length: lengthOf(blocks) };
    });
    this.#texts.set(item.id, { item, reader, parts });
    return parts;
  };

  /** Forgets what is no longer in the window. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#texts.keys()) if (!ids.has(id)) this.#texts.delete(id);
  }
}

function lazyPart(text: string): TextPart {
  let blocks: Block[] | undefined;
  return {
    length: text.length,
    get blocks() {
      blocks ??= new MarkdownReader().read(text, true);
      return blocks;
    },
  };
}

function lengthOf(blocks: Block[]): number {
  const [first, last] = [blocks[0], blocks.at(-1)];
  return first && last ? last.start + last.token.raw.length - first.start : 0;
}
