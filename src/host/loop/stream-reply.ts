/** The one place where a request goes out to the model, with what is known of it before, meanwhile and afterwards. */
import type { ModelRequest, ReplyEvent } from '../providers/provider.ts';
import { watchPrefill } from './prefill-clock.ts';
import type { Run } from './run.ts';

/** `done` says how long the first line was waited for. */
export type StreamedEvent =
  Exclude<ReplyEvent, { type: 'done' }> | (Extract<ReplyEvent, { type: 'done' }> & { waitedMs: number });

/** Throws what the provider throws. Leaving the loop over it closes the connection. */
export async function* streamReply(
  request: ModelRequest,
  run: Run,
  signal: AbortSignal,
): AsyncIterable<StreamedEvent> {
  const { clock, provider, slots } = run.deps;
  const prefillOver = watchPrefill(request, run);
  const sentAt = clock.monotonic();
  let waitedMs = 0;
  try {
    for await (const event of provider.stream(request, signal)) {
      if (event.type === 'opened') {
        prefillOver();
        waitedMs = clock.monotonic() - sentAt;
        slots.answered(request.model);
      }
      yield event.type === 'done' ? { ...event, waitedMs } : event;
    }
  } finally {
    prefillOver();
  }
}
