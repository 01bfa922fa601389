/**
 * A client may ask what a turn is about to do before anything is done: `{"steps":[{"act","what"}]}` under a grammar. A model
 * that does what its script says says just that.
 */
import type { Json, JsonObject } from '../render/index.ts';
import { callsOf, reply, type Reply, type ReplyStep } from './reply.ts';
import type { ScriptRequest } from './script.ts';

export interface OpeningStep {
  act: 'answer' | 'change' | 'look' | 'run' | 'use';
  what: string;
}

/** Of the grammars that clients send. */
const maxSteps = 4;
const maxWhat = 60;

/** Such a reply is asked for again. */
const flaws: ReadonlySet<ReplyStep['do']> = new Set(['refuse', 'fault', 'stop', 'cut', 'half-call']);

const runs: ReadonlySet<string> = new Set(['run_command', 'bash', 'shell', 'powershell', 'execute']);
const uses: ReadonlySet<string> = new Set(['tool_search', 'web_search', 'fetch_url']);
const changes: ReadonlySet<string> = new Set(['write_file', 'write', 'create_file', 'edit_file', 'edit']);

export function asksForOpening({ format }: Pick<ScriptRequest, 'format'>): boolean {
  const steps = inside(inside(format, 'properties'), 'steps');
  return inside(inside(inside(steps, 'items'), 'properties'), 'act') !== undefined;
}

/** @param ahead the replies that follow, up to the first without a call and perhaps beyond it. */
export function openingOf(ahead: readonly Reply[]): Reply {
  const whole = ahead.filter(({ steps }) => !steps.some(({ do: what }) => flaws.has(what)));
  const calls = whole.map(({ steps }) => callsOf(steps));
  const answers = calls.findIndex((each) => each.length === 0);
  return openingReply(
    calls
      .slice(0, answers < 0 ? undefined : answers)
      .flat()
      .filter(({ name }) => !isFound(name))
      .map(({ name, arguments: args }) => ({ act: actOf(name), what: textOf(args) })),
  );
}

/** The work in its order, as much as there is room for, and the answer where there is room left: it goes without saying. */
export function openingReply(work: readonly OpeningStep[]): Reply {
  const answer: OpeningStep = { act: 'answer', what: 'what was found' };
  const steps = [...work, answer].slice(0, maxSteps);
  return reply().constrained({
    steps: steps.map(({ act, what }) => ({
      act,
      what: what.replaceAll(/\s+/g, ' ').slice(0, maxWhat).toWellFormed() || act,
    })),
  });
}

/** It was searched for, so the step that uses it has begun with that. */
const isFound = (tool: string): boolean => tool === 'tool_call' || tool.includes('.');

function actOf(tool: string): OpeningStep['act'] {
  if (runs.has(tool)) return 'run';
  if (uses.has(tool)) return 'use';
  return changes.has(tool) ? 'change' : 'look';
}

/** The path, the pattern or the command comes first in the arguments of a call; an edit says what it changes there too. */
function textOf({ old_text: old, ...args }: JsonObject): string {
  const first = Object.values(args).find((value) => typeof value === 'string') ?? '';
  return typeof old === 'string' ? `${old} in ${first}` : first;
}

function inside(value: unknown, key: string): Json | undefined {
  return typeof value === 'object' && value !== null ? (value as JsonObject)[key] : undefined;
}
