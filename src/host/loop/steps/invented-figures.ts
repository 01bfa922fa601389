/** Figures that an answer has from nowhere: the one thing of an invention that is seen in any language. */

/** As they are written: 1,204.50, 10:30, v2. */
const figure = /\p{N}+(?:[.,:]\p{N}+)*/gu;

/** @param texts the conversation before it */
export function inventsFigures(answer: string, texts: readonly string[]): boolean {
  const known = new Set(texts.flatMap(figuresIn));
  return figuresIn(answer).some((each) => !known.has(each));
}

const figuresIn = (text: string): string[] => text.match(figure) ?? [];
