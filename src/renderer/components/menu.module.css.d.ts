/** Written by `npm run classes`. */
declare const classes: {
  readonly menu: string;
  readonly item: string;
  readonly separator: string;
  readonly tall: string;
  readonly tick: string;
  readonly head: string;
  readonly layer: string;
  readonly help: string;
};
export default classes;
