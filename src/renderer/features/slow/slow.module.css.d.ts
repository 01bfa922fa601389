/** Written by `npm run classes`. */
declare const classes: {
  readonly slow: string;
  readonly slowColumn: string;
  readonly slowBack: string;
  readonly lead: string;
  readonly finding: string;
  readonly doneHere: string;
  readonly findingHead: string;
  readonly evidence: string;
  readonly fixes: string;
  readonly fix: string;
};
export default classes;
