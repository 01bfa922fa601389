/** Written by `npm run classes`. */
declare const classes: {
  readonly engineOpen: string;
  readonly status: string;
  readonly unit: string;
  readonly gpuName: string;
  readonly lit: string;
  readonly rate: string;
  readonly links: string;
};
export default classes;
