/** The machine's processes by their ids, and how one is told from a later one with the same id. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hasCode } from './file-errors.ts';
import { powershellArguments, powershellProgram } from './system-programs.ts';

export interface ProcessTable {
  pid: number;
  /** A dead process that nobody collected yet counts as alive. */
  isAlive(pid: number): boolean;
  /**
   * Tells a living process from a later one with the same id; null = there is none, or the platform does not say. Windows
   * takes up to a second for it, so it is asked only about what is alive.
   */
  identity(pid: number): string | null;
  /** The same of a process that was started in this very moment, and quick everywhere. */
  identityOfNew(pid: number): string | null;
}

/** What is not Linux tells a moment, which the clock of whoever started it may miss by a little. */
const toleranceMs = 5_000;
const moment = /^at (?<ms>\d+)$/;

export const identityAt = (ms: number): string => `at ${String(Math.round(ms))}`;

/** When the process began that was recorded so, in milliseconds since the Unix epoch; null where that is not said. */
export function momentOf(identity: string): number | null {
  const ms = moment.exec(identity)?.groups?.['ms'];
  return ms === undefined ? null : Number(ms);
}

/** False where either is unknown: what cannot be told is not taken for the same. */
export function isSameProcess(recorded: string | null, found: string | null): boolean {
  if (recorded === null || found === null) return false;
  const [one, other] = [momentOf(recorded), momentOf(found)];
  if (one === null || other === null) return recorded === found;
  return Math.abs(one - other) <= toleranceMs;
}

export interface IdentityQuestion {
  file: string;
  args: string[];
  /** The whole environment. */
  env: Record<string, string>;
}

/** The program that says when a process began; null where a file says it. */
export function identityQuestion(
  platform: string,
  pid: number,
  env: Readonly<Record<string, string | undefined>>,
): IdentityQuestion | null {
  if (platform === 'linux') return null;
  if (platform === 'win32') {
    const found = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${String(pid)}')`;
    return {
      file: powershellProgram(env),
      args: powershellArguments(`${found}.CreationDate.ToUniversalTime().ToString('o')`),
      env: Object.fromEntries(Object.entries(env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]))),
    };
  }
  // In one language and one time zone: a person who travels must not make another process of it.
  return {
    file: '/bin/ps',
    args: ['-o', 'lstart=', '-p', String(pid)],
    env: { LC_ALL: 'C', TZ: 'UTC' },
  };
}

/** Of what that program printed; null = nothing that is a moment. */
export function readIdentity(platform: string, stdout: string): string | null {
  const said = stdout.trim();
  const ms = Date.parse(platform === 'win32' ? said : `${said} UTC`);
  return said === '' || Number.isNaN(ms) ? null : identityAt(ms);
}

/** Field 22 of `/proc/PID/stat`, counted after the name in parentheses: when it started, in ticks since boot. */
export function readStartTicks(stat: string): string | null {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

export const machineProcesses: ProcessTable = {
  pid: process.pid,
  isAlive(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      // EPERM: it lives, and belongs to someone else.
      return hasCode(error, 'EPERM');
    }
  },
  identity(pid) {
    const question = identityQuestion(process.platform, pid, process.env);
    if (question === null) return ticksOf(pid);
    if (!machineProcesses.isAlive(pid)) return null;
    const { stdout, error } = spawnSync(question.file, question.args, {
      env: question.env,
      encoding: 'utf8',
      timeout: 10_000,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return error ? null : readIdentity(process.platform, stdout);
  },
  identityOfNew: (pid) => (process.platform === 'linux' ? ticksOf(pid) : identityAt(Date.now())),
};

function ticksOf(pid: number): string | null {
  try {
    return readStartTicks(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
  } catch {
    return null;
  }
}
