/** Written by `npm run classes`. */
declare const classes: {
  readonly starting: string;
};
export default classes;
