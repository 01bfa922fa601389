/** Written by `npm run classes`. */
declare const classes: {
  readonly demo: string;
};
export default classes;
