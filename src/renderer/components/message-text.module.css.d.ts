/** Written by `npm run classes`. */
declare const classes: {
  readonly mention: string;
};
export default classes;
