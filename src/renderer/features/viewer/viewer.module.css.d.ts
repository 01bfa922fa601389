/** Written by `npm run classes`. */
declare const classes: {
  readonly viewer: string;
  readonly stage: string;
  readonly zoomed: string;
  readonly zoom: string;
  readonly told: string;
  readonly rest: string;
  readonly textContent: string;
};
export default classes;
