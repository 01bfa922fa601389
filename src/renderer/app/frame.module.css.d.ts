/** Written by `npm run classes`. */
declare const classes: {
  readonly window: string;
  readonly cols: string;
  readonly rail: string;
  readonly mid: string;
  readonly over: string;
  readonly beside: string;
  readonly toasts: string;
  readonly toast: string;
  readonly title: string;
  readonly brand: string;
  readonly appMenu: string;
  readonly end: string;
  readonly behind: string;
  readonly where: string;
  readonly controls: string;
  readonly renames: string;
  readonly rename: string;
  readonly desktop: string;
  readonly setup: string;
  readonly broken: string;
  readonly reason: string;
  readonly notices: string;
};
export default classes;
