/** A sandbox is believed in only after what must fail in it has failed. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import type { ReadableFiles } from '../files.ts';
import type { ProcessEnd, Processes } from '../processes.ts';
import type { KeptStart, Sandbox } from './sandbox.ts';

export interface TrialDeps {
  processes: Processes;
  files: Pick<ReadableFiles, 'realPath'>;
  /** A folder of our own, in which the trial leaves nothing. */
  dataDir: string;
  /** Calls the trial off, which then has not passed. */
  signal?: AbortSignal | undefined;
}

/** A machine that is slow to start is given so long; one that hangs gets no sandbox. */
const maxTrialMs = 10_000;

/**
 * Does what must work, and then all that must not: each way out that works says its name. `$4` is the name of a variable
 * that only a program outside has, `$5` a port that only somebody outside listens at. Without a /proc (macOS) processes are
 * looked at by ps, and by a copy of it that has no right of its own; where it has one, ps may be refused and the copy not.
 */
const trial = `
(sleep 60 >/dev/null 2>&1 &)
echo in >"$1/in" && cat "$1/in"
: >"\${TMPDIR:-/tmp}/trial" || exit 3
(echo out >"$2/out") 2>/dev/null && echo '[writes elsewhere]'
ln -s "$2" "$1/link" && (echo out >"$1/link/out") 2>/dev/null && echo '[writes elsewhere by a link]'
ln "$2/there" "$1/hard" 2>/dev/null && (echo out >"$1/hard") 2>/dev/null && echo '[writes elsewhere by a hard link]'
cat "$3" 2>/dev/null
cat "/System/Volumes/Data$3" 2>/dev/null
cat /proc/[0-9]*/environ 2>/dev/null | grep -q "$4=" && echo '[sees other programs]'
if [ ! -e /proc/self ]; then
  ps -axwwE 2>/dev/null | grep -v grep | grep -q "$4=" && echo '[sees other programs]'
  cp /bin/ps "$1/ps" 2>/dev/null && "$1/ps" -axwwE 2>/dev/null | grep -v grep | grep -q "$4=" && echo '[sees other programs]'
  command -v nc >/dev/null && nc -z -w 1 127.0.0.1 "$5" >/dev/null 2>&1 && echo '[has a network]'
fi
grep -v -e '|' -e '^ *lo:' /proc/net/dev 2>/dev/null && echo '[has a network]'
command -v bash >/dev/null && bash -c ": </dev/tcp/127.0.0.1/$5" 2>/dev/null && echo '[has a network]'
exit 0
`;

/** The ways out that worked; rejects when nothing runs in it at all. @param proxy as in a policy */
export async function tryOut(
  keep: Sandbox['keep'],
  { processes, files, dataDir: named, signal: stop }: TrialDeps,
  proxy: string | null,
): Promise<string[]> {
  const dataDir = (await files.realPath(named)) ?? named;
  const folder = join(dataDir, proxy === null ? 'sandbox-trial' : 'sandbox-trial-proxy');
  const [work, elsewhere, hidden] = ['work', 'elsewhere', 'hidden'].map((name) => join(folder, name));
  if (!work || !elsewhere || !hidden) return [];
  const server = await listen();
  const over = new AbortController();
  const name = `ANDIRON_TRIAL_${String(process.pid)}`;
  const other = processes.run({
    file: '/bin/sh',
    args: ['-c', 'sleep 60'],
    cwd: '/',
    env: { [name]: 'x' },
    signal: over.signal,
    outputLimit: 1_000,
    onOutput: () => undefined,
  });
  try {
    await Promise.all([work, elsewhere, hidden].map((each) => mkdir(each, { recursive: true })));
    const secret = join(hidden, 'secret');
    await writeFile(secret, '[reads what is hidden]\n');
    await writeFile(join(elsewhere, 'there'), '');
    const { port } = server.address() as AddressInfo;
    const shell = { file: '/bin/sh', cwd: work };
    const start = { ...shell, args: ['-c', trial, 'sh', work, elsewhere, secret, name, String(port)] };
    const policy = {
      hidden: [dataDir],
      readable: [elsewhere],
      writable: [work],
      readOnly: [],
      masked: [],
      proxy,
    };
    const kept = await keep(start, policy);
    const { said, end } = await runToEnd(kept, processes, stop);
    if (!said.startsWith('in\n')) throw new Error(said.trim() || 'it printed nothing');
    const ways = [...said.matchAll(/\[([^\]]+)\]/g)].flatMap(([, way]) => way ?? []);
    if (outlives(end, kept.isContained ?? false)) ways.push('outlives its command');
    return [...new Set(ways)];
  } finally {
    over.abort();
    server.close();
    await other;
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * It left a process behind on purpose. Where nothing but Andiron ends what a command leaves, that one has to have been
 * found and ended. The command itself had ended: what was killed when the time was up is what it left.
 */
const outlives = ({ leftovers, unended, killed }: ProcessEnd, isContained: boolean): boolean =>
  leftovers === isContained || unended > 0 || killed !== null;

/** What must not be reached. */
function listen(): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** Rejects with its own words when it fails. */
export async function runToEnd(
  { env, release, ...start }: KeptStart,
  processes: Processes,
  stop?: AbortSignal,
): Promise<{ said: string; end: ProcessEnd }> {
  const texts = { stdout: '', stderr: '' };
  try {
    const end = await processes.run({
      ...start,
      env: { PATH: processes.environment['PATH'] ?? '', LC_ALL: 'C', ...env },
      signal: AbortSignal.any([AbortSignal.timeout(maxTrialMs), ...(stop ? [stop] : [])]),
      outputLimit: 10_000,
      onOutput: (stream, text) => void (texts[stream] += text),
    });
    if (end.exitCode !== 0) throw new Error(texts.stderr.trim() || `it ended with ${String(end.exitCode)}`);
    return { said: texts.stdout, end };
  } finally {
    await release?.();
  }
}
