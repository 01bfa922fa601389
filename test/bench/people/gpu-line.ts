/** Who had the GPU when: waits, beginnings that were read anew, and what the owner waits for. */
import { quantile, ratioOfP95, round, type Part } from '../engine/figures.ts';
import { Chance } from '../prefix/chance.ts';
import { fewestBeginnings } from './best-order.ts';
import { Town, type Neighbour } from './town.ts';

const people = 11;
const ownerEvery = 10;
/** Nothing that is shorter is told apart on a busy machine. */
const floorMs = 5;

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
  const town = await Town.open(people);
  try {
    const bursts = Math.max(2, Math.round(turns / 2 / people));
    const { read, best } = await benchBursts(town, bursts, chance);
    const alone = await ownerAlone(town, Math.max(20, Math.round(turns / ownerEvery)));
    const open = await benchOpen(town, turns - bursts * people, chance);
    return {
      title: 'line',
      figures: {
        turns: town.chats.length,
        fairness: round(Math.max(...open.shares), 2),
        owner_alone_p95_ms: round(quantile(alone, 0.95), 1),
        owner_alone_p50_ms: round(quantile(alone, 0.5), 1),
        owner_wait_p50_ms: round(quantile(open.ownerWaits, 0.5), 1),
        owner_wait_p95_ms: round(quantile(open.ownerWaits, 0.95), 1),
        owner_wait_ratio: round(ratioOfP95(open.ownerWaits, alone, floorMs), 2),
        owner_passed: open.ownerPassed,
        heads_read: read,
        heads_read_best: best,
        heads_reread: round(read / best, 3),
      },
      gates: [
        { figure: 'fairness', at: 'most', limit: 2 },
        { figure: 'owner_passed', at: 'exactly', limit: 0 },
        { figure: 'owner_wait_ratio', at: 'most', limit: 1.2 },
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

/** How long from the click until the model has the owner's request, while nobody else is there. */
async function ownerAlone(town: Town, turns: number): Promise<number[]> {
  const waits: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await town.world.rest();
    const wish = ask(town, 'owner', `Alone ${String(turn)}.`);
    await town.owner.ask(wish.mark);
    waits.push(receivedAt(town, wish) - wish.sentAt);
  }
  return waits;
}

/** Each writes again some turns after the answer has come; the owner every now and then. */
async function benchOpen(town: Town, turns: number, chance: Chance) {
  const shares: number[] = [];
  const ownerWaits: number[] = [];
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
  let ended = Promise.withResolvers<void>();
  const pause = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) if (left > 0) await ended.promise;
  };
  const finished = (): void => {
    ended.resolve();
    ended = Promise.withResolvers<void>();
  };
  const one = async (
    who: string,
    send: (text: string) => Promise<unknown>,
    rest: () => number,
  ): Promise<void> => {
    for (let turn = 0; left > 0; turn += 1) {
      left -= 1;
      const wish = ask(town, who, `Open ${who} ${String(turn)}: ${chance.sentence(6)}`);
      wishes.push(wish);
      await send(wish.mark);
      finished();
      await pause(rest());
    }
    // Those who wait for others to end would wait for ever.
    finished();
  };
  for (const who of town.neighbours)
    done.push(
      one(
        who.name,
        (text) => town.send(who, text),
        () => chance.below(8),
      ),
    );
  done.push(
    one(
      'owner',
      (text) => town.owner.ask(text),
      () => ownerEvery,
    ),
  );
  await Promise.all(done);
  stopWatching();
  const order = town.chats;
  const at = (wish: Wish): number => order.findIndex(({ body }) => JSON.stringify(body).includes(wish.mark));
  let ownerPassed = 0;
  for (const wish of wishes) {
    const place = at(wish);
    const between = order
      .slice(wish.readBefore, place)
      .map(({ body }) => wishes.find(({ mark }) => lastOf(body).includes(mark)));
    if (wish.who === 'owner') {
      // The turn that ran as it came may have begun since: one is before it at most.
      ownerPassed += Math.max(0, between.length - 1);
      const asked = order[place]?.receivedAt ?? Number.NaN;
      const free = Math.max(wish.sentAt, ...leaseEnds.filter((ended) => ended < asked));
      ownerWaits.push(asked - free);
      continue;
    }
    const others = between.filter((each) => each !== undefined && each.who !== 'owner');
    const rivals = new Set(
      wishes
        .filter((each) => each.who !== 'owner' && each.readBefore <= place && at(each) >= wish.readBefore)
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

function receivedAt(town: Town, { mark }: Wish): number {
  const found = town.chats.find(({ body }) => JSON.stringify(body).includes(mark));
  return found?.receivedAt ?? Number.NaN;
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
