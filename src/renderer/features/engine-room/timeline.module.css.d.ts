/** Written by `npm run classes`. */
declare const classes: {
  readonly spread: string;
  readonly fCached: string;
  readonly fReads: string;
  readonly fNew: string;
  readonly fWrites: string;
  readonly fReread: string;
  readonly small: string;
  readonly plot: string;
  readonly lane: string;
  readonly fBusy: string;
  readonly sVram: string;
  readonly fThinks: string;
  readonly bThinks: string;
  readonly fTool: string;
  readonly bTool: string;
  readonly fAsks: string;
  readonly bAsks: string;
  readonly plotKeys: string;
  readonly axis: string;
};
export default classes;
