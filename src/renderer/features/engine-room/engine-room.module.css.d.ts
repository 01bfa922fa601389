/** Written by `npm run classes`. */
declare const classes: {
  readonly room: string;
  readonly column: string;
  readonly head: string;
  readonly machine: string;
  readonly section: string;
  readonly tokens: string;
  readonly opens: string;
  readonly request: string;
  readonly cause: string;
  readonly sum: string;
  readonly bar: string;
  readonly totals: string;
};
export default classes;
