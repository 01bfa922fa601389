/** Finds the sandbox of this machine: the first one whose trial passes. */
import type { ReadableFiles } from '../files.ts';
import { openBwrapSandbox } from './bwrap-sandbox.ts';
import { hiddenPlaces } from './machine-places.ts';
import type { TrialDeps } from './sandbox-trial.ts';
import { noSandbox, type Sandbox, type SandboxBackend } from './sandbox.ts';
import { openSrtSandbox } from './srt-sandbox.ts';

export interface SandboxDeps extends TrialDeps {
  platform: string;
  files: Pick<ReadableFiles, 'realPath' | 'stat'>;
  homeDir: string | null;
  /** The module of the sandbox runtime's thread; the source beside this one unless given. */
  worker?: URL;
  /** No other one is tried. */
  backend?: SandboxBackend;
  /** Only tests have Seatbelt elsewhere. */
  seatbelt?: string;
}

/** What there is for a system, best first: only with the first one a command can ask for hosts. */
const backendsOf: Record<string, readonly SandboxBackend[]> = { linux: ['bwrap', 'srt'], darwin: ['srt'] };

/** Never rejects: a sandbox that cannot be had says why, and of several the first one does. */
export async function openSandbox(deps: SandboxDeps): Promise<Sandbox> {
  const { platform, files, homeDir, backend } = deps;
  const backends = (backendsOf[platform] ?? []).filter((each) => backend === undefined || each === backend);
  let first: Sandbox | undefined;
  for (const each of backends) {
    const sandbox = await open(each, deps, await hiddenPlaces(files, homeDir, platform));
    if (sandbox.status.kind !== 'none') return sandbox;
    first ??= sandbox;
    // All of them are made of the same programs.
    if (sandbox.status.problem === 'missing') break;
  }
  return first ?? noSandbox('system');
}

async function open(
  backend: SandboxBackend,
  { worker = new URL('srt-worker.ts', import.meta.url), ...deps }: SandboxDeps,
  hidden: readonly string[],
): Promise<Sandbox> {
  try {
    return await (backend === 'bwrap'
      ? openBwrapSandbox(deps, hidden)
      : openSrtSandbox({ ...deps, worker }, hidden));
  } catch (error) {
    return noSandbox('refused', error instanceof Error ? error.message : String(error));
  }
}
