/**
 * The trial of a sandbox takes longer than all else of a start. What it found is kept: the next start tells of that sandbox
 * at once and tries it out when it is ready. Nothing runs in it before that trial has passed too.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../log.ts';
import { privateFileMode } from '../private-data.ts';
import { findProgram, hiddenPlaces } from './machine-places.ts';
import { openSandbox, type SandboxDeps } from './open-sandbox.ts';
import type { Sandbox, SandboxStatus } from './sandbox.ts';

type FoundStatus = Exclude<SandboxStatus, { kind: 'none' }>;

export interface KnownSandbox {
  /** Never rejects. */
  sandbox: Promise<Sandbox>;
  /** Begins the trial unless it has begun. Never rejects. */
  prove(): Promise<void>;
  /** Calls a trial off that is under way, and resolves when nothing of it is left. */
  close(): Promise<void>;
}

/** In the data folder. */
export const sandboxFileName = 'andiron.sandbox.json';

const statusSchema = z.object({
  kind: z.enum(['bwrap', 'srt']),
  version: z.string(),
  hasProxy: z.boolean(),
});

/** @param open only tests name another */
export function openKnownSandbox(
  deps: Omit<SandboxDeps, 'signal'> & { log: Pick<Log, 'warn'> },
  open: (deps: SandboxDeps) => Promise<Sandbox> = openSandbox,
): KnownSandbox {
  const file = join(deps.dataDir, sandboxFileName);
  const closing = new AbortController();
  const known = readKnown(file);
  let trial: Promise<Sandbox> | undefined;
  const proven = (): Promise<Sandbox> => (trial ??= tryOutAndKeep());

  async function tryOutAndKeep(): Promise<Sandbox> {
    const sandbox = await open({ ...deps, signal: closing.signal });
    // What was called off has found nothing out.
    if (closing.signal.aborted) return sandbox;
    const { status } = sandbox;
    if (known && status.kind !== known.kind)
      deps.log.warn('the sandbox is not what it was at the last start', { known, status });
    try {
      if (status.kind === 'none') rmSync(file, { force: true });
      else writeFileSync(file, JSON.stringify(status), { mode: privateFileMode });
    } catch (error) {
      deps.log.warn('what the sandbox is cannot be kept', { error: String(error) });
    }
    return sandbox;
  }

  return {
    sandbox: known ? believe(known, deps, proven) : proven(),
    prove: async () => void (await proven()),
    async close() {
      closing.abort();
      await trial;
    },
  };
}

async function believe(
  known: FoundStatus,
  { files, homeDir, platform, processes }: SandboxDeps,
  proven: () => Promise<Sandbox>,
): Promise<Sandbox> {
  // The one reason for which a sandbox goes between two starts that costs nothing to see.
  if (known.kind === 'bwrap' && (await findProgram('bwrap', processes.environment['PATH'])) === null)
    return proven();
  return {
    status: known,
    hidden: await hiddenPlaces(files, homeDir, platform),
    async keep(start, policy) {
      const sandbox = await proven();
      const { status } = sandbox;
      if (status.kind === 'none') throw lost(status.detail);
      return sandbox.keep(start, policy);
    },
    ...(known.hasProxy && {
      openProxy: async (mayReach) => {
        const { openProxy } = await proven();
        if (!openProxy) throw lost('nothing gets out of it to a host');
        return openProxy(mayReach);
      },
    }),
  };
}

const lost = (detail: string): Error =>
  new Error(
    `The sandbox of this computer no longer works${detail && ` (${detail})`}. Restart Andiron, which then looks for one again.`,
  );

/** null = nothing is known, or nothing that can be read. */
function readKnown(file: string): FoundStatus | null {
  try {
    return statusSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
