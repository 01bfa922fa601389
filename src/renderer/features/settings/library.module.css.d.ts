/** Written by `npm run classes`. */
declare const classes: {
  readonly models: string;
  readonly catalogue: string;
  readonly dependents: string;
  readonly abilities: string;
  readonly abilityActs: string;
  readonly paper: string;
  readonly downloads: string;
  readonly byName: string;
  readonly isRow: string;
  readonly keep: string;
  readonly hostRow: string;
  readonly modelHost: string;
  readonly hostModels: string;
  readonly incidents: string;
  readonly t1: string;
  readonly tags: string;
};
export default classes;
