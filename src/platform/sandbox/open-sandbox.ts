/** Finds the sandbox of this machine, and believes in it only after what must fail in it has failed. */
import { access, constants, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { delimiter, isAbsolute, join } from 'node:path';
import type { ReadableFiles } from '../files.ts';
import type { ProcessEnd, Processes } from '../processes.ts';
import { bridged } from './bridge.ts';
import { bwrapArguments } from './bwrap-arguments.ts';
import { openHostProxy } from './host-proxy.ts';
import { hiddenPlaces } from './machine-places.ts';
import { noSandbox, type Sandbox, type SandboxPolicy, type SandboxStart } from './sandbox.ts';

export interface SandboxDeps {
  platform: string;
  processes: Processes;
  files: Pick<ReadableFiles, 'realPath' | 'stat'>;
  /** A folder of our own, in which the trial leaves nothing. */
  dataDir: string;
  homeDir: string | null;
}

/** A machine that is slow to start is given so long; one that hangs gets no sandbox. */
const maxTrialMs = 10_000;

/** Never rejects: a sandbox that cannot be had says why. */
export async function openSandbox(deps: SandboxDeps): Promise<Sandbox> {
  if (deps.platform !== 'linux') return noSandbox('system');
  const program = await findProgram('bwrap', deps.processes.environment['PATH']);
  if (program === null) return noSandbox('missing');
  try {
    const hidden = await hiddenPlaces(deps.files, deps.homeDir);
    const python = await findPython(deps.processes.environment['PATH']);
    const keep = (start: SandboxStart, policy: SandboxPolicy): SandboxStart => {
      const { proxy } = policy;
      if (proxy !== null && python === null) throw new Error('There is no way for a proxy.');
      const first = proxy !== null && python !== null ? { ...start, ...bridged(python, start) } : start;
      return {
        file: program,
        args: bwrapArguments(first, { ...policy, hidden: [...hidden, ...policy.hidden] }),
        cwd: '/',
        isContained: true,
      };
    };
    const { said: version } = await run({ file: program, args: ['--version'], cwd: '/' }, deps);
    const [leaks, hasProxy] = await Promise.all([
      tryOut(keep, deps, null),
      python !== null && tryProxy(keep, python, deps),
    ]);
    if (leaks.length > 0) return noSandbox('leaky', leaks.join(', '));
    return {
      status: { kind: 'bwrap', version: /[\d.]+/.exec(version)?.[0] ?? '', hasProxy },
      hidden,
      keep,
      ...(hasProxy && { openProxy: (mayReach) => openHostProxy({ mayReach }) }),
    };
  } catch (error) {
    return noSandbox('refused', error instanceof Error ? error.message : String(error));
  }
}

/** The system's own: one of the person's may be a script that looks for others. */
const findPython = async (path: string | undefined): Promise<string | null> =>
  (await findProgram('python3', '/usr/bin')) ?? (await findProgram('python3', path));

async function findProgram(name: string, path = ''): Promise<string | null> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}

/**
 * Does what must work, and then all that must not: each way out that works says its name. `$4` is the name of a variable
 * that only a program outside has, `$5` a port that only somebody outside listens at.
 */
const trial = `
(sleep 60 >/dev/null 2>&1 &)
echo in >"$1/in" && cat "$1/in"
(echo out >"$2/out") 2>/dev/null && echo '[writes elsewhere]'
cat "$3" 2>/dev/null
cat /proc/[0-9]*/environ 2>/dev/null | grep -q "$4=" && echo '[sees other programs]'
grep -v -e '|' -e '^ *lo:' /proc/net/dev && echo '[has a network]'
command -v bash >/dev/null && bash -c ": </dev/tcp/127.0.0.1/$5" 2>/dev/null && echo '[has a network]'
exit 0
`;

const askProxy = `
import os, socket
host, port = os.environ["https_proxy"][7:].split(":")
with socket.create_connection((host, int(port))) as proxy:
    proxy.sendall(b"CONNECT andiron.invalid:443 HTTP/1.1\\r\\n\\r\\n")
    print(proxy.recv(100).decode())
`;

/** Whether what asks for a host in it comes to the proxy, and nothing else gets out beside it. */
async function tryProxy(keep: Sandbox['keep'], python: string, deps: SandboxDeps): Promise<boolean> {
  try {
    const asked: string[] = [];
    const proxy = await openHostProxy({
      // What is not allowed is not looked up either.
      mayReach: async ({ host }) => asked.push(host) === 0,
    });
    try {
      const leaks = await tryOut(keep, deps, proxy.path);
      const start = { file: python, args: ['-I', '-S', '-c', askProxy], cwd: '/' };
      const policy = { hidden: [], readable: [], writable: [], readOnly: [], masked: [], proxy: proxy.path };
      const { said } = await run(keep(start, policy), deps);
      return leaks.length === 0 && said.includes(' 403 ') && asked.includes('andiron.invalid');
    } finally {
      await proxy.close();
    }
  } catch {
    return false;
  }
}

/** What got out of it; rejects when nothing runs in it at all. */
async function tryOut(keep: Sandbox['keep'], deps: SandboxDeps, proxy: string | null): Promise<string[]> {
  const dataDir = (await deps.files.realPath(deps.dataDir)) ?? deps.dataDir;
  const folder = join(dataDir, proxy === null ? 'sandbox-trial' : 'sandbox-trial-proxy');
  const [work, elsewhere, hidden] = ['work', 'elsewhere', 'hidden'].map((name) => join(folder, name));
  if (!work || !elsewhere || !hidden) return [];
  const server = await listen();
  const over = new AbortController();
  const name = `ANDIRON_TRIAL_${String(process.pid)}`;
  const other = deps.processes.run({
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
    const { said, end } = await run(keep(start, policy), deps);
    if (!said.startsWith('in\n')) throw new Error(said.trim() || 'it printed nothing');
    const ways = [...said.matchAll(/\[([^\]]+)\]/g)].flatMap(([, way]) => way ?? []);
    // The command had ended by itself: what was killed when the time was up is what it left.
    const isLeft = end.leftovers || end.unended > 0 || end.killed !== null;
    if (isLeft) ways.push('outlives its command');
    return [...new Set(ways)];
  } finally {
    over.abort();
    server.close();
    await other;
    await rm(folder, { recursive: true, force: true });
  }
}

/** What must not be reached. */
function listen(): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** Rejects with its own words when it fails. */
async function run(
  start: SandboxStart,
  { processes }: Pick<SandboxDeps, 'processes'>,
): Promise<{ said: string; end: ProcessEnd }> {
  const texts = { stdout: '', stderr: '' };
  const end = await processes.run({
    ...start,
    env: { PATH: processes.environment['PATH'] ?? '', LC_ALL: 'C' },
    signal: AbortSignal.timeout(maxTrialMs),
    outputLimit: 10_000,
    onOutput: (stream, text) => void (texts[stream] += text),
  });
  if (end.exitCode !== 0) throw new Error(texts.stderr.trim() || `it ended with ${String(end.exitCode)}`);
  return { said: texts.stdout, end };
}
