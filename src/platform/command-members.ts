/** Which processes a command consists of, wherever they went: its group and session, what carries its mark, and all below. */
import { findLowered } from './lowered-marks.ts';
import type { ScannedProcess } from './process-scan.ts';

export interface CommandIdentity {
  mark: string;
  /** When its first process started: nothing older is ever a member. */
  started: number;
  /**
   * Start by process id of the first process and of members seen since. A member may have shed its mark and lost its
   * parent by now, and an id may belong to another process.
   */
  known: Map<number, number>;
}

/** Living members. All members become known. */
export function findMembers(all: readonly ScannedProcess[], command: CommandIdentity): ScannedProcess[] {
  const { mark, started, known } = command;
  const byPid = new Map(all.map((each) => [each.pid, each]));
  const isOurs = (id: number): boolean => {
    const start = known.get(id);
    return start !== undefined && (byPid.get(id)?.started ?? start) === start;
  };
  const members: ScannedProcess[] = [];
  let others: ScannedProcess[] = [];
  const sort = (each: ScannedProcess, isMember: boolean): void => {
    (isMember ? members : others).push(each);
    if (isMember) known.set(each.pid, each.started);
  };
  const lowered = new Set(findLowered(all, command));
  for (const each of all) {
    const canBe = each.started >= started && each.pid !== process.pid && each.pid > 1;
    if (canBe) sort(each, isOurs(each.pid) || isMarked(each, mark) || lowered.has(each));
  }
  // Parents may be listed behind their children.
  for (let before = -1; before !== members.length;) {
    before = members.length;
    const left = others;
    others = [];
    for (const each of left) sort(each, [each.parent, each.group, each.session].some(isOurs));
  }
  return members.filter(({ isDead }) => !isDead);
}

/**
 * The environment alone counts only where nobody stands behind it: a program that was open before may start another one
 * with the environment of a command that asked it to.
 */
function isMarked(each: ScannedProcess, mark: string): boolean {
  if (each.isDead) return false;
  const carried = each.carries(mark);
  return carried === 'sure' || (carried === 'maybe' && each.parent === 1);
}
