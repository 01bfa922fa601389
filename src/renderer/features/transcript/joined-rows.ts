/** Which rows of the transcript stand in one border. */
import type { Row } from './rows.ts';

/** The frame that a row shares with its neighbours: of calls, subagents and what these did, or of a list of steps. */
function frameOf({ kind, inside, inPlan }: Row): 'plan' | 'calls' | null {
  if (inPlan !== undefined) return 'plan';
  return kind === 'tools' || kind === 'calls' || kind === 'agent' || inside !== undefined ? 'calls' : null;
}

/** Rows of one frame stand in one border as long as nothing else comes between. */
export function joined(rows: Row[]): Row[] {
  const frames = rows.map(frameOf);
  return rows.map((row, at) => {
    const frame = frames[at];
    if (!frame) return row;
    const above = frames[at - 1] === frame;
    const below = frames[at + 1] === frame;
    if (!above && !below) return row;
    return { ...row, joins: above && below ? 'both' : above ? 'above' : 'below' };
  });
}
