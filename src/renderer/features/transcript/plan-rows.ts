/**
 * The running turn: work stands under the step that it is for. The step in work is open, what was done before is behind the
 * line of its own step. Nothing that asks, failed to go on, or still runs is ever behind a line.
 */
import type { Item, ToolItem, Turn } from '../../../protocol/model.ts';
import type { SessionState } from '../../../protocol/reducer.ts';
import { withCurrent } from '../../components/plan-step.tsx';
import { isOverStep, isSaid, isWork, isWorkedOff } from './fold-work.ts';
import type { Row, RowOf } from './rows.ts';
import { isBookkeeping, stepsOfItems, type Steps } from './step-of-call.ts';

type Expanded = Readonly<Record<string, boolean>>;
type ListRow = RowOf<'plan'> | RowOf<'steps'>;

/** Where it is kept whether the work of a step was opened by hand. */
export function stepKey(turnId: string, place: number): string {
  return `step:${turnId}:${String(place)}`;
}

/** Closed while a question is open: that is what there is to read then. */
export function isPlanOpen({ item, now, stage }: Pick<RowOf<'plan'>, 'item' | 'now' | 'stage'>): boolean {
  return item.problem !== undefined || (stage === 'works' && !(now.length > 0 && now.every(isOverStep)));
}

/** The step of each item of a running turn. @param keepsSteps the list has no plan that shows it */
export function placesInPlan(
  items: readonly Item[],
  todo: SessionState['todo'],
  keepsSteps: boolean,
): Map<string, number> {
  const own = items.filter((item) => item.parentCallId === undefined && item.kind !== 'user');
  const isList = keepsSteps ? isSetting : isPlan;
  const at = own.findLastIndex(isList);
  const plan = own[at];
  if (!keepsSteps && !plan) return new Map();
  const all = todo?.steps ?? [];
  const steps: Steps =
    plan?.kind === 'plan'
      ? plan.steps.map(({ id }) => all.find((step) => step.id === id) ?? null)
      : all.filter(({ parentId }) => parentId === null);
  if (steps.length === 0) return new Map();
  return stepsOfItems(own.slice(at + 1), steps, currentOf(steps));
}

/** By a plan of the items that are here. */
export function hasPlanOf({ todo, items }: Pick<SessionState, 'todo' | 'items'>): boolean {
  const ids = new Set(todo?.steps.map(({ id }) => id));
  return items.some((item) => item.kind === 'plan' && item.steps.some(({ id }) => ids.has(id)));
}

const isPlan = (item: Item): boolean => item.kind === 'plan' && item.proposed !== true;

const isSetting = (item: Item): boolean =>
  item.kind === 'tool' && item.state === 'done' && isBookkeeping(item) && item.subject === 'set';

const currentOf = (steps: Steps): number =>
  withCurrent(steps, 'works').findIndex((step) => step?.status === 'in_progress');

/** null = there is no list to work off, or its last step is the answer, which the work stands above. */
export function nestInPlan(
  rows: readonly Row[],
  { id, endedAt }: Pick<Turn, 'id' | 'endedAt'>,
  expanded: Expanded,
): Row[] | null {
  const list = rows.findLast((row) => row.kind === 'plan' || row.kind === 'steps');
  const begin = rows.findIndex(({ step }) => step !== undefined);
  if (endedAt !== null || !list || begin === -1 || isAnswered(rows, list)) return null;
  const others = rows.filter((row) => row !== list);
  // A list that came in the middle stands where its work begins.
  const at = others.findIndex(({ step }) => step !== undefined);
  const end = Math.max(at, endOfWork(others));
  return [
    ...others.slice(0, at),
    ...listRows(list, others.slice(at, end), id, expanded),
    ...others.slice(end),
  ];
}

const stepsOf = (list: ListRow): Steps => (list.kind === 'plan' ? list.now : list.steps);

/** There is nothing more to do than to speak, and the agent speaks. */
function isAnswered(rows: readonly Row[], list: ListRow): boolean {
  return isWorkedOff(stepsOf(list)) && rows.slice(rows.indexOf(list)).some(isSaid);
}

/** What is said last, and what ends a turn or asks, stands below the list. */
function endOfWork(rows: readonly Row[]): number {
  return rows.findLastIndex((row) => !isSaid(row) && isQuiet(row)) + 1;
}

/** It may be behind the line of its step. */
function isQuiet(row: Row): boolean {
  return isWork(row, false) && row.kind !== 'plan' && row.kind !== 'steps';
}

function isUnfinished(row: Row): boolean {
  if (row.kind === 'agent') return row.item.completedAt === null;
  return (
    (row.kind === 'tools' || row.kind === 'calls') && row.entries.some((entry) => entry.completedAt === null)
  );
}

const mayFold = (row: Row): boolean => isQuiet(row) && !isUnfinished(row);

function listRows(list: ListRow, work: readonly Row[], turnId: string, expanded: Expanded): Row[] {
  const isOpen = list.kind === 'steps' || (expanded[list.item.id] ?? isPlanOpen(list));
  const steps = withCurrent(stepsOf(list), 'works');
  const byStep = Map.groupBy(work, ({ step }) => step);
  const workOf = (place: number): readonly Row[] => byStep.get(place) ?? [];
  const opened = steps.map((step, at) => expanded[stepKey(turnId, at)] ?? step?.status === 'in_progress');
  const part = {
    turnId,
    calls: steps.map((_, at) => callsOf(workOf(at)).length),
    failed: steps.map((_, at) => callsOf(workOf(at)).filter(({ state }) => state === 'failed').length),
    folds: steps.map((_, at) => workOf(at).some(mayFold)),
    opened,
  };
  const segment = (from: number, to: number): Row => {
    const key = from === 0 ? list.key : `${list.key}:${String(from)}`;
    return { ...list, ...part, key, from, to, inPlan: 'list' };
  };
  const shown = steps.map((_, at) =>
    workOf(at).filter((row) => !mayFold(row) || (isOpen && opened[at] === true)),
  );
  // What no step is known of comes after the last that one is known of.
  const rest = (byStep.get(undefined) ?? []).map(asWork);
  if (!isOpen) return [segment(0, steps.length), ...shown.flat().map(asWork), ...rest];
  const rows: Row[] = [];
  let from = 0;
  for (const [at, own] of shown.entries()) {
    if (own.length === 0) continue;
    rows.push(segment(from, at + 1), ...own.map(asWork));
    from = at + 1;
  }
  if (from < steps.length) rows.push(segment(from, steps.length));
  return [...rows, ...rest];
}

/** What asks, or tells a person more than what was done, has a frame of its own. */
const asWork = (row: Row): Row => (isQuiet(row) ? { ...row, inPlan: 'work' } : row);

/** Of the agent itself. */
function callsOf(work: readonly Row[]): ToolItem[] {
  return work.flatMap((row): ToolItem[] => {
    if (row.inside !== undefined) return [];
    if (row.kind === 'agent') return [row.item];
    // An opened stretch of calls stands below its line.
    if (row.kind === 'calls' && row.open) return [];
    return row.kind === 'tools' || row.kind === 'calls'
      ? row.entries.filter((entry) => entry.kind === 'tool')
      : [];
  });
}
