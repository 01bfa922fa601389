/** Written by `npm run classes`. */
declare const classes: {
  readonly button: string;
  readonly passage: string;
  readonly text: string;
  readonly list: string;
};
export default classes;
