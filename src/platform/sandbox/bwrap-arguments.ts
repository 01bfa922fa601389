/** The argument list of bubblewrap for a policy. Pure. */
import { doorPath } from './bridge.ts';
import type { SandboxPolicy, SandboxStart } from './sandbox.ts';

/**
 * Namespaces of its own for processes, network, users and all else, and none within them. It ends with whoever started it,
 * has no terminal that it could type into, and no right that a user does not have.
 */
const apart =
  '--unshare-all --unshare-user --disable-userns --die-with-parent --new-session --cap-drop ALL'.split(' ');

/** The system as it is, to be read; devices and processes are its own. */
const system = '--ro-bind / / --dev /dev --proc /proc'.split(' ');

/** Every path of the policy has to be there; mounts come in the order in which one may lie beneath the other. */
export function bwrapArguments({ file, args, cwd }: SandboxStart, policy: SandboxPolicy): string[] {
  return [
    ...apart,
    ...system,
    ...policy.hidden.toSorted().flatMap((path) => ['--tmpfs', path]),
    ...mounted('--bind', policy.writable),
    ...mounted('--ro-bind', policy.readOnly),
    ...policy.masked.flatMap(({ path, isFolder }) =>
      isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
    ),
    ...mounted('--ro-bind', policy.readable),
    ...(policy.proxy === null ? [] : ['--ro-bind', policy.proxy, doorPath]),
    '--chdir',
    cwd,
    '--',
    file,
    ...args,
  ];
}

const mounted = (option: string, paths: readonly string[]): string[] =>
  paths.toSorted().flatMap((path) => [option, path, path]);
