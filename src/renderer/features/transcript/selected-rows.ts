/** Rows that a selection of text begins and ends in: gone from the page, they would be gone from what is copied. */

/** Larger selections lose what is furthest away, so that they cost no more than what is drawn for them. */
const most = 400;

export class SelectedRows {
  #keys: string[] = [];
  readonly #keyOf: (element: Element) => string | null;

  /** `keyOf` names the row that an element is in. */
  constructor(keyOf: (element: Element) => string | null) {
    this.#keyOf = keyOf;
  }

  follow(page: Document): () => void {
    const onChange = (): void => {
      const selection = page.getSelection();
      const ends = selection && !selection.isCollapsed ? [selection.anchorNode, selection.focusNode] : [];
      this.#keys = ends.flatMap((node) => {
        const element = node instanceof Element ? node : node?.parentElement;
        return (element && this.#keyOf(element)) ?? [];
      });
    };
    page.addEventListener('selectionchange', onChange);
    return () => page.removeEventListener('selectionchange', onChange);
  }

  /** The rows from `first` to `last`, and on to those that the selection needs. */
  around(first: number, last: number, indexOf: (key: string) => number): [first: number, last: number] {
    const kept = this.#keys.map(indexOf).filter((index) => index !== -1);
    return [
      Math.min(first, ...kept.filter((index) => last - index < most)),
      Math.max(last, ...kept.filter((index) => index - first < most)),
    ];
  }
}
