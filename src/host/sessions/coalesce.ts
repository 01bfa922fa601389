/** Deltas travel about every 16 ms, the first one of an item at once; any other event flushes what waits before it. */
import type { Clock, Timer } from '../../platform/clock.ts';
import type { TurnEvent } from '../../protocol/events.ts';

const flushMs = 16;

type Delta = Extract<TurnEvent, { type: 'item/delta' | 'tool/output' }>;

export function coalesce(clock: Clock, publish: (event: TurnEvent) => void) {
  let waiting: Delta | undefined;
  let timer: Timer | undefined;
  let lastItem: string | undefined;

  const flush = (): void => {
    timer?.cancel();
    timer = undefined;
    const event = waiting;
    waiting = undefined;
    if (event) publish(event);
  };

  const add = (event: Delta): void => {
    if (waiting && (waiting.itemId !== event.itemId || waiting.type !== event.type)) flush();
    waiting = waiting ? { ...waiting, text: waiting.text + event.text } : event;
    if (lastItem !== event.itemId) {
      lastItem = event.itemId;
      flush();
    } else {
      timer ??= clock.after(flushMs, flush);
    }
  };

  return {
    emit(event: TurnEvent): void {
      if (event.type === 'item/delta' || event.type === 'tool/output') {
        add(event);
        return;
      }
      flush();
      publish(event);
    },
    flush,
  };
}
