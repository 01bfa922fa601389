/** The sandbox of Linux: bubblewrap with our own argument list, and a way for a proxy where there is a Python. */
import { bridged } from './bridge.ts';
import { bwrapArguments } from './bwrap-arguments.ts';
import { openHostProxy } from './host-proxy.ts';
import { findProgram } from './machine-places.ts';
import { runToEnd, tryOut, type TrialDeps } from './sandbox-trial.ts';
import { noSandbox, type KeptStart, type Sandbox, type SandboxPolicy, type SandboxStart } from './sandbox.ts';

/** Rejects with the reason when nothing runs in it. @param hidden what the machine hides from every command */
export async function openBwrapSandbox(deps: TrialDeps, hidden: readonly string[]): Promise<Sandbox> {
  const { processes } = deps;
  const path = processes.environment['PATH'];
  const program = await findProgram('bwrap', path);
  if (program === null) return noSandbox('missing');
  const python = await findPython(path);
  const keep = async (start: SandboxStart, policy: SandboxPolicy): Promise<KeptStart> => {
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
  const { said: version } = await runToEnd(
    { file: program, args: ['--version'], cwd: '/' },
    processes,
    deps.signal,
  );
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
}

/** The system's own: one of the person's may be a script that looks for others. */
const findPython = async (path: string | undefined): Promise<string | null> =>
  (await findProgram('python3', '/usr/bin')) ?? (await findProgram('python3', path));

const askProxy = `
import os, socket
host, port = os.environ["https_proxy"][7:].split(":")
with socket.create_connection((host, int(port))) as proxy:
    proxy.sendall(b"CONNECT andiron.invalid:443 HTTP/1.1\\r\\n\\r\\n")
    print(proxy.recv(100).decode())
`;

/** Whether what asks for a host in it comes to the proxy, and nothing else gets out beside it. */
async function tryProxy(keep: Sandbox['keep'], python: string, deps: TrialDeps): Promise<boolean> {
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
      const { said } = await runToEnd(await keep(start, policy), deps.processes, deps.signal);
      return leaks.length === 0 && said.includes(' 403 ') && asked.includes('andiron.invalid');
    } finally {
      await proxy.close();
    }
  } catch {
    return false;
  }
}
