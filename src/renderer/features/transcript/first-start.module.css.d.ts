/** Written by `npm run classes`. */
declare const classes: {
  readonly firstStart: string;
  readonly taskCard: string;
  readonly suggest: string;
  readonly folder: string;
};
export default classes;
