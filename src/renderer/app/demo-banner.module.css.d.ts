/** Written by `npm run classes`. */
declare const classes: {
  readonly demo: string;
  readonly what: string;
};
export default classes;
