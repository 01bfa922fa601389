/** The numbers by which the sources of a turn are cited: from 1 on, one for each page or passage, however often it is found. */

/** Turns that are remembered: those that run, and more. */
const maxTurns = 200;

/** @param key its address, or what else tells it apart */
export type SourceNumber = (turnId: string, key: string) => number;

export function createSourceNumbers(): SourceNumber {
  const turns = new Map<string, Map<string, number>>();
  return (turnId, key) => {
    const known = turns.get(turnId) ?? new Map<string, number>();
    turns.delete(turnId);
    turns.set(turnId, known);
    for (const oldest of turns.keys()) if (turns.size > maxTurns) turns.delete(oldest);
    const number = known.get(key) ?? known.size + 1;
    known.set(key, number);
    return number;
  };
}
