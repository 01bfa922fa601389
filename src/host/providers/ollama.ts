/** Ollama as a provider: one request, its lines as reply events. */
import { streamChat, type ChatBody } from '../../ollama/chat.ts';
import type { ChatLine } from '../../ollama/schemas.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ModelRequest, Provider, ReplyCounters, ReplyEvent } from './provider.ts';
import { guardStream } from './stream-guard.ts';
import { toWireMessages, toWireTools } from './wire.ts';

export function createOllamaProvider(clock: Clock): Provider {
  return {
    async *stream(request, signal) {
      const guard = guardStream(request.timeouts, clock, signal);
      try {
        let opened = false;
        for await (const line of streamChat({
          url: request.url,
          body: toBody(request),
          clock,
          signal: guard.signal,
        })) {
          if (!opened) yield { type: 'opened' };
          opened = true;
          const events = toEvents(line);
          if (events.length > 0) guard.alive();
          yield* events;
        }
      } finally {
        guard.release();
      }
    },
  };
}

/** `truncate:false`, `shift:false` and the load plan to the letter, never `keep_alive` (design 5.7). */
function toBody(request: ModelRequest): ChatBody {
  const tools = toWireTools(request.head);
  return {
    model: request.model,
    messages: toWireMessages(request.head, request.messages, request.history),
    ...(tools.length > 0 && { tools }),
    ...(request.think !== undefined && { think: request.think }),
    options: { ...request.plan.options, ...present(request.sampling), num_predict: request.maxOutputTokens },
    truncate: false,
    shift: request.plan.shift,
  };
}

function present(sampling: ModelRequest['sampling']): Record<string, number> {
  return Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined));
}

function toEvents(line: ChatLine): ReplyEvent[] {
  const { thinking, content, tool_calls: calls = [] } = line.message;
  const events: ReplyEvent[] = [];
  if (thinking) events.push({ type: 'thinking', text: thinking });
  if (content !== '') events.push({ type: 'text', text: content });
  for (const call of calls) {
    events.push({ type: 'call', name: call.function.name, args: call.function.arguments, id: call.id });
  }
  if (line.done) {
    events.push({
      type: 'done',
      reason: line.done_reason === 'length' ? 'length' : 'stop',
      counters: toCounters(line),
    });
  }
  return events;
}

const ms = (nanoseconds: number | undefined): number | null =>
  nanoseconds === undefined ? null : nanoseconds / 1e6;

/** An absent count of the last line means zero or unknown; only the prompt's is never zero, the cached one may be (contract 8, 10). */
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
