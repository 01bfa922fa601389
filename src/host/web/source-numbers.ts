/** The numbers by which the sources of a turn are cited: from 1 on, one for each address, however often it is found. */

/** Turns that are remembered: those that run, and more. */
const maxTurns = 200;

export function createSourceNumbers() {
  const turns = new Map<string, Map<string, number>>();
  return (turnId: string, url: string): number => {
    const known = turns.get(turnId) ?? new Map<string, number>();
    turns.delete(turnId);
    turns.set(turnId, known);
    for (const oldest of turns.keys()) if (turns.size > maxTurns) turns.delete(oldest);
    const number = known.get(url) ?? known.size + 1;
    known.set(url, number);
    return number;
  };
}
