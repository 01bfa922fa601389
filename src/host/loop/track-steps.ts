/** Keeps the todo list truthful while calls run: what the host saw ticks a step, what the model says does not. */
import {
  applyEvidence,
  checksAfter,
  describeEvidence,
  type CheckResult,
  type Look,
} from '../planning/evidence.ts';
import { emitNote } from './note-item.ts';
import type { WrittenCall } from './reply-writer.ts';
import type { Run } from './run.ts';
import type { Outcome } from './tool-calls.ts';

/** After a call that ran; one that was refused or declined proves nothing. */
export async function trackSteps(written: WrittenCall, outcome: Outcome, run: Run): Promise<void> {
  const { data, clock } = run.deps;
  if (!written.tool || outcome.runMs === null || data.todo().steps.length === 0) return;
  const ran = outcome.display?.kind === 'command' ? outcome.display : null;
  const { results, looks } = checksAfter(data.todo(), {
    tool: written.tool.name,
    args: written.args,
    mutates: written.tool.mutates,
    command: ran?.command ?? null,
    exitCode: ran?.exitCode ?? null,
  });
  const seen = [...results, ...(await lookAt(looks, run))];
  const before = data.todo();
  const after = applyEvidence(before, seen, clock.now());
  const told = describeEvidence(before, after);
  if (told === null) return;
  data.setTodo(after);
  emitNote('evidence', told, run);
}

export async function lookAt(looks: readonly Look[], run: Run): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { stepId, check } of looks) results.push({ stepId, ...(await run.deps.look(check)) });
  return results;
}
