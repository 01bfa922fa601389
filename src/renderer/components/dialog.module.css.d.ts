/** Written by `npm run classes`. */
declare const classes: {
  readonly dialog: string;
  readonly text: string;
  readonly scrim: string;
};
export default classes;
