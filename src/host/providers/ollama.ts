/** Ollama as a provider: one request, its lines as reply events. */
import { streamChat, type ChatBody } from '../../ollama/chat.ts';
import type { ChatLine } from '../../ollama/schemas.ts';
import type { Clock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import { readImages, type Images, type ImageSource } from './images.ts';
import type { ModelRequest, Provider, ReplyCounters, ReplyEvent } from './provider.ts';
import { isWriting, type ReadSlots } from './silence.ts';
import { cannotAsk, guardStream, limitsOf } from './stream-guard.ts';
import { toWireMessages, toWireTools } from './wire.ts';

/** In characters. Vocabularies have long runs of blanks in one token; what is longer was not written by a model. */
const maxTokenLength = 256;
/** Ollama sends at most one line for each token. Without a bound, lines that say nothing would be read for ever. */
const maxLines = ({ maxOutputTokens }: ModelRequest): number => 2 * maxOutputTokens + 1_000;
/** As Ollama gives them out itself. */
const ollamasOwnId = /^call_[a-z0-9]{8}$/;

interface OllamaDeps {
  clock: Clock;
  images?: ImageSource | undefined;
  /** Of the runners of this Ollama; left out = they cannot be asked. */
  slots?: ReadSlots | undefined;
}

export function createOllamaProvider({ clock, images: source, slots }: OllamaDeps): Provider {
  return {
    async *stream(request, signal) {
      const asksRunner = slots ? () => isWriting(request.model, slots, clock) : cannotAsk;
      const guard = guardStream(limitsOf(request, asksRunner), clock, signal);
      try {
        const most = request.maxOutputTokens * maxTokenLength;
        let received = 0;
        let lines = 0;
        let opened = false;
        const images = await readImages(request.messages, source);
        const shown = withoutChannelMark();
        for await (const line of streamChat({
          url: request.url,
          body: toBody(request, images),
          clock,
          signal: guard.signal,
        })) {
          if (!opened) yield { type: 'opened' };
          opened = true;
          const events = toEvents(line, request.mayHalveCalls).flatMap(shown);
          received += sizeOf(events);
          lines += 1;
          if (received > most || lines > maxLines(request)) throw tooLong(request);
          if (events.length > 0) guard.alive();
          else guard.saidNothing();
          yield* events;
        }
      } finally {
        guard.release();
      }
    },
  };
}

/**
 * After a result gemma4's prompt ends inside the thought, and Ollama's parser begins outside of it: the mark that ends the
 * thought then comes as the first text of the reply.
 */
function withoutChannelMark(): (event: ReplyEvent) => ReplyEvent[] {
  let begun = false;
  return (event) => {
    if (event.type !== 'text' || begun) return [event];
    begun = true;
    const text = event.text.replace(/^\s*<channel\|>/, '');
    return text === '' ? [] : [{ ...event, text }];
  };
}

/** `truncate:false`, `shift:false` and the load plan to the letter, never `keep_alive`. */
function toBody(request: ModelRequest, images: Images): ChatBody {
  const tools = toWireTools(request.head, request.history);
  return {
    model: request.model,
    messages: toWireMessages(request.head, request.messages, request.history, images),
    ...(tools.length > 0 && { tools }),
    ...(request.think !== undefined && { think: request.think }),
    ...(request.format && { format: request.format }),
    options: { ...request.plan.options, ...present(request.sampling), num_predict: request.maxOutputTokens },
    truncate: false,
    shift: request.plan.shift,
  };
}

function present(sampling: ModelRequest['sampling']): Record<string, number> {
  return Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined));
}

function toEvents(line: ChatLine, mayHalveCalls: boolean): ReplyEvent[] {
  const { thinking, content, tool_calls: calls = [] } = line.message;
  const events: ReplyEvent[] = [];
  if (thinking) events.push({ type: 'thinking', text: thinking });
  if (content !== '') events.push({ type: 'text', text: content });
  for (const call of calls) {
    events.push({ type: 'call', name: call.function.name, args: call.function.arguments, id: call.id });
  }
  if (line.done) {
    // Where Ollama reads the calls itself, a whole one has a line of its own; its ids tell that from a runner that reads them.
    const halved = mayHalveCalls && calls.some(({ id = '' }) => ollamasOwnId.test(id));
    events.push({
      type: 'done',
      reason: line.done_reason === 'length' || halved ? 'length' : 'stop',
      counters: toCounters(line),
    });
  }
  return events;
}

function sizeOf(events: readonly ReplyEvent[]): number {
  return events.reduce((sum, event) => {
    if (event.type === 'call') return sum + JSON.stringify(event.args).length;
    return 'text' in event ? sum + event.text.length : sum;
  }, 0);
}

/** Kept, it would fill the window of every later request of its session. */
function tooLong({ maxOutputTokens }: ModelRequest): AndironError {
  return new AndironError(
    'stream_broken',
    `Ollama sent far more than the ${maxOutputTokens.toLocaleString('en')} tokens that it was asked for.`,
    'What came before is kept. If it happens again, restart Ollama.',
  );
}

const ms = (nanoseconds: number | undefined): number | null =>
  nanoseconds === undefined ? null : nanoseconds / 1e6;

/** An absent count of the last line means zero or unknown; only the prompt's is never zero, the cached one may be. */
function toCounters(line: ChatLine): ReplyCounters {
  return {
    promptTokens: line.prompt_eval_count ?? null,
    cachedTokens: line.prompt_eval_cached_count ?? null,
    outputTokens: line.eval_count ?? null,
    promptMs: ms(line.prompt_eval_duration),
    outputMs: ms(line.eval_duration),
    loadMs: ms(line.load_duration),
  };
}
