/**
 * Answer first: once the model says something, what was done before it folds into one line. The fold only grows while the
 * turn runs: each text that begins takes what stands before it along, so nothing opens again by itself.
 */
import { isAnswerMark } from '../../../rules/answer-mark.ts';
import type { ItemOf, NoteKind, PlanStep, Turn } from '../../../protocol/model.ts';
import type { GroupEntry, Row, WorkDone } from './rows.ts';

/** Where it is kept whether the work of a turn was opened by hand. */
export function workKey(turnId: string): string {
  return `work:${turnId}`;
}

/** They speak to the person, and of more than this turn. */
const keptNotes: ReadonlySet<NoteKind> = new Set(['instructions', 'context_size']);

/** A note that no line of work may hide. */
export const isForPerson = ({ note }: Pick<ItemOf<'note'>, 'note'>): boolean =>
  keptNotes.has(note) || isAnswerMark(note);

/** `expanded`: rows opened or closed by hand, by id. A turn that said nothing keeps its work in view. */
export function foldWork(
  rows: Row[],
  { id, endedAt }: Pick<Turn, 'id' | 'endedAt'>,
  expanded: Readonly<Record<string, boolean>>,
): Row[] {
  const until = answerStart(rows);
  const folds = rows.map((row, at) => at < until && isWork(row, endedAt !== null));
  const work = rows.filter((_, at) => folds[at]);
  if (!isWorthALine(work)) return rows;
  const key = workKey(id);
  // Whoever reads an opened row keeps it.
  const open = expanded[key] ?? work.some((row) => isOpened(row, expanded));
  const at = folds.indexOf(true);
  const line: Row = { key, newTurn: false, kind: 'work', turnId: id, done: countWork(work), open };
  const rest = rows.filter((_, index) => open || !folds[index]);
  return [...rest.slice(0, at), line, ...rest.slice(at)];
}

/** The first row of the newest text; 0 = the agent has said nothing. */
function answerStart(rows: readonly Row[]): number {
  let start = rows.findLastIndex(isSaid);
  while (start > 0) {
    const before = rows[start - 1];
    if (!before || !isSaid(before)) break;
    start -= 1;
  }
  return Math.max(0, start);
}

const workKinds: ReadonlySet<Row['kind']> = new Set(['tools', 'calls', 'agent', 'thinking', 'text']);

export const isSaid = (row: Row): boolean => row.kind === 'text' && row.inside === undefined;

const hasPictures = (entry: GroupEntry): boolean =>
  entry.kind === 'tool' && entry.attachments !== undefined && entry.attachments.length > 0;

export function isWork(row: Row, isOver: boolean): boolean {
  if (row.kind === 'approval') return false;
  // A picture is as good as words.
  if (row.kind === 'tools' && row.entries.some(hasPictures)) return false;
  // What a subagent said of itself goes with its card.
  if (row.inside !== undefined || workKinds.has(row.kind)) return true;
  if (row.kind === 'note') return !isForPerson(row.item);
  if (row.kind === 'steps') return isOver || isWorkedOff(row.steps);
  if (row.kind !== 'plan') return false;
  return row.item.proposed !== true && row.item.problem === undefined && (isOver || isWorkedOff(row.now));
}

export const isOverStep = (step: PlanStep | null): boolean =>
  step === null || step.status === 'done' || step.status === 'failed' || step.status === 'skipped';

/** While its steps are worked on a list is what there is to see. The last one may be the answer itself. */
export const isWorkedOff = (steps: readonly (PlanStep | null)[]): boolean =>
  steps.length > 0 && steps.slice(0, -1).every(isOverStep);

/** A single quiet row is as short as the line that would stand for it. */
function isWorthALine(work: readonly Row[]): boolean {
  const [only] = work;
  return work.length > 1 || (only !== undefined && only.kind !== 'thinking' && only.kind !== 'note');
}

function isOpened(row: Row, expanded: Readonly<Record<string, boolean>>): boolean {
  if (row.kind === 'tools') return row.entries.some(({ id }) => expanded[id] === true);
  return 'item' in row && expanded[row.item.id] === true;
}

function countWork(work: readonly Row[]): WorkDone {
  const entries = work.flatMap((row): readonly GroupEntry[] => {
    if (row.kind === 'tools') return row.entries;
    if (row.kind === 'calls') return row.open ? [] : row.entries;
    return row.kind === 'agent' ? [row.item] : [];
  });
  const [looked, folders, changed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const done: WorkDone = { ...nothingDone };
  for (const entry of entries) {
    if (entry.kind === 'thinking') done.thoughts += 1;
    if (entry.kind !== 'tool') continue;
    const { display, state, agent, subject } = entry;
    if (state === 'failed') done.failed += 1;
    else if (state === 'declined') done.declined += 1;
    if (agent) done.agents += 1;
    else if (display?.kind === 'command') done.commands += 1;
    else if (state !== 'done') continue;
    else if (display?.kind === 'file') looked.add(display.path || subject);
    else if (display?.kind === 'diff') changed.add(display.path);
    else if (display?.kind === 'sources') done.sources += display.sources.length;
    else if (entry.tool === 'list_files') folders.add(subject);
    else if (display || entry.tool === 'tool_search') done.searches += 1;
    else if (entry.tool === 'tool_call') done.uses += 1;
    else done.others += 1;
  }
  const plan = work.findLast((row) => row.kind === 'plan' || row.kind === 'steps');
  if (plan) {
    const steps = plan.kind === 'plan' ? plan.now : plan.steps;
    done.steps = steps.length;
    done.stepsDone = steps.filter((step) => step?.status === 'done').length;
  }
  done.thoughts += work.filter(({ kind }) => kind === 'thinking').length;
  return { ...done, looked: looked.size, folders: folders.size, changed: changed.size };
}

const nothingDone: WorkDone = {
  looked: 0,
  folders: 0,
  searches: 0,
  sources: 0,
  changed: 0,
  commands: 0,
  agents: 0,
  uses: 0,
  others: 0,
  failed: 0,
  declined: 0,
  thoughts: 0,
  steps: 0,
  stepsDone: 0,
};
