/** Written by `npm run classes`. */
declare const classes: {
  readonly exam: string;
  readonly facts: string;
  readonly phase: string;
  readonly advice: string;
  readonly offer: string;
};
export default classes;
