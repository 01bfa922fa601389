/** Written by `npm run classes`. */
declare const classes: {
  readonly edge: string;
  readonly ofLeft: string;
};
export default classes;
