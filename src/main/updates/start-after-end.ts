/** Starts a program once another process has ended: only then the data folder is free. Linux. */
import { spawn } from 'node:child_process';

/** A number that was given to another process must not keep the person waiting for ever: a minute. */
const script =
  'i=0; while [ $i -lt 300 ] && kill -0 "$1" 2>/dev/null; do i=$((i+1)); sleep 0.2; done; shift; exec "$@"';

export interface StartAfterEnd {
  /** Of the process that ends. */
  pid: number;
  program: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/**
 * A shell of the system waits. Electron's own `relaunch` waits in a program of the AppImage's mount, which vanishes, and
 * lets what it starts gain no rights: `sudo` in a command would fail from then on.
 */
export function startAfterEnd({ pid, program, args, env }: StartAfterEnd): void {
  const waiting = spawn('/bin/sh', ['-c', script, 'sh', String(pid), program, ...args], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
    env,
  });
  // Nothing can be told any more.
  waiting.on('error', () => undefined);
  waiting.unref();
}
