/** One step of work for a subagent; the loop's `AgentSpawner` runs it (A3-A9, P3). */
import { z } from 'zod';
import type { AgentStopReason } from '../../protocol/model.ts';
import { advised, combined, inWords, type Words } from './advice.ts';
import { defineTool } from './define-tool.ts';
import { ToolFailure, type AgentSpawner, type Tool, type ToolContext } from './tool.ts';

const parameters = z.object({
  task: z.string().min(1).describe('Goal, form of the result.'),
  briefing: z.string(),
  profile_id: z.string().optional(),
  max_iterations: z.int().min(1).optional(),
});

const unfinished: Record<Exclude<AgentStopReason, 'completed'>, Words> = {
  iteration_limit: inWords(
    'the subagent used up its steps before it had finished.',
    'Do the rest, or give it smaller steps.',
  ),
  output_limit: inWords(
    'the last reply of the subagent was cut at its output limit.',
    'Use what there is, or do the rest yourself.',
  ),
  timeout: inWords(
    'the subagent ran out of time before it had finished.',
    'Do the rest, or give it smaller steps.',
  ),
  stopped: inWords('the user stopped the subagent before it had finished.', 'Do not start it again unasked.'),
  stalled: inWords(
    'the subagent only thought and did not go on, so it was ended.',
    'Do the step yourself, or make it clearer.',
  ),
  failed: inWords(
    'the subagent failed before it had finished.',
    'Do the rest yourself, or say what is missing.',
  ),
};

const finished = advised(
  (advise) =>
    `The subagent has finished. The user cannot see its answer${advise(': tell them what matters of it')}.`,
);
const unseen = 'The user cannot see what it did; so far it is this.';

export function spawnAgentTool(): Tool {
  return defineTool({
    name: 'spawn_agent',
    description: 'Give one step to a subagent. It knows only what you write here.',
    parameters,
    // Its tools may.
    mutates: true,
    retrySafe: false,
    risk: 'read',
    about: 'agent',
    // Its own wall clock ends it.
    timeoutMs: null,
    subject: ({ task }) => firstLine(task),
    // It does nothing by itself: its tools ask for themselves.
    need: ({ task, profile_id: profileId }) => ({
      summary: `Give a subagent${profileId ? ` with the profile ${profileId}` : ''} this: ${firstLine(task)}`,
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    async check({ profile_id: profileId }, context) {
      spawnerOf(context);
      const chosen = context.profiles.list().find(({ id }) => id === profileId);
      // What it is told, and what it reads, goes where its model is.
      return chosen?.maySend && !chosen.current ? { farEffect: { kind: 'service', target: chosen.id } } : {};
    },
    async execute({ task, briefing, profile_id: profileId, max_iterations: maxIterations }, context) {
      const request = { task, briefing, profileId: profileId || undefined, maxIterations };
      const spawned = await spawnerOf(context).spawn(request, context.callId, context.signal);
      const { completedNormally: ok } = spawned;
      const words = spawned.completedNormally
        ? finished
        : combined((text) => `${text} ${unseen}`, unfinished[spawned.stopReason]);
      return { ok, ...combined((text) => `${text}\n\n${spawned.text}`, words), display: null };
    },
  });
}

/** It stays in a subagent's head, so that the engine's cache is shared, and is refused when it is called. */
function spawnerOf({ agents }: ToolContext): AgentSpawner {
  if (agents) return agents;
  throw new ToolFailure('a subagent cannot start another one.', { advice: 'Do this yourself.' });
}

const firstLine = (task: string): string => (task.trim().split('\n', 1)[0] ?? '').slice(0, 120);
