/** Written by `npm run classes`. */
declare const classes: {
  readonly download: string;
  readonly downloadHead: string;
  readonly downloadActs: string;
  readonly downloadFacts: string;
};
export default classes;
