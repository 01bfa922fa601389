/** How much is tried of what is many: all of it with `npm test -- --full`, else a part that is drawn anew in each run. */
export const isThorough = process.env['ANDIRON_FULL'] === '1';

/** Every n-th, so that each kind of a sorted list is among them. */
export function someOf<T>(all: readonly T[], every: number): T[] {
  if (isThorough) return [...all];
  const first = drawnBelow(every);
  return all.filter((_, at) => at % every === first);
}

export const drawnBelow = (limit: number): number => Math.floor(Math.random() * limit);
