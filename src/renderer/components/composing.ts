/** What some browsers still send for the key that ends a composition. */
const composingKey = 229;

/** While an input method composes, its keys belong to it. */
export function isComposing({ isComposing: composes, keyCode }: KeyboardEvent): boolean {
  return composes || keyCode === composingKey;
}
