/** Written by `npm run classes`. */
declare const classes: {
  readonly askedFields: string;
  readonly askedOptions: string;
};
export default classes;
