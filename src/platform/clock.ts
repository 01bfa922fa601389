/** Time and chance come in by parameter, so that every rule about them can be tested without waiting. */
import { randomBytes } from 'node:crypto';
import { uptime } from 'node:os';

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Monotonic milliseconds, for durations. */
  monotonic(): number;
  /** Milliseconds since the system started, sleep included; absent = not known. */
  sinceBoot?(): number;
  /** Runs once after `ms`; does not keep the process alive. */
  after(ms: number, run: () => void): Timer;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // `performance` would load all that Node measures itself with, and a start does not wait for that.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  sinceBoot: () => uptime() * 1000,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** `prefix` + 12 hex digits (S, G6). */
export type NewId = (prefix: string) => string;

export const randomId: NewId = (prefix) => prefix + randomBytes(6).toString('hex');
