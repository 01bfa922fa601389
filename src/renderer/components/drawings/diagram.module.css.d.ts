/** Written by `npm run classes`. */
declare const classes: {
  readonly diagram: string;
  readonly diagramNote: string;
};
export default classes;
