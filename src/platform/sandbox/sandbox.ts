/** Commands that are kept in: what they may write, what is not there for them, and the one way to a network that they may have. */
import type { ProcessRequest } from '../processes.ts';
import type { HostProxy, HostProxyDeps } from './host-proxy.ts';

/** Absolute real paths. Later lists win over earlier ones where one lies beneath the other. */
export interface SandboxPolicy {
  /** Not there, beside what the machine hides anyway. */
  hidden: readonly string[];
  writable: readonly string[];
  /** Only to be read; beneath what is writable too, such as what programs run without being told to. */
  readOnly: readonly string[];
  /** Beneath those, and empty: keys and settings in a home that is the folder of the work. */
  masked: readonly { path: string; isFolder: boolean }[];
  /** To be read, also beneath what is hidden or masked: the programs of the person's PATH. */
  readable: readonly string[];
  /** The socket file of a proxy, which is all that they reach of any network; null = they reach none. */
  proxy: string | null;
}

/** `bwrap`: bubblewrap with our own argument list. `srt`: the sandbox runtime, which speaks to Seatbelt on macOS. */
export type SandboxBackend = 'bwrap' | 'srt';

/**
 * What the trial at the start found. `system`: there is no sandbox for this system. `missing`: its program is not installed.
 * `refused`: it is, and does not start here. `leaky`: a command in it did what it must not.
 */
export type SandboxStatus =
  | {
      kind: SandboxBackend;
      /** Of bubblewrap, or of the runtime. */
      version: string;
      /** A proxy can be let in, so that a command may ask for hosts. */
      hasProxy: boolean;
    }
  /** `detail`: what the program said, or what got out; may be empty. */
  | { kind: 'none'; problem: 'system' | 'missing' | 'refused' | 'leaky'; detail: string };

export interface Sandbox {
  /** It stays so as long as this process runs. */
  readonly status: SandboxStatus;
  /** Absent = a command in it reaches no network. */
  readonly openProxy?: OpenProxy;
  /** Never there: homes, other disks, sockets of services. Real paths. */
  readonly hidden: readonly string[];
  /** The same program, kept in. Rejects where there is no sandbox: nothing runs without one by accident. */
  keep(start: SandboxStart, policy: SandboxPolicy): Promise<KeptStart>;
}

export type OpenProxy = (mayReach: HostProxyDeps['mayReach']) => Promise<HostProxy>;

export type SandboxStart = Pick<ProcessRequest, 'file' | 'args' | 'cwd' | 'isContained'>;

export interface KeptStart extends SandboxStart {
  /** Variables that it needs beside its own, and that win over those. */
  env?: Record<string, string>;
  /** To be called once the command is over, also when it never began. Never rejects. */
  release?: () => Promise<void>;
}

type Problem = Extract<SandboxStatus, { kind: 'none' }>['problem'];

export const noSandbox = (problem: Problem, detail = ''): Sandbox => ({
  status: { kind: 'none', problem, detail },
  hidden: [],
  keep: () => Promise.reject(new Error('There is no sandbox.')),
});
