/** Written by `npm run classes`. */
declare const classes: {
  readonly engineOpen: string;
};
export default classes;
