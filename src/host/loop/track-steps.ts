/** Keeps the todo list truthful while calls run: what the host saw ticks a step, what the model says does not. */
import {
  applyEvidence,
  checksAfter,
  describeEvidence,
  type CheckResult,
  type Look,
} from '../planning/evidence.ts';
import type { Output } from './output.ts';
import type { ToolPort, Workspace } from './ports.ts';
import type { WrittenCall } from './request/reply-writer.ts';
import type { Outcome } from './tool-calls.ts';

/** After a call that ran; one that was refused or declined proves nothing. */
export async function trackSteps(
  written: WrittenCall,
  outcome: Outcome,
  { data, workspace }: ToolPort,
  out: Output,
): Promise<void> {
  if (!written.tool || outcome.runMs === null || data.todo().steps.length === 0) return;
  const ran = outcome.display?.kind === 'command' ? outcome.display : null;
  const { results, looks } = checksAfter(data.todo(), {
    tool: written.tool.name,
    args: written.args,
    mutates: written.tool.mutates,
    command: ran?.command ?? null,
    exitCode: ran?.exitCode ?? null,
  });
  const seen = [...results, ...(await lookAt(looks, workspace))];
  const before = data.todo();
  const after = applyEvidence(before, seen, out.clock.now());
  const text = describeEvidence(before, after);
  if (text === null) return;
  data.setTodo(after);
  out.note('evidence', text);
}

export async function lookAt(looks: readonly Look[], workspace: Workspace): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { stepId, check } of looks) results.push({ stepId, ...(await workspace.look(check)) });
  return results;
}
