/** Written by `npm run classes`. */
declare const classes: {
  readonly hits: string;
  readonly entries: string;
  readonly number: string;
  readonly match: string;
  readonly lines: string;
};
export default classes;
