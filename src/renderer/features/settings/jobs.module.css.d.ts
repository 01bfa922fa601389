/** Written by `npm run classes`. */
declare const classes: {
  readonly job: string;
  readonly jobColumns: string;
  readonly jobRun: string;
  readonly jobAct: string;
  readonly jobTask: string;
  readonly jobHistory: string;
};
export default classes;
