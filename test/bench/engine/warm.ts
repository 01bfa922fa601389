/**
 * What warm-ups spare the person who waits, and what they cost a message that meets one.
 *
 *   node test/bench/engine/warm.ts [--seed N] [--quick]
 *
 * - `warm_reread`: share of the head (system text and tools) that a session's first message reads again after the head
 *   was warmed; the worst of all template families;
 * - `waited`: tokens evaluated between send and first token ÷ strictly new, over a scripted conversation, of the worst
 *   family whose template drops thinking; `waited_without` is the same in a house that warms nothing;
 * - `send_loss_p95_ms`: what a message loses to another session's warm-up before its request reaches the engine, over
 *   a message that meets none.
 *
 * Tokens are the simulator's own count; milliseconds are real.
 */
import { parseArgs } from 'node:util';
import { reply, type Sim } from '../../../src/sim/index.ts';
import { everyFamily, tokenise, type Family, type FamilyName } from '../../../src/sim/render/index.ts';
import { World, type SessionView } from '../../helpers/host-world.ts';
import { makeConversation } from '../prefix/conversation.ts';
import { measure, type Step } from '../prefix/measure.ts';
import { asWrittenBy } from '../prefix/run.ts';
import { parseChat } from '../prefix/wire.ts';

export interface FamilyWarmth {
  family: FamilyName;
  headTokens: number;
  warmReread: number;
  waited: number;
  waitedWithout: number;
  /** Tokens that warm-ups evaluated while nobody waited. */
  warmed: number;
}

export interface WarmResult {
  families: FamilyWarmth[];
  figures: Record<string, number>;
  passed: boolean;
}

const speed = 1e6;
const window = 131_072;
const turns = { usual: 20, quick: 5 } as const;
const trials = { usual: 40, quick: 12 } as const;
const limits = { warm_reread: 0.03, waited: 1.1 } as const;

/** Their templates forget thinking at a new user message, and with it where the cached prompt went on. */
const dropsThinking: ReadonlySet<FamilyName> = new Set(['qwen3.5', 'gemma4-small', 'template-gpt-oss']);

export async function benchWarmUps(options: { seed: number; quick: boolean }): Promise<WarmResult> {
  const families: FamilyWarmth[] = [];
  for (const family of everyFamily.values()) families.push(await measureFamily(family, options));
  const loss = await sendLoss(options.quick ? trials.quick : trials.usual, options.seed);
  const forgetful = families.filter(({ family }) => dropsThinking.has(family));
  const figures = rounded({
    warm_reread: Math.max(...families.map(({ warmReread }) => warmReread)),
    waited: Math.max(...forgetful.map(({ waited }) => waited)),
    waited_of_all: Math.max(...families.map(({ waited }) => waited)),
    waited_without: Math.max(...forgetful.map(({ waitedWithout }) => waitedWithout)),
    send_loss_p50_ms: loss.p50,
    send_loss_p95_ms: loss.p95,
  });
  const passed = Object.entries(limits).every(([name, limit]) => (figures[name] ?? Infinity) <= limit);
  return { families, figures, passed };
}

async function measureFamily(
  family: Family,
  { seed, quick }: { seed: number; quick: boolean },
): Promise<FamilyWarmth> {
  const made = makeConversation(seed, quick ? turns.quick : turns.usual);
  const conversation = { ...made, turns: asWrittenBy(family.name, made.turns) };
  const shared = { conversation, policies: [], profile: { contextTokens: window }, seed };
  const warm = await measure(family.name, shared);
  const cold = await measure(family.name, { ...shared, warmUps: 'never' });
  return {
    family: family.name,
    ...(await firstMessage(family, seed)),
    waited: waitedFor(warm.steps),
    waitedWithout: waitedFor(cold.steps),
    warmed: warm.warmed,
  };
}

function waitedFor(steps: readonly Step[]): number {
  const waited = steps.filter(({ place }) => place !== 'aside');
  return total(waited, ({ evaluated }) => evaluated) / total(waited, ({ strictlyNew }) => strictlyNew);
}

/** A session that is opened, left alone until its head is read, and spoken to. */
async function firstMessage(
  family: Family,
  seed: number,
): Promise<Pick<FamilyWarmth, 'headTokens' | 'warmReread'>> {
  const world = await World.start({ sim: { models: [modelOf(family)], script: answer, speed, seed } });
  try {
    const session = await world.openSession();
    await isHot(session);
    await session.ask('What is in this folder?');
    const request = chats(world.sim)[0];
    if (!request) throw new Error('Nothing was asked.');
    const headTokens = headOf(family, request.body);
    return { headTokens, warmReread: Math.max(0, headTokens - request.cached) / headTokens };
  } finally {
    await world.close();
  }
}

/** Tokens that the prompt begins with whatever is said, without the opening that belongs to the session. */
function headOf(family: Family, request: unknown): number {
  const body = parseChat(request);
  const system = body.messages.filter(({ role }) => role === 'system');
  const [one = [], other = []] = ['a', 'b'].map((content) => {
    const prompt = family.render({ ...body, messages: [...system, { role: 'user', content }] });
    return prompt.ok ? tokenise(prompt.text) : [];
  });
  const end = one.findIndex((token, at) => token !== other[at]);
  return end;
}

const slowMark = 'This one is read slowly.';
const slowSeconds = 30;

/**
 * The same message in one session, in turn with and without the warm-up of another one that it has to end first.
 * From the call to the request at the simulator, so that only Andiron's own time counts.
 */
async function sendLoss(count: number, seed: number): Promise<{ p50: number; p95: number }> {
  const world = await World.start({
    sim: {
      speed: 1000,
      seed,
      script: ({ endpoint, lastUser }) =>
        endpoint === 'generate' && lastUser.includes(slowMark)
          ? reply().prefill(slowSeconds).text('.')
          : reply().text('Done.'),
    },
  });
  try {
    const other = await world.openSession();
    await isHot(other);
    await other.ask(slowMark);
    await other.rpc.call('session/unsubscribe', { sessionId: other.sessionId });
    const session = await world.openSession();
    await session.ask('Begin.');
    const [met, alone]: [number[], number[]] = [[], []];
    for (let trial = 0; trial < count; trial += 1) {
      await isHot(session);
      await world.rest();
      alone.push(await timeToEngine(world, session));
      await isHot(session);
      await world.rest();
      const warming = world.sim.truth.next(
        'prefill-started',
        ({ request }) => request?.endpoint === '/api/generate',
      );
      const view = await world.openWindow().follow(other.sessionId);
      await warming;
      met.push(await timeToEngine(world, session));
      await view.rpc.call('session/unsubscribe', { sessionId: other.sessionId });
    }
    const usual = quantile(alone, 0.5);
    return { p50: quantile(met, 0.5) - usual, p95: quantile(met, 0.95) - usual };
  } finally {
    await world.close();
  }
}

async function timeToEngine({ sim }: World, session: SessionView): Promise<number> {
  const received = sim.truth
    .next('request-received', ({ request }) => request?.endpoint === '/api/chat')
    .then(() => performance.now());
  const sentAt = performance.now();
  const turnId = await session.send('Go on.');
  const took = (await received) - sentAt;
  await session.closed(turnId);
  return took;
}

async function isHot(session: SessionView): Promise<void> {
  await session.until(({ turns: all, warmth }) => (all.at(-1)?.closed ?? true) && warmth?.state === 'hot');
}

const answer = () => reply().text('Done.');
const modelOf = ({ name }: Family) => ({ name: `${name}:bench`, family: name });

function chats({ truth }: Sim) {
  return truth.requests.filter(({ endpoint, promptTokens }) => endpoint === '/api/chat' && promptTokens > 0);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

function total<T>(all: readonly T[], of: (each: T) => number): number {
  return all.reduce((sum, each) => sum + of(each), 0);
}

function rounded(figures: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(4))]));
}

const line = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(26) : cell.padStart(14))).join('');

export function warmTable(families: readonly FamilyWarmth[]): string {
  const rows = families.map(({ family, headTokens, warmReread, waited, waitedWithout, warmed }) =>
    line([
      family,
      String(headTokens),
      warmReread.toFixed(4),
      waited.toFixed(3),
      waitedWithout.toFixed(3),
      String(warmed),
    ]),
  );
  return [line(['family', 'head tokens', 'warm_reread', 'waited', 'without', 'warmed']), ...rows].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { seed: { type: 'string', default: '1' }, quick: { type: 'boolean', default: false } },
  });
  const seed = Number(values.seed);
  const { families, figures, passed } = await benchWarmUps({ seed, quick: values.quick });
  console.log(warmTable(families));
  console.log(JSON.stringify({ bench: 'warm', seed, figures }));
  process.exitCode = passed ? 0 : 1;
}
