/** What is asked of the machine's processes. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

/** Command lines of living processes that contain the text. A dead one that nobody collected yet does not live. */
export async function livingWith(text: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,stat=,args='], {
    maxBuffer: 64 * 1024 ** 2,
  });
  return stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.includes(text) && !/^\d+ [ZX]/.test(line));
}

/** Whatever was found and counted need not stay. */
export function endAll(found: readonly string[]): void {
  for (const line of found) {
    const pid = Number.parseInt(line, 10);
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The least that a start can take: a Node that does nothing. */
export async function bareNodeMs(): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - start;
}
