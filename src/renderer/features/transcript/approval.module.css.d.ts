/** Written by `npm run classes`. */
declare const classes: {
  readonly approval: string;
  readonly words: string;
  readonly asked: string;
  readonly box: string;
  readonly open: string;
  readonly editable: string;
  readonly original: string;
  readonly scope: string;
  readonly lasting: string;
  readonly reply: string;
  readonly sightEnd: string;
  readonly quote: string;
  readonly askedWords: string;
};
export default classes;
