/** Several sessions chosen together, as lists everywhere do it: Ctrl one by one, Shift all between. Pure. */

export interface Selection {
  ids: string[];
  /** Where the next stretch begins. */
  anchor: string | null;
}

export const nothingSelected: Selection = { ids: [], anchor: null };

/** Adds one, or takes it out again. The row that was left for it (`from`) was meant as well. */
export function toggled({ ids }: Selection, id: string, from: string | null): Selection {
  const before = ids.length === 0 && from !== null && from !== id ? [from] : ids;
  return { ids: before.includes(id) ? before.filter((other) => other !== id) : [...before, id], anchor: id };
}

/** All from the anchor to `id`, in the order of the list; `from` is the anchor of a selection that begins. */
export function stretched(
  { anchor }: Selection,
  id: string,
  { order, from }: { order: string[]; from: string | null },
): Selection {
  const begin = anchor !== null && order.includes(anchor) ? anchor : (from ?? id);
  const [one, other] = [order.indexOf(begin), order.indexOf(id)];
  if (one === -1 || other === -1) return { ids: [id], anchor: id };
  return { ids: order.slice(Math.min(one, other), Math.max(one, other) + 1), anchor: begin };
}

/** Without those that are no longer in the list; the same object when all are. */
export function stillThere(selection: Selection, order: string[]): Selection {
  const there = new Set(order);
  const ids = selection.ids.filter((id) => there.has(id));
  return ids.length === selection.ids.length ? selection : { ...selection, ids };
}
