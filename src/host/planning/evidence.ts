/**
 * A step is ticked from what was seen, not from what the model says. A command check is read off a call of
 * that very command; for files and texts this says where the host should look, and the host looks.
 */
import type { PlanStep, StepCheck, Todo } from '../../protocol/plan.ts';
import { shorten } from './reply-text.ts';

/** A call that was executed, whatever came of it. */
export interface RanCall {
  tool: string;
  args: unknown;
  /** It may have changed files. */
  mutates: boolean;
  /** The command line as it ran; null = it was no command. */
  command: string | null;
  /** null = no command, or ended by a signal. */
  exitCode: number | null;
}

export interface CheckResult {
  stepId: string;
  passed: boolean;
  /** What was seen: `exists, 312 bytes`, `exit 0`. */
  text: string;
}

export type LookCheck = Exclude<StepCheck, { kind: 'command' }>;

export interface Look {
  stepId: string;
  check: LookCheck;
}

export interface DueChecks {
  /** Known from the call itself. */
  results: CheckResult[];
  /** For the host to look at, inside the workspace. */
  looks: Look[];
}

export const fileSeen = (bytes: number): string =>
  `exists, ${String(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
export const textSeen = (line: number): string => `found in line ${String(line)}`;

/** What a new plan's steps would be proved by; see `withoutEmptyChecks`. */
export function looksOf(steps: readonly PlanStep[]): Look[] {
  return steps.flatMap(({ id, check }) => (check && check.kind !== 'command' ? [{ stepId: id, check }] : []));
}

/** A check that holds before any work was done proves nothing of the work, so it is dropped. */
export function withoutEmptyChecks(steps: readonly PlanStep[], before: readonly CheckResult[]): PlanStep[] {
  const holds = new Set(before.filter(({ passed }) => passed).map(({ stepId }) => stepId));
  return steps.map((step) => (holds.has(step.id) ? { ...step, check: null } : step));
}

/** After each call, in order. Open steps are looked at when files may have changed, steps called done until they are proved. */
export function checksAfter(todo: Todo, call: RanCall): DueChecks {
  return {
    results: commandResults(todo, call),
    looks: looksOf(todo.steps.filter((step) => isUnproved(step) && (call.mutates || step.status === 'done'))),
  };
}

/**
 * Success proves the first open step with that command, and all that were called done: the same tests may be run again
 * for a later step. Failure takes back what the same command proved.
 */
function commandResults(todo: Todo, { command, exitCode }: RanCall): CheckResult[] {
  if (command === null) return [];
  const ran = normalise(command);
  const checked = todo.steps.filter(
    ({ check }) => check?.kind === 'command' && normalise(check.command) === ran,
  );
  const passed = exitCode === 0;
  const text = exitCode === null ? 'did not end by itself' : `exit ${String(exitCode)}`;
  const open = checked.filter(isOpen);
  const done = checked.filter(({ status, evidence }) => status === 'done' && (evidence === null || !passed));
  return [...done, ...(passed ? open.slice(0, 1) : open)].map(({ id }) => ({ stepId: id, passed, text }));
}

/** What was seen enters the list; a step that the model gave up stays given up. Equal when nothing new was seen. */
export function applyEvidence(todo: Todo, results: readonly CheckResult[], now: number): Todo {
  const seen = new Map(results.map((result) => [result.stepId, result]));
  return {
    steps: todo.steps.map((step) => {
      const result = seen.get(step.id);
      if (!result) return step;
      if (!result.passed) return step.evidence === null ? step : { ...step, evidence: null };
      if (!isUnproved(step)) return step;
      const validation = step.status === 'done' ? step.validation : null;
      return { ...step, status: 'done', validation, evidence: { text: result.text, at: now } };
    }),
  };
}

/** For the model, so that it does not tick again what the host ticked; null = nothing changed hands. */
export function describeEvidence(before: Todo, after: Todo): string | null {
  const earlier = new Map(before.steps.map((step) => [step.id, step]));
  const changes = after.steps
    .filter(({ parentId }) => parentId === null)
    .flatMap((step, position) => {
      const was = earlier.get(step.id);
      if (!was || (was.evidence === null) === (step.evidence === null)) return [];
      const name = `Step ${String(position + 1)} (${shorten(step.text, 60)})`;
      return [
        step.evidence === null
          ? `${name} is no longer proved: its check fails now.`
          : `${name} is done: ${step.evidence.text}.`,
      ];
    });
  return changes.length === 0 ? null : changes.join(' ');
}

const isOpen = ({ status }: PlanStep): boolean => status === 'pending' || status === 'in_progress';

const isUnproved = (step: PlanStep): boolean =>
  step.evidence === null && (isOpen(step) || step.status === 'done');

const normalise = (command: string): string => command.replaceAll(/\s+/g, ' ').trim();
