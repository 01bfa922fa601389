/** The processes of this machine at one moment, as far as Linux and macOS tell without a native call. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { commandVariable } from './command-mark.ts';

export interface ScannedProcess {
  pid: number;
  parent: number;
  group: number;
  /** 0 where the platform does not tell it. */
  session: number;
  /** Grows with time; its unit is the platform's. Tells a process from a later one with the same id. */
  started: number;
  /** It has ended, and nobody has collected it yet. */
  isDead: boolean;
  /**
   * Whether it descends from the command with that mark. `sure`: it inherited what only a descendant has. `maybe`: only
   * its environment says so, which a program can pass on to one that was running before.
   */
  carries(mark: string): 'sure' | 'maybe' | 'no';
  /** Its limit of file locks; absent where it has none, none is known, or it runs in another control group than we. */
  limit?: number | undefined;
}

/**
 * All that live at one moment and descend from none that is left out; null = they cannot be looked at now.
 *
 * @param since what is older is not asked for its mark, but for ourselves
 */
export function scanProcesses(since: number): ScannedProcess[] | null {
  try {
    return process.platform === 'linux' ? scanProc(since) : scanWithPs();
  } catch {
    return null;
  }
}

/** When a living process started; null when there is none (any more). */
export function startOf(pid: number): number | null {
  const found =
    process.platform === 'linux'
      ? readStat(String(pid))
      : scanProcesses(Infinity)?.find((each) => each.pid === pid);
  return found && !found.isDead ? found.started : null;
}

/** The very process that was scanned goes on, and not another one with its id. */
export function stillRuns({ pid, started }: ScannedProcess): boolean {
  if (process.platform === 'linux') return startOf(pid) === started;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A process may end before it is read, and have begun another one by then: looked for until nobody new is there. */
function scanProc(since: number): ScannedProcess[] {
  const seen = new Set<string>();
  const found: ScannedProcess[] = [];
  for (;;) {
    const fresh = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && !seen.has(name));
    if (fresh.length === 0) return found;
    for (const pid of fresh) {
      seen.add(pid);
      const stat = readStat(pid);
      if (!stat) continue;
      const isAsked = stat.started >= since || stat.pid === process.pid;
      found.push(isAsked ? { ...stat, ...readMarks(pid) } : stat);
    }
  }
}

function readStat(pid: string): ScannedProcess | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // After the name in parentheses: state, parent, group, session; 16 fields on, the start in ticks since boot.
  const [state, parent, group, session, ...more] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat === '') return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: Number(more[15]),
    isDead: state === 'Z' || state === 'X',
    carries: () => 'no',
  };
}

/** Read at once: a moment later it may be gone. */
function readMarks(pid: string): Pick<ScannedProcess, 'carries' | 'limit'> {
  const [limits, environment] = [read(`/proc/${pid}/limits`), read(`/proc/${pid}/environ`)];
  const limit = Number(hardLimit(limits) ?? NaN);
  const isBeside = (): boolean => read(`/proc/${pid}/cgroup`) === read('/proc/self/cgroup');
  return {
    carries: (mark) => marksOf(limits, environment, mark),
    // A service that was set up with a limit is in a group of its own; what a command starts stays in ours.
    limit: Number.isNaN(limit) || !isBeside() ? undefined : limit,
  };
}

const hardLimit = (limits: string): string | undefined =>
  /^Max file locks +(?<soft>\S+) +(?<hard>\S+)/m.exec(limits)?.groups?.['hard'];

/**
 * The limit of file locks is inherited whatever a program does with its environment, files and session, and without
 * privileges it can only be lowered: a process with a higher one is no descendant, even if it has the variable.
 */
export function marksOf(
  limits: string,
  environment: string,
  mark: string,
): ReturnType<ScannedProcess['carries']> {
  const limit = hardLimit(limits);
  if (limit === mark) return 'sure';
  if (limit === 'unlimited' || Number(limit) > Number(mark)) return 'no';
  const hasVariable = `\0${environment}`.includes(`\0${commandVariable}=${mark}\0`);
  if (!hasVariable) return 'no';
  return limit === undefined ? 'maybe' : 'sure';
}

/** `` for what is gone or may not be read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function scanWithPs(): ScannedProcess[] {
  const columns = 'pid=,ppid=,pgid=,stat=,lstart=,command=';
  const { stdout, error } = spawnSync('ps', ['-axwwE', '-o', columns], {
    encoding: 'latin1',
    env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 5_000,
  });
  if (error) throw error;
  return parsePs(stdout);
}

/** Of `ps -axwwE` in the order of columns above; the environment stands behind the command. */
export function parsePs(output: string): ScannedProcess[] {
  const line =
    /^ *(?<pid>\d+) +(?<parent>\d+) +(?<group>\d+) +(?<state>\S+) +(?<started>\w{3} +\w{3} +\d+ [\d:]+ \d+)(?<rest>.*)$/;
  return output.split('\n').flatMap((text): ScannedProcess[] => {
    const found = line.exec(text)?.groups;
    if (!found) return [];
    const rest = `${found['rest'] ?? ''} `;
    return [
      {
        pid: Number(found['pid']),
        parent: Number(found['parent']),
        group: Number(found['group']),
        session: 0,
        started: Date.parse(found['started'] ?? ''),
        isDead: found['state']?.startsWith('Z') ?? false,
        carries: (mark) => (rest.includes(` ${commandVariable}=${mark} `) ? 'maybe' : 'no'),
      },
    ];
  });
}
