/** Written by `npm run classes`. */
declare const classes: {
  readonly ofProduct: string;
  readonly product: string;
  readonly besideFigure: string;
  readonly diagnostics: string;
  readonly licences: string;
};
export default classes;
