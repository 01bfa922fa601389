/**
 * The one place where a request goes out to the model, with what is known of it before, meanwhile and afterwards: an entry
 * in the ledger, the clock of its prefill, the proof that its slot is alive, the suspicion that a close has cost it.
 */
import { AndironError } from '../../../protocol/errors.ts';
import type { Reading } from '../../../protocol/model.ts';
import type { ContextMessage, ModelRequest, ReplyEvent } from '../../providers/provider.ts';
import type { RequestScope } from '../ports.ts';
import { watchPrefill } from './prefill-clock.ts';

/**
 * `done` says how long the first line was waited for, and settles the tracker: once, with the reply for the log. `repeated`
 * stands in its place where the engine ended the reply because one token came over and over.
 */
export type StreamedEvent =
  | Exclude<ReplyEvent, { type: 'done' }>
  | { type: 'repeated' }
  | (Extract<ReplyEvent, { type: 'done' }> & { waitedMs: number; settle: (reply: Said) => Reading });

/** A reply as it will stand in the log. */
type Said = Pick<Extract<ContextMessage, { role: 'assistant' }>, 'content' | 'thinking' | 'calls'>;

/** For a stream that ended without a `done`. */
export const streamCut = (): AndironError =>
  new AndironError('stream_cut', 'The answer ended without saying that it was done.', 'Send again to go on.');

/**
 * Throws what the provider throws. Leaving the loop over it closes the connection. `stop` ends the run; `cut` ends this
 * reply alone.
 */
export async function* streamReply(
  request: ModelRequest,
  { model, setting, out, stop: watch }: RequestScope,
  stop: AbortSignal,
  cut: AbortSignal,
): AsyncIterable<StreamedEvent> {
  const { tracker, provider, slots } = model;
  const { clock } = out;
  const { lease, active } = setting;
  const signal = AbortSignal.any([stop, cut]);
  await tracker.know(lease, signal);
  const entry = tracker.sent(lease.model, request, request.purpose === 'main' ? 'main' : 'side');
  const prefill = watchPrefill(request.model, entry.expected, model, out);
  const sentAt = clock.monotonic();
  let waitedMs: number | null = null;
  let lines = 0;
  let open = true;
  let isComplete = false;
  try {
    for await (const event of provider.stream(request, signal)) {
      if (event.type === 'opened') {
        prefill.opened();
        waitedMs = clock.monotonic() - sentAt;
        slots.answered(request.model);
      }
      lines += 1;
      isComplete ||= event.type === 'done';
      if (event.type === 'opened' || event.type === 'done') out.answering(event.model, active.profile.id);
      if (event.type !== 'done') yield event;
      else {
        const settle = (said: Said): Reading => {
          open = false;
          return entry.answered(event.counters, { role: 'assistant', ...said }, prefill.slot());
        };
        yield { ...event, waitedMs: waitedMs ?? 0, settle };
      }
    }
  } catch (error) {
    if (!(error instanceof AndironError) || error.code !== 'reply_repeated') throw error;
    yield { type: 'repeated' };
  } finally {
    prefill.over();
    const opened = waitedMs !== null;
    const now = clock.monotonic();
    const elapsedMs = now - sentAt;
    if (signal.aborted && !isComplete) {
      if (opened) slots.closedWhileLinesCame(request.model);
      if (stop.aborted) watch.closed = { linesCame: opened, at: now };
    }
    if (open && (opened || signal.aborted))
      entry.stopped({ slot: prefill.slot(), opened, outputTokens: lines, elapsedMs });
    else if (open) entry.failed();
  }
}
