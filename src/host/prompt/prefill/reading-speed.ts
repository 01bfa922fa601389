/**
 * How fast one model reads a prompt, learnt from its own replies: each token costs `a`, and `b` more for every token that
 * lies before it. Pure: what was observed comes in, a prediction goes out.
 */

/** One stretch of prompt: `tokens` evaluated behind `depth` tokens that were held already. */
export interface Stretch {
  tokens: number;
  depth: number;
}

export type ReadingSpeed = ReturnType<typeof createReadingSpeed>;

interface Observation {
  /** What `a` and `b` are multiplied with, each divided by the time it took: all observations weigh the same. */
  perToken: number;
  perDepth: number;
}

interface Cost {
  a: number;
  b: number;
}

/** Shorter stretches say more about overhead than about speed. */
const minTokens = 64;
const most = 24;
/** What an observation is worth once the next one is there. */
const fading = 0.85;
/** b ÷ a, until observations at different depths have shown it. */
const assumedShape = 2e-5;
/** How many observations at 2,000 tokens of depth the assumed shape is worth. */
const shapeStrength = 0.5;
const shapeDepth = 2_000;
/** Two in a row this far off on the same side: another program, a colder GPU, another window. What was before is no guide. */
const changed = 0.2;

export function createReadingSpeed() {
  let seen: Observation[] = [];
  let cost: Cost | null = null;
  let shape = assumedShape;
  /** By how much the last observation missed what was predicted for it: 0.2 = took a fifth longer. */
  let lastMiss = 0;

  const notice = ({ perToken, perDepth }: Observation): void => {
    if (!cost) return;
    const miss = 1 / (cost.a * perToken + cost.b * perDepth) - 1;
    if (Math.min(Math.abs(miss), Math.abs(lastMiss)) > changed && miss * lastMiss > 0) {
      shape = cost.b / cost.a;
      seen = seen.slice(-1);
      lastMiss = 0;
    } else lastMiss = miss;
  };

  return {
    /** null = nothing was observed yet. */
    predictMs: (stretch: Stretch): number | null => {
      if (!cost) return null;
      const [tokens, depths] = terms(stretch);
      return cost.a * tokens + cost.b * depths;
    },
    /** Tokens per second at the very beginning of a prompt; null = nothing was observed yet. */
    rate: (): number | null => cost && 1000 / cost.a,
    learn(stretch: Stretch, ms: number): void {
      if (stretch.tokens < minTokens || !Number.isFinite(ms) || ms <= 0) return;
      const [tokens, depths] = terms(stretch);
      const observation = { perToken: tokens / ms, perDepth: depths / ms };
      notice(observation);
      seen = [...seen, observation].slice(-most);
      cost = solve(seen, shape);
    },
  };
}

/** The tokens of a stretch lie behind one another: on average half of them adds to the depth. */
function terms({ tokens, depth }: Stretch): [tokens: number, depths: number] {
  return [tokens, tokens * (depth + tokens / 2)];
}

/** Least squares on relative errors, the newest first in weight, with the shape as a weak opinion of its own. */
function solve(seen: readonly Observation[], shape: number): Cost {
  let [tt, td, dd, t, d] = [0, 0, 0, 0, 0];
  for (const [index, { perToken, perDepth }] of seen.entries()) {
    const weight = fading ** (seen.length - 1 - index);
    tt += weight * perToken * perToken;
    td += weight * perToken * perDepth;
    dd += weight * perDepth * perDepth;
    t += weight * perToken;
    d += weight * perDepth;
  }
  // b = shape · a, as if that had been observed at a usual depth.
  const opinion = shapeStrength * (t / seen.length) ** 2 * shapeDepth ** 2;
  tt += opinion * shape * shape;
  td -= opinion * shape;
  dd += opinion;
  const determinant = tt * dd - td * td;
  const b = Math.max(0, (tt * d - td * t) / determinant);
  const a = (t - td * b) / tt;
  return a > 0 ? { a, b } : { a: t / tt, b: 0 };
}
