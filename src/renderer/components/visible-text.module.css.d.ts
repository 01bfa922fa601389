/** Written by `npm run classes`. */
declare const classes: {
  readonly sign: string;
  readonly apart: string;
  readonly emptyLines: string;
  readonly plain: string;
};
export default classes;
