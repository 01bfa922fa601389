/** Written by `npm run classes`. */
declare const classes: {
  readonly palette: string;
  readonly found: string;
  readonly head: string;
  readonly mi: string;
  readonly name: string;
  readonly nothing: string;
  readonly shortcutsSheet: string;
  readonly sheetGroups: string;
};
export default classes;
