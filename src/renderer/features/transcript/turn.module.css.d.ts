/** Written by `npm run classes`. */
declare const classes: {
  readonly work: string;
  readonly foot: string;
  readonly facts: string;
  readonly then: string;
  readonly fact: string;
  readonly actions: string;
  readonly earlier: string;
  readonly versions: string;
  readonly price: string;
  readonly cost: string;
  readonly receipt: string;
  readonly head: string;
  readonly times: string;
  readonly tokens: string;
  readonly engine: string;
  readonly above: string;
  readonly question: string;
  readonly causes: string;
  readonly cause: string;
  readonly parting: string;
};
export default classes;
