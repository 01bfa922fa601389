/** Numbers for token texts, given out as they are met. One per server, so equal texts are equal tokens. */
export class Vocabulary {
  readonly #ids = new Map<string, number>();

  idOf(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.#ids.size);
    return this.#ids.size - 1;
  }

  idsOf(texts: readonly string[]): number[] {
    return texts.map((text) => this.idOf(text));
  }
}
