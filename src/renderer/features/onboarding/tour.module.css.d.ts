/** Written by `npm run classes`. */
declare const classes: {
  readonly head: string;
  readonly stage: string;
  readonly caption: string;
  readonly acts: string;
};
export default classes;
