/** Written by `npm run classes`. */
declare const classes: {
  readonly cell: string;
  readonly joinsAbove: string;
  readonly joinsBoth: string;
  readonly joinsBelow: string;
  readonly inside: string;
  readonly line: string;
  readonly dim: string;
  readonly user: string;
  readonly userRow: string;
  readonly sender: string;
  readonly userActs: string;
  readonly userEdit: string;
  readonly sought: string;
  readonly scroll: string;
  readonly feed: string;
  readonly whole: string;
  readonly first: string;
  readonly newTurn: string;
  readonly toEnd: string;
  readonly thought: string;
  readonly skeletonRow: string;
  readonly toEndPlace: string;
  readonly waiting: string;
  readonly older: string;
};
export default classes;
