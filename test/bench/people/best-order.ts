/**
 * The least that any order costs: how often the beginning of a prompt is read anew, where nobody may be passed over more
 * than twice. By trying every order that is permitted.
 */
export function fewestBeginnings(heads: readonly string[], held: string, maxPassedOver = 2): number {
  const known = new Map<string, number>();
  const from = (left: readonly number[], last: string): number => {
    if (left.length === 0) return 0;
    const key = `${left.join(',')} ${last}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const costs = left.flatMap((place, at) => {
      const mayPass = left
        .slice(0, at)
        .every((earlier) => passedOver(earlier, left, heads.length) < maxPassedOver);
      if (!mayPass) return [];
      const head = heads[place] ?? '';
      return [(head === last ? 0 : 1) + from([...left.slice(0, at), ...left.slice(at + 1)], head)];
    });
    const best = Math.min(...costs);
    known.set(key, best);
    return best;
  };
  return from([...heads.keys()], held);
}

/** How many that came later are gone already. */
function passedOver(place: number, left: readonly number[], all: number): number {
  return all - 1 - place - left.filter((each) => each > place).length;
}
