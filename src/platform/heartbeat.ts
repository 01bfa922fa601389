/** Pings a process and counts the pings that it leaves unanswered: first it counts as stalled, then as dead. */
import type { Clock, Timer } from './clock.ts';

/** Silence is counted in pings, not in time, so a machine that slept accuses nobody. */
export interface HeartbeatLimits {
  /** Between pings. */
  pingMs: number;
  stalledAfterPings: number;
  killAfterPings: number;
}

export interface HeartbeatEvents {
  sendPing: () => void;
  /** Again with each ping, as long as nothing is answered. */
  onStalled: () => void;
  /** The last call: no ping follows. */
  onDead: () => void;
}

export class Heartbeat {
  readonly #limits: HeartbeatLimits;
  readonly #clock: Pick<Clock, 'after'>;
  #unanswered = 0;
  #timer: Timer | undefined;

  constructor(limits: HeartbeatLimits, clock: Pick<Clock, 'after'>) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** The first ping follows after `pingMs`. */
  start(events: HeartbeatEvents): void {
    this.stop();
    this.#unanswered = 0;
    this.#await(events);
  }

  answered(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #await(events: HeartbeatEvents): void {
    this.#timer = this.#clock.after(this.#limits.pingMs, () => {
      if (this.#unanswered >= this.#limits.killAfterPings) {
        events.onDead();
        return;
      }
      if (this.#unanswered >= this.#limits.stalledAfterPings) events.onStalled();
      this.#unanswered++;
      events.sendPing();
      this.#await(events);
    });
  }
}
