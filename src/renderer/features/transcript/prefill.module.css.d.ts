/** Written by `npm run classes`. */
declare const classes: {
  readonly prefill: string;
  readonly head: string;
  readonly clock: string;
};
export default classes;
