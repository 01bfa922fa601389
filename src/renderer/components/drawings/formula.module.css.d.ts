/** Written by `npm run classes`. */
declare const classes: {
  readonly formula: string;
  readonly apart: string;
  readonly copiedSource: string;
};
export default classes;
