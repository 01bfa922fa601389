/** Written by `npm run classes`. */
declare const classes: {
  readonly downloadHead: string;
  readonly downloadActs: string;
  readonly downloadFacts: string;
};
export default classes;
