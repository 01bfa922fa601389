/** Written by `npm run classes`. */
declare const classes: {
  readonly source: string;
};
export default classes;
