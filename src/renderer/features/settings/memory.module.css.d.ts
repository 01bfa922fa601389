/** Written by `npm run classes`. */
declare const classes: {
  readonly findFacts: string;
  readonly listGroup: string;
  readonly fact: string;
  readonly isGone: string;
  readonly factName: string;
  readonly factValue: string;
  readonly factOrigin: string;
  readonly factField: string;
  readonly summaryOf: string;
  readonly summaryActs: string;
};
export default classes;
