/** Written by `npm run classes`. */
declare const classes: {
  readonly connections: string;
  readonly connection: string;
  readonly connectionColumns: string;
  readonly connectionState: string;
  readonly skill: string;
  readonly skillColumns: string;
  readonly skillsHelp: string;
  readonly skillName: string;
  readonly skillState: string;
  readonly skillPlace: string;
  readonly skillAct: string;
  readonly skillsFolder: string;
  readonly connectionSignIn: string;
  readonly connectionFacts: string;
  readonly connectionTools: string;
  readonly connectionDetails: string;
  readonly changedTools: string;
  readonly changedLines: string;
  readonly isAdded: string;
  readonly isRemoved: string;
  readonly searchSetupLine: string;
};
export default classes;
