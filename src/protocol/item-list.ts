/**
 * The items of a session, as many as there may be: finding one and changing one cost the same in a long list as in a
 * short one. Lists are immutable; one that follows from another shares all but one chunk with it.
 */
import type { Item } from './model.ts';

const chunkSize = 256;

type Chunk = readonly Item[];

/** Places by id. They belong to the newest list alone; an older one that is changed again makes places for itself. */
interface Places {
  newest: ItemList;
  byId: Map<string, number>;
  open: Set<string>;
  /** Switches whose first reply has not come. */
  uncounted: Set<string>;
}

export class ItemList {
  readonly length: number;
  readonly #chunks: readonly Chunk[];
  #places: Places | undefined;
  #array: Item[] | undefined;

  private constructor(chunks: readonly Chunk[], length: number, places?: Places) {
    this.#chunks = chunks;
    this.length = length;
    this.#places = places;
    if (places) places.newest = this;
  }

  static from(items: readonly Item[]): ItemList {
    const chunks: Chunk[] = [];
    for (let at = 0; at < items.length; at += chunkSize) chunks.push(items.slice(at, at + chunkSize));
    return new ItemList(chunks, items.length);
  }

  /** The same array every time. */
  toArray(): Item[] {
    this.#array ??= this.#chunks.flat();
    return this.#array;
  }

  append(item: Item): ItemList {
    const places = this.#ownPlaces();
    const last = this.#chunks.at(-1);
    const chunks =
      last && last.length < chunkSize
        ? this.#chunks.with(this.#chunks.length - 1, [...last, item])
        : [...this.#chunks, [item]];
    note(places, item, this.length);
    return new ItemList(chunks, this.length + 1, places);
  }

  /** The list itself where there is no such item, or `change` returns the item that it was given. */
  change(id: string, change: (item: Item) => Item): ItemList {
    const places = this.#ownPlaces();
    const place = places.byId.get(id);
    if (place === undefined) return this;
    const at = Math.floor(place / chunkSize);
    const chunk = this.#chunks[at] ?? [];
    const item = chunk[place % chunkSize];
    const changed = item && change(item);
    if (!changed || changed === item) return this;
    note(places, changed, place);
    return new ItemList(this.#chunks.with(at, chunk.with(place % chunkSize, changed)), this.length, places);
  }

  /** Items that are not completed, in no order. */
  open(): Item[] {
    return this.#all(this.#ownPlaces().open);
  }

  /** Switches of the profile that wait for the figures of its first reply, in no order. */
  uncounted(): Item[] {
    return this.#all(this.#ownPlaces().uncounted);
  }

  /** How many items come before the first open one; all of them where none is open. */
  beforeFirstOpen(): number {
    const { byId, open } = this.#ownPlaces();
    let first = this.length;
    for (const id of open) first = Math.min(first, byId.get(id) ?? first);
    return first;
  }

  /** Items that are not what they were in `before`, new ones included; chunks that both lists share are passed over. */
  *changedSince(before: ItemList): Iterable<Item> {
    for (const [at, chunk] of this.#chunks.entries()) {
      const old = before.#chunks[at];
      if (chunk === old) continue;
      for (const [place, item] of chunk.entries()) if (item !== old?.[place]) yield item;
    }
  }

  #all(ids: ReadonlySet<string>): Item[] {
    const { byId } = this.#ownPlaces();
    return [...ids].flatMap((id) => {
      const place = byId.get(id) ?? -1;
      return this.#chunks[Math.floor(place / chunkSize)]?.[place % chunkSize] ?? [];
    });
  }

  #ownPlaces(): Places {
    if (this.#places?.newest !== this) this.#places = this.#find();
    return this.#places;
  }

  #find(): Places {
    const places: Places = { newest: this, byId: new Map(), open: new Set(), uncounted: new Set() };
    let place = 0;
    for (const chunk of this.#chunks) for (const item of chunk) note(places, item, place++);
    return places;
  }
}

function note({ byId, open, uncounted }: Places, item: Item, place: number): void {
  byId.set(item.id, place);
  keep(open, item.id, item.completedAt === null);
  if (item.kind === 'switch') keep(uncounted, item.id, item.usage === null);
}

function keep(ids: Set<string>, id: string, belongs: boolean): void {
  if (belongs) ids.add(id);
  else ids.delete(id);
}
