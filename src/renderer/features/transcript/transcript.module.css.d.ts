/** Written by `npm run classes`. */
declare const classes: {
  readonly scroll: string;
  readonly feed: string;
  readonly whole: string;
  readonly cell: string;
  readonly user: string;
  readonly first: string;
  readonly newTurn: string;
  readonly toEnd: string;
  readonly line: string;
  readonly thought: string;
  readonly skeletonRow: string;
  readonly toEndPlace: string;
  readonly waiting: string;
  readonly older: string;
  readonly userEdit: string;
  readonly joinsAbove: string;
  readonly joinsBoth: string;
  readonly joinsBelow: string;
  readonly inside: string;
  readonly step: string;
  readonly dim: string;
  readonly userRow: string;
  readonly sender: string;
  readonly userActs: string;
  readonly sought: string;
};
export default classes;
