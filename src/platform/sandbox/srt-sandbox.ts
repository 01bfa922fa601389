/**
 * The sandbox of macOS, and the second one of Linux: the sandbox runtime says by which profile or which arguments the system
 * keeps a command in, and we start it. There is no way for a proxy in it.
 */
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './machine-places.ts';
import { runToEnd, tryOut, type TrialDeps } from './sandbox-trial.ts';
import { noSandbox, type KeptStart, type Sandbox, type SandboxPolicy, type SandboxStart } from './sandbox.ts';
import { seatbeltProgram, seatbeltStart } from './seatbelt.ts';
import { quoted, shellWords } from './shell-words.ts';
import { srtPolicy } from './srt-policy.ts';
import { startSrtThread, type SrtThread } from './srt-thread.ts';

export interface SrtDeps extends TrialDeps {
  platform: string;
  /** The module of the runtime's thread. */
  worker: URL;
  /** Only tests have Seatbelt elsewhere. */
  seatbelt?: string | undefined;
}

/** Rejects with the reason when nothing runs in it. @param hidden what the machine hides from every command */
export async function openSrtSandbox(deps: SrtDeps, hidden: readonly string[]): Promise<Sandbox> {
  const { platform, processes, seatbelt = seatbeltProgram, worker } = deps;
  const path = processes.environment['PATH'] ?? '';
  const bwrap = platform === 'linux' ? await findProgram('bwrap', path) : '';
  if (bwrap === null) return noSandbox('missing');
  const thread = await startSrtThread(worker, path);
  const isKept = platform === 'darwin' ? keptBySeatbelt(thread, seatbelt, deps) : keptByBwrap(thread, bwrap);
  const keep = async (start: SandboxStart, policy: SandboxPolicy): Promise<KeptStart> => {
    if (policy.proxy !== null) throw new Error('There is no way for a proxy.');
    return isKept(start, { ...policy, hidden: [...hidden, ...policy.hidden] });
  };
  try {
    const leaks = await tryOut(keep, deps, null);
    if (leaks.length === 0)
      return { status: { kind: 'srt', version: thread.version, hasProxy: false }, hidden, keep };
    await thread.close();
    return noSandbox('leaky', leaks.join(', '));
  } catch (error) {
    await thread.close();
    throw error;
  }
}

/** What bubblewrap is told beside what the runtime tells it: no memory and no host name is shared with other programs. */
const apart = ['--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];

const keptByBwrap =
  (thread: SrtThread, bwrap: string): Sandbox['keep'] =>
  async (start, policy) => {
    const command = `exec ${[start.file, ...start.args].map(quoted).join(' ')}`;
    const line = await thread.wrap({ platform: 'linux', command, bwrap, policy: srtPolicy(policy) });
    const words = shellWords(line);
    const at = words.indexOf(bwrap);
    const file = words[0];
    if (file === undefined || at < 0) throw new Error('The sandbox runtime wrote no command.');
    return {
      file,
      args: words.toSpliced(at + 1, 0, ...apart).slice(1),
      cwd: start.cwd,
      isContained: true,
      release: async () => thread.release(),
    };
  };

/** Nothing but Andiron ends there what a command leaves, and temporary files have a folder that goes with the command. */
const keptBySeatbelt =
  (thread: SrtThread, seatbelt: string, { processes }: Pick<SrtDeps, 'processes'>): Sandbox['keep'] =>
  async (start, policy) => {
    const temporary = await realpath(await mkdtemp(join(tmpdir(), 'andiron-command-')));
    // A race of something that is still there cannot lead rm elsewhere, as it can the one of Node.
    const release = async (): Promise<void> => {
      const remove = { file: '/bin/rm', args: ['-rf', temporary], cwd: '/' };
      await runToEnd(remove, processes).catch(() => undefined);
    };
    try {
      const writable = [...policy.writable, temporary];
      const whole = { ...policy, writable };
      const question = { platform: 'darwin', command: ':', bwrap: '', policy: srtPolicy(whole) };
      const kept = seatbeltStart(await thread.wrap(question), start, policy, seatbelt);
      return { ...kept, env: { TMPDIR: temporary, TMP: temporary, TEMP: temporary }, release };
    } catch (error) {
      await release();
      throw error;
    }
  };
