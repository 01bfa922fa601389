/** Written by `npm run classes`. */
declare const classes: {
  readonly enginePanel: string;
  readonly panelHead: string;
  readonly part: string;
  readonly panelTitle: string;
  readonly keys: string;
  readonly figures: string;
  readonly ofWindow: string;
  readonly makeRoom: string;
  readonly wayList: string;
  readonly way: string;
  readonly alsoLoaded: string;
  readonly queueOf: string;
  readonly windowBar: string;
  readonly mark: string;
};
export default classes;
