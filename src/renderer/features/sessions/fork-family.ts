/** Which session was forked from which. Pure. */
import type { SessionSummary } from '../../../protocol/model.ts';

export interface ForkNode {
  id: string;
  /** null = it was deleted. */
  session: SessionSummary | null;
  /** Oldest first. */
  forks: ForkNode[];
}

/** All that goes back to the same session as this one, which stands at the top. */
export function familyOf(all: readonly SessionSummary[], sessionId: string): ForkNode {
  const known = new Map(all.map((session) => [session.id, session]));
  const seen = new Set([sessionId]);
  let root = sessionId;
  for (let from = known.get(root)?.forkedFrom; from !== undefined && !seen.has(from);) {
    seen.add(from);
    root = from;
    from = known.get(root)?.forkedFrom;
  }
  const forks = Map.groupBy(all, ({ forkedFrom }) => forkedFrom ?? '');
  const placed = new Set<string>();
  const node = (id: string): ForkNode => {
    placed.add(id);
    const below = (forks.get(id) ?? []).filter((fork) => !placed.has(fork.id));
    return {
      id,
      session: known.get(id) ?? null,
      forks: below.toSorted((a, b) => a.createdAt - b.createdAt).map((fork) => node(fork.id)),
    };
  };
  return node(root);
}

export const hasFamily = (all: readonly SessionSummary[], { id, forkedFrom }: SessionSummary): boolean =>
  forkedFrom !== undefined || all.some((session) => session.forkedFrom === id);
