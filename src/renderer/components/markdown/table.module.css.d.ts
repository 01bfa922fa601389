/** Written by `npm run classes`. */
declare const classes: {
  readonly scroll: string;
  readonly box: string;
  readonly acts: string;
};
export default classes;
