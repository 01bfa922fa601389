/** Written by `npm run classes`. */
declare const classes: {
  readonly comp: string;
  readonly imported: string;
  readonly queue: string;
  readonly field: string;
  readonly tools: string;
  readonly box: string;
  readonly send: string;
  readonly engineNotice: string;
  readonly editing: string;
  readonly besideFiles: string;
  readonly writtenList: string;
  readonly allAcross: string;
  readonly options: string;
  readonly name: string;
  readonly hints: string;
  readonly filePath: string;
  readonly folder: string;
  readonly searched: string;
  readonly nothing: string;
  readonly lit: string;
  readonly dropZone: string;
  readonly card: string;
  readonly resource: string;
};
export default classes;
