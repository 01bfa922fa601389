/** One question to one address: is that Ollama? */
import { z } from 'zod';
import type { OllamaApi } from '../../ollama/api.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import { AndironError } from '../../protocol/errors.ts';
import { isLoopback } from './host-address.ts';
import { DeadlineExceeded, withDeadline } from '../base/timing.ts';

export type Probe =
  | { kind: 'running'; version: string }
  /** Nobody listens there. */
  | { kind: 'nobody' }
  /** The connection stands and nothing comes: early in start-up Ollama does that for seconds. */
  | { kind: 'silent' }
  | { kind: 'wrong'; message: string };

const probeMs = 2_000;

const codeOf = z.object({ code: z.string() });

export async function probe(api: OllamaApi, clock: Clock, url: string): Promise<Probe> {
  try {
    const version = await withDeadline(clock, probeMs, (signal) => api.version(url, signal));
    return { kind: 'running', version };
  } catch (error) {
    // Far away, silence means that nothing is there.
    if (error instanceof DeadlineExceeded) return isLoopback(url) ? { kind: 'silent' } : { kind: 'nobody' };
    if (!isAnswer(error)) return { kind: 'nobody' };
    const text = error instanceof Error ? error.message : String(error);
    return { kind: 'wrong', message: `Something else is using ${url}: ${text}` };
  }
}

/** Asked at the machine's own network addresses: what answers there, answers the neighbours. null = no network. */
export async function isExposed(
  url: string,
  { clock, machine, ollama }: Pick<EngineDeps, 'clock' | 'machine' | 'ollama'>,
): Promise<boolean | null> {
  if (!isLoopback(url)) return true;
  const addresses = machine.lanAddresses();
  if (addresses.length === 0) return null;
  const answers = await Promise.all(
    addresses.map((address) => {
      const own = new URL(url);
      own.hostname = address;
      return probe(ollama, clock, own.href.replace(/\/$/, ''));
    }),
  );
  // A refusal of the address we name is an answer too.
  return answers.some(({ kind }) => kind === 'running' || kind === 'wrong');
}

/** Did bytes come back that make no sense, or did no connection come about? */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof AndironError) || error.code === 'engine_unavailable') return false;
  if (error.code !== 'stream_cut') return true;
  const code = codeOf.safeParse(error.cause);
  return error.cause instanceof SyntaxError || (code.success && code.data.code.startsWith('HPE_'));
}
