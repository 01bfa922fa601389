/** Written by `npm run classes`. */
declare const classes: {
  readonly form: string;
};
export default classes;
