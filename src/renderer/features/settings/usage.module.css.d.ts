/** Written by `npm run classes`. */
declare const classes: {
  readonly usageTotal: string;
  readonly usageFigure: string;
  readonly usageNone: string;
  readonly usageSums: string;
};
export default classes;
