/** Plans, the todo list that they fill, and the subagents that work on their steps (D, P2). */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

/** Milliseconds since the Unix epoch. */
const at = z.number().int().nonnegative();

/** Who does a step: one tool call, a subagent, or the agent itself (D9). */
const executorSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('tool'), tool: z.string() }),
    z.object({ kind: z.literal('agent'), profileId: z.string() }),
    z.object({ kind: z.literal('self') }),
  ]),
);
export type Executor = z.infer<typeof executorSchema>;

/** What would prove a step. The host looks at files itself; a command is only read off a call that ran. */
const stepCheckSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('file_exists'), path: z.string() }),
    z.object({ kind: z.literal('text_present'), path: z.string(), text: z.string() }),
    z.object({ kind: z.literal('command'), command: z.string() }),
  ]),
);
export type StepCheck = z.infer<typeof stepCheckSchema>;

const stepStatusSchema = z.enum(['pending', 'in_progress', 'done', 'failed', 'skipped']);
export type StepStatus = z.infer<typeof stepStatusSchema>;

export const planStepSchema = lazyObject(() => ({
  id: z.string(),
  text: z.string(),
  milestone: z.string().nullable(),
  executor: executorSchema,
  status: stepStatusSchema,
  check: stepCheckSchema.nullable(),
  /** What the model says proves it (E6). */
  validation: z.string().nullable(),
  /** What the host saw itself; a step with evidence is truly done. */
  evidence: z.object({ text: z.string(), at }).nullable(),
  /** The step of the parent's plan that a subagent's step belongs to (P2). */
  parentId: z.string().nullable(),
}));
export type PlanStep = z.infer<typeof planStepSchema>;

/** One list per session; steps that a model names by number count from 1, children are not counted. */
export const todoSchema = lazyObject(() => ({ steps: z.array(planStepSchema) }));
export type Todo = z.infer<typeof todoSchema>;

/** Why a subagent ended (P3). */
const agentStopReasonSchema = z.enum([
  'completed',
  'iteration_limit',
  'output_limit',
  'timeout',
  'stopped',
  'stalled',
  'failed',
]);
export type AgentStopReason = z.infer<typeof agentStopReasonSchema>;

/** A subagent as its card shows it; its items carry the call id of that card as `parentCallId`. */
export const agentRunSchema = lazyObject(() => ({
  /** `subagent_` + 12 hex. */
  id: z.string(),
  profileId: z.string(),
  model: z.string().nullable(),
  task: z.string(),
  state: z.enum(['waiting', 'running', 'ended']),
  /** null while it works. */
  stopReason: agentStopReasonSchema.nullable(),
  iterations: z.number().int().nonnegative(),
  toolCalls: z.number().int().nonnegative(),
  /** Counted by the engine; null = it did not say. */
  outputTokens: z.number().int().nonnegative().nullable(),
  startedAt: at,
  endedAt: at.nullable(),
}));
export type AgentRun = z.infer<typeof agentRunSchema>;
