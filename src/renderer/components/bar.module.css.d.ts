/** Written by `npm run classes`. */
declare const classes: {
  readonly tall: string;
  readonly weights: string;
  readonly cache: string;
  readonly other: string;
  readonly free: string;
  readonly cached: string;
  readonly fresh: string;
  readonly reread: string;
  readonly small: string;
  readonly run: string;
  readonly fail: string;
};
export default classes;
