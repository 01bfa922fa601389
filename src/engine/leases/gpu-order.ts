/**
 * In which order those who wait have the GPU: by rank; within a rank people take turns, whoever had it longest ago first,
 * and what one person wants comes in its order. From that line somebody may be taken out of turn, where fewer prompts are
 * then begun anew, but nobody is passed over more than twice.
 */
import { ownerId } from '../../protocol/principal.ts';
import type { WaitingLease } from '../../protocol/model.ts';

export interface Ticket {
  who: WaitingLease;
  /** How many of its own rank came later, or were due later, and had it before. */
  passedOver: number;
}

export interface Past {
  /** When each person last had the GPU, as a count of turns. */
  lastTurn: Map<string, number>;
  /** Whose prompt was read last. */
  held: WaitingLease | undefined;
}

const warmRank = 4;
const maxPassedOver = 2;
/** So many are looked at together: who stands further back comes when it is nearer. */
const lookAhead = 12;
/** A model takes longer to load than a beginning to read, however long that is. */
const costs = { head: 1, model: 100 };

const rankOf = ({ who }: Ticket): number => (who.purpose === 'warm' ? warmRank : (who.wantedFor?.rank ?? 0));
const personOf = (ticket: Ticket | undefined): string => ticket?.who.wantedFor?.userId ?? ownerId;

/** The first twelve as they will come in, when nobody else comes, and the others as they are due now. */
export function inOrder<T extends Ticket>(waiting: readonly T[], now: Past): T[] {
  const copies = new Map(waiting.map((ticket) => [{ ...ticket }, ticket]));
  const left = [...copies.keys()];
  const lastTurn = new Map(now.lastTurn);
  const past = { ...now, lastTurn };
  const line: T[] = [];
  while (line.length < lookAhead) {
    const next = nextOf(left, past);
    if (!next) break;
    comesIn(next, left, past);
    line.push(copies.get(next) ?? next);
  }
  return [
    ...line,
    ...ranksOf(left)
      .flatMap((rank) => dueIn(left, rank, past))
      .flatMap((copy) => copies.get(copy) ?? []),
  ];
}

const ranksOf = (waiting: readonly Ticket[]): number[] =>
  [...new Set(waiting.map(rankOf))].toSorted((a, b) => a - b);

/** @param waiting in the order in which they came */
export function nextOf<T extends Ticket>(waiting: readonly T[], past: Past): T | undefined {
  const rank = Math.min(...waiting.map(rankOf));
  return cheapestFirst(dueIn(waiting, rank, past).slice(0, lookAhead), past.held);
}

/** Takes it out of those who wait, and keeps in mind whom that passes over. */
export function comesIn<T extends Ticket>(next: T, waiting: T[], past: Past): void {
  for (const ticket of passedBy(next, waiting, past)) ticket.passedOver += 1;
  waiting.splice(waiting.indexOf(next), 1);
  past.lastTurn.set(personOf(next), Math.max(0, ...past.lastTurn.values()) + 1);
  past.held = next.who;
}

/** Those of its rank that came before it, or were due before it: they wait longer because of it. */
function passedBy<T extends Ticket>(next: T, waiting: readonly T[], past: Past): T[] {
  const equals = waiting.filter((ticket) => rankOf(ticket) === rankOf(next));
  const due = dueIn(waiting, rankOf(next), past);
  const before = new Set([...equals.slice(0, equals.indexOf(next)), ...due.slice(0, due.indexOf(next))]);
  return equals.filter((ticket) => before.has(ticket));
}

/** Of that rank: whoever was passed over enough, as they came; then person by person. */
function dueIn<T extends Ticket>(waiting: readonly T[], rank: number, { lastTurn }: Past): T[] {
  const left = waiting.filter((ticket) => rankOf(ticket) === rank);
  const last = new Map(lastTurn);
  const passedOver = new Map(left.map((ticket) => [ticket, ticket.passedOver]));
  let turns = Math.max(0, ...last.values());
  const key = (ticket: T): number =>
    (passedOver.get(ticket) ?? 0) >= maxPassedOver ? -1 : (last.get(personOf(ticket)) ?? 0);
  const line: T[] = [];
  while (left.length > 0) {
    const next = left.reduce((first, each) => (key(each) < key(first) ? each : first));
    for (const passed of left.slice(0, left.indexOf(next)))
      passedOver.set(passed, (passedOver.get(passed) ?? 0) + 1);
    left.splice(left.indexOf(next), 1);
    last.set(personOf(next), (turns += 1));
    line.push(next);
  }
  return line;
}

/** Who begins the cheapest of all permitted orders; of equally cheap ones, that of whoever is due first. */
function cheapestFirst<T extends Ticket>(due: readonly T[], held: WaitingLease | undefined): T | undefined {
  const known = new Map<number, { cost: number; first: number }>();
  /** @param gone a bit for each place, set where it has come in. @param last place of the last one; -1 = none of these */
  const plan = (gone: number, last: number): { cost: number; first: number } => {
    const key = gone * (lookAhead + 1) + last + 1;
    const before = known.get(key);
    if (before) return before;
    const best = { cost: Infinity, first: -1 };
    for (const place of mayBeNext(due, gone)) {
      const cost = costOf(due[place]?.who, due[last]?.who ?? held) + plan(gone | (1 << place), place).cost;
      if (cost < best.cost) Object.assign(best, { cost, first: place });
    }
    if (best.first < 0) best.cost = 0;
    known.set(key, best);
    return best;
  };
  return due[plan(0, -1).first];
}

/** Places that are left, of each person the first, up to the first that was passed over enough. */
function mayBeNext(due: readonly Ticket[], gone: number): number[] {
  const places: number[] = [];
  const persons = new Set<string>();
  for (const [place, ticket] of due.entries()) {
    if ((gone >> place) & 1) continue;
    const person = personOf(ticket);
    if (!persons.has(person)) places.push(place);
    persons.add(person);
    if (ticket.passedOver + bitsIn(gone >> (place + 1)) >= maxPassedOver) break;
  }
  return places;
}

function bitsIn(bits: number): number {
  let count = 0;
  for (let left = bits; left > 0; left &= left - 1) count += 1;
  return count;
}

function costOf(who: WaitingLease | undefined, last: WaitingLease | undefined): number {
  if (who?.model !== last?.model) return costs.model;
  return who?.head !== undefined && who.head === last?.head ? 0 : costs.head;
}
