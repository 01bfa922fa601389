/** Written by `npm run classes`. */
declare const classes: {
  readonly picture: string;
  readonly head: string;
  readonly place: string;
};
export default classes;
