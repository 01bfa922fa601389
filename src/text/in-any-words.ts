/** The same texts in any words: what a file of another language has to fill, key by key. */
export type InAnyWords<T> = T extends string
  ? string
  : T extends (...about: infer About) => infer Text
    ? (...about: About) => InAnyWords<Text>
    : { readonly [Key in keyof T]: InAnyWords<T[Key]> };
