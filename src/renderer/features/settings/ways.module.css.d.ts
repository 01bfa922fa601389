/** Written by `npm run classes`. */
declare const classes: {
  readonly ways: string;
};
export default classes;
