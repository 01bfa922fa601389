/** Written by `npm run classes`. */
declare const classes: {
  readonly measured: string;
  readonly sizes: string;
  readonly isNone: string;
  readonly inside: string;
  readonly sumOf: string;
  readonly outcome: string;
  readonly dataPath: string;
};
export default classes;
