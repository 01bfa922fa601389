/** Written by `npm run classes`. */
declare const classes: {
  readonly seg: string;
};
export default classes;
