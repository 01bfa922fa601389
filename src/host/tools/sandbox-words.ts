/** What is said of the sandbox: why there is none, and what it kept from a command. */
import type { SandboxStatus } from '../../platform/sandbox/sandbox.ts';

const problems: Record<Extract<SandboxStatus, { kind: 'none' }>['problem'], (detail: string) => string> = {
  system: () => 'Andiron has no sandbox for this system yet, so the command can do all that you can.',
  missing: () =>
    'The command can do all that you can, because the sandbox program is missing. Install bubblewrap, then start Andiron again.',
  refused: (detail) =>
    `The command can do all that you can: this system did not let the sandbox start (${detail}).`,
  leaky: (detail) => `The command can do all that you can: a trial in the sandbox failed (it ${detail}).`,
};

/** For the person, on the card; undefined = there is a sandbox, and the command left it by their own word. */
export const whyNotSandboxed = (status: SandboxStatus): string | undefined =>
  status.kind === 'none' ? problems[status.problem](status.detail) : undefined;

export type SandboxRefusal = 'network' | 'write';

export const refusedWords: Record<SandboxRefusal, string> = {
  network: 'It failed without a network.',
  write: 'It failed as it tried to change something that the sandbox protects.',
};

/** The errors of the system and of its resolver, by their names and by what the C library says for them. */
const signs: [SandboxRefusal, RegExp][] = [
  [
    'network',
    /ENETUNREACH|EAI_AGAIN|Network is unreachable|Temporary failure in name resolution|Could not resolve host/,
  ],
  // What is mounted in its place is busy.
  ['write', /EROFS|EBUSY|Read-only file system|Device or resource busy/i],
];

/** Seatbelt has one error for all that it refuses, and the resolver of macOS words of its own. */
const signsOfRuntime: typeof signs = [
  ['network', /ENOTFOUND|nodename nor servname provided/],
  ...signs,
  ['write', /EPERM|Operation not permitted/],
];

/** What of its sandbox a command that failed ran into, by what it printed; null = it does not look like that. */
export const refusalIn = (printed: string, kind: SandboxStatus['kind'] = 'bwrap'): SandboxRefusal | null =>
  (kind === 'srt' ? signsOfRuntime : signs).find(([, sign]) => sign.test(printed))?.[0] ?? null;
