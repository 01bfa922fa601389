/** Written by `npm run classes`. */
declare const classes: {
  readonly hunk: string;
  readonly number: string;
  readonly sign: string;
  readonly added: string;
  readonly removed: string;
  readonly changed: string;
  readonly gap: string;
};
export default classes;
