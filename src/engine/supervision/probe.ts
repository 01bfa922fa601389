/** One question to one address: is that Ollama? */
import { z } from 'zod';
import type { OllamaApi } from '../../ollama/api.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import { OllamaRefusal } from '../../ollama/failures.ts';
import { AndironError, asSentence } from '../../protocol/errors.ts';
import type { Barrier } from '../../protocol/model.ts';
import { isLoopback } from './host-address.ts';
import { DeadlineExceeded, withDeadline } from '../base/timing.ts';

export type Probe =
  | { kind: 'running'; version: string }
  /** Nobody listens there. */
  | { kind: 'nobody' }
  /** The connection stands and nothing comes: early in start-up Ollama does that for seconds. */
  | { kind: 'silent' }
  | { kind: 'wrong'; message: string; barrier?: Barrier };

const probeMs = 2_000;

const codeOf = z.object({ code: z.string() });
/** Of OpenSSL and Node, for a certificate that is not trusted; whoever has one answers. */
const certificateCode =
  /^(?:CERT_|CRL_|ERR_TLS_CERT_|ERROR_IN_CERT_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)|SELF_SIGNED/;
/** What came was no HTTP, or no TLS where it was asked for. */
const nonsenseCode = /^(?:HPE_|ERR_SSL_|EPROTO$)/;
const refusals: ReadonlySet<number> = new Set([401, 403]);
const gatewayFailures: ReadonlySet<number> = new Set([502, 503, 504]);

export async function probe(api: OllamaApi, clock: Clock, url: string): Promise<Probe> {
  try {
    const version = await withDeadline(clock, probeMs, (signal) => api.version(url, signal));
    return { kind: 'running', version };
  } catch (error) {
    // Far away, silence means that nothing is there.
    if (error instanceof DeadlineExceeded) return isLoopback(url) ? { kind: 'silent' } : { kind: 'nobody' };
    const barred = barrierOf(error, url);
    if (barred) return { kind: 'wrong', ...barred };
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

/** null = none that is known. */
function barrierOf(error: unknown, url: string): { barrier: Barrier; message: string } | null {
  if (error instanceof OllamaRefusal) {
    const status = `HTTP ${String(error.status)}`;
    if (refusals.has(error.status))
      return { barrier: 'refusal', message: `${url} refuses the requests of Andiron (${status}).` };
    if (gatewayFailures.has(error.status))
      return { barrier: 'gateway', message: `${url} answers, but Ollama behind it does not (${status}).` };
    return null;
  }
  const cause = error instanceof AndironError ? error.cause : undefined;
  if (!(cause instanceof Error) || !certificateCode.test(codeOf.safeParse(cause).data?.code ?? ''))
    return null;
  const message = asSentence(`The certificate of ${url} is not trusted: ${cause.message}`);
  return { barrier: 'certificate', message };
}

/** Did bytes come back that make no sense, or did no connection come about? */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof AndironError) || error.code === 'engine_unavailable') return false;
  if (error.code !== 'stream_cut') return true;
  const code = codeOf.safeParse(error.cause);
  return error.cause instanceof SyntaxError || (code.success && nonsenseCode.test(code.data.code));
}
