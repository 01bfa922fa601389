/** Written by `npm run classes`. */
declare const classes: {
  readonly planHead: string;
  readonly flexLine: string;
  readonly prows: string;
  readonly prow: string;
  readonly own: string;
  readonly inner: string;
  readonly now: string;
  readonly ex: string;
  readonly number: string;
  readonly ev: string;
  readonly todo: string;
  readonly draft: string;
  readonly proposed: string;
  readonly words: string;
  readonly stepField: string;
  readonly stepActs: string;
  readonly planAdd: string;
  readonly planFoot: string;
  readonly milestone: string;
  readonly reasons: string;
  readonly planWhy: string;
  readonly planLines: string;
};
export default classes;
