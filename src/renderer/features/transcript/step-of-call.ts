/**
 * Which step of its list the work of a turn belongs to. Nothing says so of a call, but three things say when a step ended or
 * began: the model's own marks, what the host saw, and what the list says now. Pure.
 */
import type { Item, PlanStep } from '../../../protocol/model.ts';

/** As the list says it now, in the order of the plan; null = no longer in it. */
export type Steps = readonly (PlanStep | null)[];

/** A step that began, or ended, between two items. */
interface Event {
  /** It comes after the items before this place. */
  at: number;
  step: number;
  begins: boolean;
}

/** The subject of a call that marks a step: its steps count from 1. */
const mark = /^(start|done|fail|skip) (\d+)$/;

/** The model's calls that keep its list of steps: the plan shows what came of them, so only one that failed has a row. */
export function isBookkeeping(item: Item): boolean {
  return (
    item.kind === 'tool' &&
    item.tool === 'todo' &&
    (item.state === 'streaming' || item.state === 'running' || item.state === 'done')
  );
}

/**
 * The place of the step that each item belongs to, by item.
 *
 * @param items of the agent itself, since the steps were listed
 * @param current the step in work; -1 = none, then work that no event follows belongs to none
 */
export function stepsOfItems(items: readonly Item[], steps: Steps, current: number): Map<string, number> {
  const events = eventsOf(items, steps);
  const places = new Map<string, number>();
  let next = 0;
  let begun = -1;
  for (const [at, item] of items.entries()) {
    for (let event = events[next]; event && event.at <= at; event = events[next]) {
      begun = event.begins ? event.step : -1;
      next += 1;
    }
    if (isBookkeeping(item)) continue;
    const following = events[next];
    const goesOn = steps[begun]?.status === 'in_progress' ? begun : current;
    // What a step ended with was work on it; what no event follows is work on the one that the person sees marked.
    const step = following ? (begun === -1 ? following.step : begun) : goesOn;
    if (step !== -1) places.set(item.id, step);
  }
  return places;
}

function eventsOf(items: readonly Item[], steps: Steps): Event[] {
  const events: Event[] = [];
  const isPlace = (step: number): boolean => step >= 0 && step < steps.length;
  for (const [at, item] of items.entries()) {
    const said =
      item.kind === 'tool' && item.state === 'done' && isBookkeeping(item) && mark.exec(item.subject);
    const step = said ? Number(said[2]) - 1 : -1;
    if (said && isPlace(step)) events.push({ at: at + 1, step, begins: said[1] === 'start' });
  }
  for (const [step, shown] of steps.entries()) {
    const seen = shown?.evidence?.at;
    if (seen === undefined) continue;
    // Calls run one after another: what was seen after one of them came before the next one ended.
    const last = items.findLastIndex(({ completedAt }) => completedAt !== null && completedAt <= seen);
    if (last !== -1) events.push({ at: last + 1, step, begins: false });
  }
  return withoutRepeats(events.toSorted((a, b) => a.at - b.at));
}

/** A step that is proved after it was ticked ended only once: what lies between was not for it. */
function withoutRepeats(events: readonly Event[]): Event[] {
  const ended = new Set<number>();
  return events.filter(({ step, begins }) => {
    const isRepeat = !begins && ended.has(step);
    if (begins) ended.delete(step);
    else ended.add(step);
    return !isRepeat;
  });
}
