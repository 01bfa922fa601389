/** Written by `npm run classes`. */
declare const classes: {
  readonly red: string;
  readonly green: string;
  readonly yellow: string;
  readonly blue: string;
  readonly magenta: string;
  readonly cyan: string;
  readonly strong: string;
  readonly faint: string;
  readonly onRed: string;
  readonly onGreen: string;
  readonly onYellow: string;
  readonly onBlue: string;
  readonly onStrong: string;
  readonly inverse: string;
  readonly bold: string;
  readonly italic: string;
  readonly underline: string;
  readonly struck: string;
};
export default classes;
