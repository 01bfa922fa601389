import type { Random } from './random.ts';

/** How fast a simulated machine runs one model. */
export interface TimeProfile {
  /** From the start of the runner until it answers. */
  loadSeconds: number;
  /** Prefill rate at the very start of a prompt. */
  prefillTokensPerSecond: number;
  /** What each token of depth adds to the cost of evaluating one more: 0.0005 = half as dear again at 1,000. */
  depthFactor: number;
  decodeTokensPerSecond: number;
  /** Every duration varies by up to this share in both directions; 0 = none, below 1. */
  noise: number;
  /** Divides every duration, so that tests run fast and proportions stay; 1 unless given. */
  speed?: number;
  /** How much longer everything takes at this moment: another program on the same GPU; 1 unless given. */
  slowdown?: () => number;
}

/** Durations in milliseconds. */
export type TimeModel = ReturnType<typeof createTimeModel>;

const POLL_MS = 1000;

/** A deterministic model: the same profile and random numbers give the same durations. */
export function createTimeModel(profile: TimeProfile, random: Random) {
  const { noise, speed = 1, slowdown = () => 1 } = profile;
  const poll = POLL_MS / speed;
  const seconds = (exact: number) => ((exact * 1000 * slowdown()) / speed) * (1 + noise * (2 * random() - 1));
  return {
    load: (): number => seconds(profile.loadSeconds),
    /** One prefill batch of `tokens` behind `depth` tokens already held: a·n + b·n·depth. Never interrupted. */
    batch: (tokens: number, depth: number): number => {
      // The tokens of a batch lie behind one another: on average half of it adds to the depth. So the sum over
      // a prompt does not depend on how it is cut.
      const perToken = (1 + profile.depthFactor * (depth + tokens / 2)) / profile.prefillTokensPerSecond;
      return seconds(tokens * perToken);
    },
    /** One generated token. */
    decode: (): number => seconds(1 / profile.decodeTokensPerSecond),
    /**
     * When a runner that has sent nothing since `waitingSince` notices that its peer left at `closedAt` (times in
     * ms, one origin): at its next look, one second apart. It acts on it between batches.
     */
    noticesClose: (waitingSince: number, closedAt: number): number =>
      waitingSince + Math.max(1, Math.ceil((closedAt - waitingSince) / poll)) * poll,
  };
}

/** Load time of a model file that is read at `bytesPerSecond` and then takes `fixedSeconds` to set up. */
export function loadSeconds(modelBytes: number, bytesPerSecond: number, fixedSeconds = 0.5): number {
  return fixedSeconds + modelBytes / bytesPerSecond;
}
