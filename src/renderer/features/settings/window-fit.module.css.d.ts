/** Written by `npm run classes`. */
declare const classes: {
  readonly windowFit: string;
  readonly windowFitHead: string;
  readonly inProfile: string;
};
export default classes;
