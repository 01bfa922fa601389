/** Written by `npm run classes`. */
declare const classes: {
  readonly ring: string;
  readonly whole: string;
  readonly part: string;
  readonly panel: string;
  readonly line: string;
  readonly parts: string;
};
export default classes;
