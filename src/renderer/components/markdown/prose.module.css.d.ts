/** Written by `npm run classes`. */
declare const classes: {
  readonly continued: string;
  readonly top: string;
  readonly task: string;
  readonly writing: string;
};
export default classes;
