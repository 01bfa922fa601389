/** Written by `npm run classes`. */
declare const classes: {
  readonly column: string;
  readonly sec: string;
  readonly fi: string;
  readonly saved: string;
  readonly undone: string;
  readonly large: string;
  readonly fileView: string;
  readonly standing: string;
  readonly whole: string;
  readonly changeActs: string;
};
export default classes;
