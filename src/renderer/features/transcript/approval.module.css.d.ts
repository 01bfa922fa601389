/** Written by `npm run classes`. */
declare const classes: {
  readonly approval: string;
  readonly head: string;
  readonly words: string;
  readonly asked: string;
  readonly box: string;
  readonly open: string;
  readonly sightEnd: string;
  readonly quote: string;
  readonly refusal: string;
  readonly askedWords: string;
};
export default classes;
