/** Written by `npm run classes`. */
declare const classes: {
  readonly page: string;
  readonly column: string;
  readonly top: string;
  readonly lead: string;
  readonly steps: string;
  readonly head: string;
  readonly known: string;
  readonly later: string;
  readonly now: string;
  readonly progress: string;
  readonly in: string;
  readonly go: string;
  readonly rest: string;
  readonly facts: string;
  readonly command: string;
  readonly pick: string;
  readonly name: string;
  readonly folder: string;
  readonly field: string;
  readonly kept: string;
  readonly look: string;
  readonly exposed: string;
};
export default classes;
