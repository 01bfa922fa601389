/**
 * Processes of a command that lowered their own mark, so that nothing of it is left to read. A limit that is lower than
 * the mark is rare, but not proof: the person may have set one, and other commands have marks of their own. What is
 * ended for it must have no other explanation, or the escape goes on.
 */
import { isMark } from './command-mark.ts';
import type { ScannedProcess } from './process-scan.ts';

interface Command {
  mark: string;
  started: number;
  known: ReadonlyMap<number, number>;
}

/**
 * Those that began after the command, outside every session that was open before it, with a lower limit than its mark.
 * A limit is somebody else's when one process with it has a living parent that is no part of the command: who starts a
 * command stays its parent, while who leaves one is handed on to the first process or to an ancestor of this one.
 */
export function findLowered(
  all: readonly ScannedProcess[],
  { mark, started, known }: Command,
): ScannedProcess[] {
  // Without its start, everything on the machine would be younger.
  if (started <= 0) return [];
  const byPid = new Map(all.map((each) => [each.pid, each]));
  const isYounger = (each: ScannedProcess): boolean => each.started >= started;
  const isKnown = (each: ScannedProcess): boolean => known.get(each.pid) === each.started;
  const isLower = ({ limit = Infinity }: ScannedProcess): boolean => limit < Number(mark) && !isMark(limit);
  const lowered = all.filter((each) => isYounger(each) && !each.isDead && each.pid > 1 && isLower(each));
  if (lowered.length === 0) return [];
  const self = byPid.get(process.pid);
  // Inside a command of another Andiron that one is an ancestor too, and starts commands that are none of ours.
  const reapers = self?.limit === undefined ? ancestorsOf(self, byPid) : new Set([1]);
  const others = new Set<number | undefined>();
  const isOther = (parent: ScannedProcess | undefined): boolean => {
    if (!parent || parent.isDead || reapers.has(parent.pid) || isKnown(parent)) return false;
    const limit = parent.limit ?? Infinity;
    const isOfAnother = limit !== Number(mark) && isMark(limit);
    return !isYounger(parent) || limit > Number(mark) || isOfAnother || others.has(limit);
  };
  for (let before = -1; before !== others.size;) {
    before = others.size;
    for (const each of lowered) if (isOther(byPid.get(each.parent))) others.add(each.limit);
  }
  return lowered.filter((each) => {
    const leader = byPid.get(each.session);
    return !others.has(each.limit) && (leader === undefined || isYounger(leader));
  });
}

/** The first process of all with them: each of these may be handed what its parent left behind. */
function ancestorsOf(
  self: ScannedProcess | undefined,
  byPid: ReadonlyMap<number, ScannedProcess>,
): ReadonlySet<number> {
  const found = new Set([1]);
  for (let at = self?.parent; at !== undefined && !found.has(at); at = byPid.get(at)?.parent) found.add(at);
  return found;
}
