/** Written by `npm run classes`. */
declare const classes: {
  readonly shortcuts: string;
  readonly keyColumns: string;
  readonly keyRow: string;
  readonly isChanged: string;
  readonly keyLine: string;
  readonly keyName: string;
  readonly isOpen: string;
  readonly keyActs: string;
  readonly none: string;
  readonly ofChanged: string;
  readonly keyClash: string;
  readonly fold: string;
  readonly keyAnswer: string;
  readonly ofConflict: string;
  readonly keyChoices: string;
};
export default classes;
