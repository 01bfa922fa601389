/** Who had the GPU when: waits, beginnings that were read anew, and what the owner waits for. */
import { reply, type TruthRequest } from '../../../src/sim/index.ts';
import type { SessionView } from '../../helpers/host-world.ts';
import { quantile, round, type Part } from '../engine/figures.ts';
import { Chance } from '../prefix/chance.ts';
import { fewestBeginnings } from './best-order.ts';
import { Town, type Neighbour } from './town.ts';

const people = 11;
/** The owner asks again when so many more answers have begun. */
const ownerEvery = 3;
/** Times the simulated GPU: about what a large card of today does with a model of nine billion weights. */
const speed = 6;
/** Alone and among others by turns: what slows the machine meanwhile slows both. */
const rounds = 5;
const answer = 'It has been noted, and whoever needs to know of it will hear about it in good time.';

interface Wish {
  who: string;
  mark: string;
  /** How many requests the model had read when it was sent. */
  readBefore: number;
  sentAt: number;
}

/** @param turns of all together */
export async function benchLine(seed: number, turns: number): Promise<Part> {
  const chance = new Chance(seed);
  const town = await Town.open(people, { speed, answer: () => reply().text(answer) });
  try {
    const bursts = Math.max(2, Math.round(turns / 2 / people));
    const { read, best } = await benchBursts(town, bursts, chance);
    const { alone, open, ratios } = await benchWaits(town, turns - bursts * people, chance);
    const [aloneMs, openMs] = [alone, open.ownerWaits].map((waits) => waits.map(({ ms }) => ms));
    if (!aloneMs || !openMs) throw new Error('Nobody waited.');
    const all = [...alone, ...open.ownerWaits];
    const p95 = (part: (wait: OwnerWait) => number, waits = open.ownerWaits): number =>
      round(quantile(waits.map(part), 0.95), 1);
    return {
      title: 'line',
      figures: {
        turns: town.chats.length,
        fairness: round(Math.max(...open.shares), 2),
        owner_alone_p95_ms: round(quantile(aloneMs, 0.95), 1),
        owner_alone_p50_ms: round(quantile(aloneMs, 0.5), 1),
        owner_wait_p50_ms: round(quantile(openMs, 0.5), 1),
        owner_wait_p95_ms: round(quantile(openMs, 0.95), 1),
        owner_host_p95_ms: p95(({ hostMs }) => hostMs),
        owner_alone_host_p95_ms: p95(({ hostMs }) => hostMs, alone),
        owner_engine_p95_ms: p95(({ ms, hostMs }) => ms - hostMs),
        owner_alone_engine_p95_ms: p95(({ ms, hostMs }) => ms - hostMs, alone),
        owner_read_most: Math.max(...all.map(({ read }) => read)),
        owner_beside: all.reduce((sum, { beside }) => sum + beside, 0),
        owner_wait_ratio: round(quantile(ratios, 0.5), 2),
        owner_passed: open.ownerPassed,
        heads_read: read,
        heads_read_best: best,
        heads_reread: round(read / best, 3),
      },
      gates: [
        { figure: 'fairness', at: 'most', limit: 2 },
        { figure: 'owner_passed', at: 'exactly', limit: 0 },
        { figure: 'owner_wait_ratio', at: 'most', limit: 1.2 },
        { figure: 'owner_beside', at: 'exactly', limit: 0 },
        { figure: 'heads_reread', at: 'most', limit: 1.05 },
      ],
      rows: [
        ['who waits', 'of them', 'longest wait ÷ fair share', 'median'],
        [
          'people',
          String(open.shares.length),
          String(round(Math.max(...open.shares), 2)),
          String(round(quantile(open.shares, 0.5), 2)),
        ],
      ],
    };
  } finally {
    await town.close();
  }
}

async function benchWaits(town: Town, turns: number, chance: Chance) {
  const alone: OwnerWait[] = [];
  const ratios: number[] = [];
  const open: OpenPart = { shares: [], ownerWaits: [], ownerPassed: 0 };
  // The same session in both, so that the same prompt waits in the cache.
  const owner = await town.world.openSession();
  await owner.ask(chance.sentence(6));
  for (let round = 0; round < rounds; round += 1) {
    const part = await benchOpen(town, owner, Math.ceil(turns / rounds), chance);
    open.shares.push(...part.shares);
    open.ownerWaits.push(...part.ownerWaits);
    open.ownerPassed += part.ownerPassed;
    const beside = await ownerAlone(town, owner, part.ownerWaits.length, chance);
    alone.push(...beside);
    ratios.push(p95Of(part.ownerWaits) / p95Of(beside));
  }
  return { alone, open, ratios };
}

const p95Of = (waits: readonly OwnerWait[]): number =>
  quantile(
    waits.map(({ ms }) => ms),
    0.95,
  );

/** What the owner waited for, from the moment that the GPU was free for them. */
interface OwnerWait {
  /** Until the model wrote. */
  ms: number;
  /** Until the engine had the request. */
  hostMs: number;
  /** Tokens that it read for it. */
  read: number;
  /** Requests of anybody else that the engine worked on meanwhile, such as for a title. */
  beside: number;
}

function waitOf(town: Town, request: TruthRequest | undefined, free: number): OwnerWait {
  const writes = writesFrom(request);
  const beside = town.chats.filter(({ receivedAt, runnerIdleAt, doneAt }) => {
    const endsAt = runnerIdleAt ?? doneAt ?? Infinity;
    return receivedAt < writes && endsAt > free;
  });
  return {
    ms: writes - free,
    hostMs: (request?.receivedAt ?? Number.NaN) - free,
    read: request?.evaluated ?? 0,
    beside: beside.filter((each) => each !== request).length,
  };
}

interface OpenPart {
  /** Of each turn of the others, its wait in turns ÷ the people who wanted the GPU meanwhile. */
  shares: number[];
  ownerWaits: OwnerWait[];
  ownerPassed: number;
}

/** All write at once, as after a question to a whole group. */
async function benchBursts(
  town: Town,
  bursts: number,
  chance: Chance,
): Promise<{ read: number; best: number }> {
  let read = 0;
  let best = 0;
  for (let burst = 0; burst < bursts; burst += 1) {
    await town.world.rest();
    const before = town.chats.length;
    const line = shuffled(town.neighbours, chance);
    const answers: Promise<unknown>[] = [];
    for (const [place, who] of line.entries()) {
      const text = `Burst ${String(burst)}: ${chance.sentence(9)}`;
      answers.push(town.send(who, text));
      // One behind the other, so that it is known who came first.
      await town.world.engineUntil(({ lease, waiting }) => lease !== null && waiting >= place);
    }
    await Promise.all(answers);
    const came = town.chats.slice(before).map((request) => serverOf(town, request.body));
    const [first = '', ...others] = came;
    read += others.filter((head, at) => head !== came[at]).length;
    best += fewestBeginnings(
      line.slice(1).map(({ server }) => server),
      first,
    );
  }
  return { read, best };
}

/**
 * How long from the click until the model writes, while nobody else wants the GPU. Somebody had it before, as in the open
 * part: what the model must read anew because of that is the same here and there.
 */
async function ownerAlone(
  town: Town,
  owner: SessionView,
  turns: number,
  chance: Chance,
): Promise<OwnerWait[]> {
  const waits: OwnerWait[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await town.send(chance.pick(town.neighbours), `Before ${String(turn)}: ${chance.sentence(6)}`);
    await town.world.rest();
    const wish = ask(town, 'owner', `Alone ${String(turn)}: ${chance.sentence(6)}`);
    await owner.ask(wish.mark);
    const request = town.chats.findLast(({ body }) => lastOf(body).includes(wish.mark));
    waits.push(waitOf(town, request, wish.sentAt));
  }
  return waits;
}

/** Each writes again when the model has begun some more answers; the owner every now and then. */
async function benchOpen(town: Town, owner: SessionView, turns: number, chance: Chance): Promise<OpenPart> {
  const shares: number[] = [];
  const ownerWaits: OwnerWait[] = [];
  const wishes: Wish[] = [];
  /** When each turn left the GPU. */
  const leaseEnds: number[] = [];
  let held: string | undefined;
  const stopWatching = town.world.engine.onChange(({ lease }) => {
    if (held !== undefined && lease?.id !== held) leaseEnds.push(now());
    held = lease?.id;
  });
  const done: Promise<void>[] = [];
  let left = turns;
  let began = Promise.withResolvers<void>();
  const wake = (): void => {
    began.resolve();
    began = Promise.withResolvers<void>();
  };
  // People write while the model does, and hardly ever in the moment between two turns.
  const stopListening = town.world.sim.truth.listen(({ kind }) => {
    if (kind === 'first-token') wake();
  });
  const pause = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) if (left > 0) await began.promise;
  };
  const one = async (
    who: string,
    send: (text: string) => Promise<unknown>,
    rest: () => number,
    first = 0,
  ): Promise<void> => {
    await pause(first);
    for (let turn = 0; left > 0; turn += 1) {
      left -= 1;
      const wish = ask(town, who, `Open ${who} ${String(turn)}: ${chance.sentence(6)}`);
      wishes.push(wish);
      await send(wish.mark);
      await pause(rest());
    }
    // Those who wait for others to begin would wait for ever.
    wake();
  };
  for (const [place, who] of town.neighbours.entries())
    done.push(
      one(
        who.name,
        (text) => town.send(who, text),
        () => chance.below(8),
        place % 8,
      ),
    );
  done.push(
    one(
      'owner',
      (text) => owner.ask(text),
      () => ownerEvery,
    ),
  );
  await Promise.all(done);
  stopWatching();
  stopListening();
  const order = town.chats;
  const asked = order.map(({ body }) => lastOf(body));
  const wished = asked.map((text) => wishes.find(({ mark }) => text.includes(mark)));
  const at = new Map(wishes.map((wish) => [wish, wished.indexOf(wish)]));
  const placeOf = (wish: Wish): number => at.get(wish) ?? -1;
  let ownerPassed = 0;
  for (const wish of wishes) {
    const place = placeOf(wish);
    const between = wished.slice(wish.readBefore, place);
    if (wish.who === 'owner') {
      // The turn that ran as it came may have begun since: one is before it at most.
      ownerPassed += Math.max(0, between.length - 1);
      const request = order[place];
      const receivedAt = request?.receivedAt ?? Number.NaN;
      const free = Math.max(wish.sentAt, ...leaseEnds.filter((end) => end < receivedAt));
      ownerWaits.push(waitOf(town, request, free));
      continue;
    }
    const others = between.filter((each) => each !== undefined && each.who !== 'owner');
    const rivals = new Set(
      wishes
        .filter(
          (each) => each.who !== 'owner' && each.readBefore <= place && placeOf(each) >= wish.readBefore,
        )
        .map(({ who }) => who),
    );
    shares.push(others.length / Math.max(1, rivals.size));
  }
  return { shares, ownerWaits, ownerPassed };
}

const now = (): number => performance.timeOrigin + performance.now();

function ask(town: Town, who: string, mark: string): Wish {
  return { who, mark, readBefore: town.chats.length, sentAt: now() };
}

function writesFrom(request: TruthRequest | undefined): number {
  return request?.phases.find(({ phase }) => phase === 'decode')?.at ?? Number.NaN;
}

function serverOf(town: Town, body: unknown): string {
  const text = JSON.stringify(body);
  return town.neighbours.find(({ server }) => text.includes(`You answer in the ${server}.`))?.server ?? '';
}

/** What was written last in that conversation: earlier messages stand in later requests too. */
function lastOf(body: unknown): string {
  const { messages } = body as { messages: { role: string; content: string }[] };
  return messages.findLast(({ role }) => role === 'user')?.content ?? '';
}

function shuffled(all: readonly Neighbour[], chance: Chance): Neighbour[] {
  const left = [...all];
  return all.flatMap(() => left.splice(chance.below(left.length), 1));
}
