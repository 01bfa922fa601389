/** Written by `npm run classes`. */
declare const classes: {
  readonly form: string;
  readonly fields: string;
  readonly tall: string;
  readonly area: string;
};
export default classes;
