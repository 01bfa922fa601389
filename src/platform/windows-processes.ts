/** What Windows says of its processes, and how some of them are made to end. Pure but for the programs it names. */
import { powershellArguments, powershellProgram, windowsProgram } from './system-programs.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface WindowsProcess {
  pid: number;
  /** Of whoever started it, which may be gone, and whose id may be another's by now. */
  parent: number;
  /** Milliseconds since the Unix epoch. */
  started: number;
}

export interface ProgramCall {
  file: string;
  args: string[];
}

/** No double quote in it: those would be read once more on the way. */
const listScript =
  'Get-CimInstance Win32_Process -Property ProcessId,ParentProcessId,CreationDate | Where-Object CreationDate | ' +
  "ForEach-Object { '{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, $_.CreationDate.ToUniversalTime().ToString('o') }";

export const listCall = (env: Environment): ProgramCall => ({
  file: powershellProgram(env),
  args: powershellArguments(listScript),
});

/** null = this is no such list: the very process that made it stands in every one. */
export function parseWindowsList(stdout: string): WindowsProcess[] | null {
  const rows = stdout.split(/\r?\n/).flatMap((line): WindowsProcess[] => {
    const [, pid, parent, date = ''] = /^(\d+) (\d+) (\S+)$/.exec(line.trim()) ?? [];
    const started = Date.parse(date);
    return pid === undefined || Number.isNaN(started)
      ? []
      : [{ pid: Number(pid), parent: Number(parent), started }];
  });
  return rows.length === 0 ? null : rows;
}

/**
 * By force: a program without a window has no other way to be ended here, and waiting for one that cannot answer helps
 * nobody.
 */
export const endCall = (env: Environment, pids: readonly number[]): ProgramCall => ({
  file: windowsProgram(env, 'taskkill.exe'),
  args: ['/F', ...pids.flatMap((pid) => ['/PID', String(pid)])],
});

/** With all that the system says is below it. It asks nobody's age, so it is for where there is no list. */
export const endTreeCall = (env: Environment, pid: number): ProgramCall => ({
  file: windowsProgram(env, 'taskkill.exe'),
  args: ['/F', '/T', '/PID', String(pid)],
});

/** Its own clock said when it was started, and Windows says it a moment later or earlier. */
const toleranceMs = 1_000;

export interface WindowsCommand {
  pid: number;
  /** About when its first process started. */
  since: number;
  /** Start by process id of the members seen so far: one of them may be gone when its children are looked for. */
  known: Map<number, number>;
}

/**
 * The first process of the command and all that descend from it, as far as they live; all become known. An id says little
 * by itself: who is older than its parent was started by somebody else who had that id, and who is younger than the one that
 * has the id of a dead parent now was started by that one.
 */
export function findDescendants(
  all: readonly WindowsProcess[],
  { pid: root, since, known }: WindowsCommand,
  self: number,
): WindowsProcess[] {
  const byPid = new Map(all.map((each) => [each.pid, each]));
  const first = byPid.get(root);
  if (!known.has(root)) {
    const isRoot = first !== undefined && Math.abs(first.started - since) <= 5 * toleranceMs;
    known.set(root, isRoot ? first.started : since - toleranceMs);
  }
  const isKnown = (each: WindowsProcess): boolean => known.get(each.pid) === each.started;
  const isBelow = ({ parent, started }: WindowsProcess): boolean => {
    const began = known.get(parent);
    if (began === undefined || started < began) return false;
    const holder = byPid.get(parent);
    return holder === undefined || isKnown(holder) || started < holder.started;
  };
  const members = new Set<WindowsProcess>();
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const each of all) {
      if (each.pid === self || members.has(each) || !(isKnown(each) || isBelow(each))) continue;
      members.add(each);
      known.set(each.pid, each.started);
    }
  }
  return [...members];
}
