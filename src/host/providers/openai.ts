/** A host that speaks `POST /chat/completions` (llama-server, LM Studio, vLLM …) as a provider (A13). */
import type { Clock } from '../../platform/clock.ts';
import { unlessAborted } from '../../platform/event-loop.ts';
import { AndironError } from '../../protocol/errors.ts';
import { askedHost, blamingGrammar, type AskedHost } from './openai-failures.ts';
import { ReplyAssembly } from './openai-reply.ts';
import { streamCompletion } from './openai-stream.ts';
import { toCompletionBody } from './openai-wire.ts';
import type { ReadHostKey } from './host-kind.ts';
import { readImages, type ImageSource } from './images.ts';
import type { ModelRequest, Provider } from './provider.ts';
import { cannotAsk, guardStream, limitsOf } from './stream-guard.ts';

/** In characters, as for Ollama. A call takes a token at least. */
const maxTokenLength = 256;
/** Hosts send about a chunk for each token. Without a bound, chunks that say nothing would be read for minutes. */
const maxChunks = ({ maxOutputTokens }: ModelRequest): number => 2 * maxOutputTokens + 1_000;

export interface OpenAiDeps {
  clock: Clock;
  /** For errors: how a person knows the host. */
  name: string;
  readKey: ReadHostKey;
  images?: ImageSource | undefined;
}

/** Answers at the request's `url`, the API's root (`http://127.0.0.1:8080/v1`). The plan is the host's own affair. */
export function createOpenAiProvider({ clock, name, readKey, images: source }: OpenAiDeps): Provider {
  return {
    async *stream(request, signal) {
      // The system may ask the person first, which is no silence of the host.
      const apiKey = await unlessAborted(readKey(), signal);
      const guard = guardStream(limitsOf(request, cannotAsk), clock, signal);
      const host = askedHost(name, request.url, apiKey);
      const reply = new ReplyAssembly();
      const most = request.maxOutputTokens * maxTokenLength;
      let received = 0;
      let chunks = 0;
      let opened = false;
      try {
        const access = { host, apiKey, clock, signal: guard.signal };
        const images = await readImages(request.messages, source);
        for await (const chunk of streamCompletion(access, toCompletionBody(request, images))) {
          const { events, written } = reply.add(chunk);
          if (!opened && reply.begun) yield { type: 'opened', model: reply.model };
          opened = reply.begun;
          received += written;
          chunks += 1;
          const isTooLong = received + reply.callCount * maxTokenLength > most;
          if (isTooLong || chunks > maxChunks(request)) throw tooLong(host, request);
          if (written > 0) guard.alive();
          yield* events;
        }
        if (!opened) throw noChoice(host);
        yield* reply.finish();
      } catch (error) {
        throw blamingGrammar(error, request);
      } finally {
        guard.release();
      }
    },
  };
}

function tooLong({ name }: AskedHost, { maxOutputTokens }: ModelRequest): AndironError {
  return new AndironError(
    'stream_broken',
    `${name} sent far more than the ${maxOutputTokens.toLocaleString('en')} tokens that it was asked for.`,
    'What came before is kept. If it happens again, restart that host.',
  );
}

/** N1: a reply without any choice is no reply. */
function noChoice({ name }: AskedHost): AndironError {
  return new AndironError(
    'empty_reply',
    `${name} ended the answer before it began.`,
    'Send again, or choose another model.',
  );
}
