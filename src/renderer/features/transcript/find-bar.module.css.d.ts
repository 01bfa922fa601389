/** Written by `npm run classes`. */
declare const classes: {
  readonly bar: string;
  readonly turned: string;
};
export default classes;
