/** Written by `npm run classes`. */
declare const classes: {
  readonly list: string;
  readonly sent: string;
  readonly file: string;
  readonly look: string;
  readonly fileName: string;
  readonly thumb: string;
  readonly words: string;
  readonly bad: string;
  readonly reduced: string;
  readonly pictureOpen: string;
  readonly small: string;
  readonly noPicture: string;
};
export default classes;
