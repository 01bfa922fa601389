/** Seatbelt, the sandbox of macOS: a profile that the sandbox runtime wrote, with what we add to it. Pure. */
import type { SandboxPolicy, SandboxStart } from './sandbox.ts';
import { shellWords } from './shell-words.ts';

/** Where every Mac has it. */
export const seatbeltProgram = '/usr/bin/sandbox-exec';

/**
 * Services that the runtime's profile lets a command talk to, and that reach beyond its folder: the keychain, the list of
 * running apps, and messages to other apps. Without a network nothing checks certificates by the first.
 */
const deniedServices = [
  'com.apple.SecurityServer',
  'com.apple.securityd.xpc',
  'com.apple.coreservices.launchservicesd',
  'com.apple.distributed_notifications@Uv3',
];

/** What a shell writes to without leaving a trace. A terminal is none of them. */
const devices = ['/dev/null', '/dev/zero', '/dev/stdout', '/dev/stderr', '/dev/dtracehelper'];

/** Rules that come last win in Seatbelt. */
const ownRules = ({ readable }: Pick<SandboxPolicy, 'readable'>): string[] => [
  ...rule('allow', 'file-read*', 'subpath', readable),
  ...rule('allow', 'file-read* file-write-data file-ioctl', 'literal', devices),
  ...rule('allow', 'file-read* file-write-data', 'subpath', ['/dev/fd']),
  ...rule('deny', 'mach-lookup', 'global-name', deniedServices),
  '(deny distributed-notification-post)',
];

const rule = (
  action: 'allow' | 'deny',
  operations: string,
  filter: 'subpath' | 'literal' | 'global-name',
  values: readonly string[],
): string[] =>
  values.length === 0
    ? []
    : [
        `(${action} ${operations} ${values.map((value) => `(${filter} ${JSON.stringify(value)})`).join(' ')})`,
      ];

/**
 * The program itself under the profile in a line of the runtime, and nothing else of that line: neither its shell nor the
 * variables that it would set. Throws when the line is another than we know.
 */
export function seatbeltStart(
  line: string,
  { file, args, cwd }: SandboxStart,
  policy: Pick<SandboxPolicy, 'readable'>,
  program: string = seatbeltProgram,
): SandboxStart {
  const words = shellWords(line);
  const at = words.indexOf(seatbeltProgram);
  const [option, profile] = words.slice(at + 1);
  if (at < 0 || option !== '-p' || !profile?.startsWith('(version 1)\n(deny default '))
    throw new Error('The sandbox runtime wrote no profile.');
  return {
    file: program,
    args: ['-p', [profile, '', ...ownRules(policy), ''].join('\n'), file, ...args],
    cwd,
  };
}
