/** Written by `npm run classes`. */
declare const classes: {
  readonly fit: string;
  readonly fitKeys: string;
  readonly fitSays: string;
};
export default classes;
