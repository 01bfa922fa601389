/** Written by `npm run classes`. */
declare const classes: {
  readonly toneKey: string;
  readonly toneString: string;
  readonly toneNumber: string;
  readonly toneComment: string;
  readonly toneFunction: string;
  readonly group: string;
  readonly whole: string;
  readonly added: string;
  readonly removed: string;
  readonly wrapLines: string;
};
export default classes;
