/**
 * A model that makes no mistakes of its own: the next right step follows from the messages it is shown, so that whoever
 * asks again gets another chance, and whoever loses a result has to fetch it again.
 */
import { z } from 'zod';
import type { ScriptRequest } from '../../../src/sim/index.ts';
import type { OpeningStep } from '../../../src/sim/script/scripted-acts.ts';
import type { JsonObject } from '../../../src/sim/render/index.ts';
import type { ScriptedCall, ScriptedTask } from './tasks.ts';

export type Move = { kind: 'call'; call: ScriptedCall } | { kind: 'answer'; text: string };

/** What a reply may be; a grammar may take calls away, some of them, or the answer. */
export interface Allowed {
  /** null = any tool. */
  calls: readonly string[] | null;
  answer: boolean;
}

const anything: Allowed = { calls: null, answer: true };

const branchSchema = z.object({
  properties: z.object({
    call: z.object({ enum: z.array(z.string()).optional(), const: z.string().optional() }).optional(),
    answer: z.unknown().optional(),
  }),
});
const formatSchema = z.union([z.object({ anyOf: z.array(branchSchema) }), branchSchema]);

/** @param format of a request; undefined = free */
export function allowedBy(format: unknown): Allowed {
  if (format === undefined) return anything;
  const { data, success } = formatSchema.safeParse(format);
  if (!success) throw new Error(`The scripted model does not know this form: ${JSON.stringify(format)}`);
  const branches = ('anyOf' in data ? data.anyOf : [data]).map(({ properties }) => properties);
  const calling = branches.flatMap(({ call }) => (call === undefined ? [] : [call]));
  const free = calling.some((call) => call.enum === undefined && call.const === undefined);
  return {
    calls: free
      ? null
      : calling.flatMap((call) => call.enum ?? (call.const === undefined ? [] : [call.const])),
    answer: branches.some(({ answer }) => answer !== undefined),
  };
}

/** What it says as a turn opens: what is left to do, whatever its results will be. */
export function actsOf({ steps }: ScriptedTask, { messages }: ScriptRequest): OpeningStep[] {
  const seen = whatWasSeen(messages);
  const left = steps.filter((step) => !step.isDone(seen));
  return left.map((step) => {
    const { name, arguments: args } = step.call('');
    const told = Object.values(args).filter((value) => typeof value === 'string');
    const what = [name, ...told].join(' ');
    if (name === 'run_command') return { act: 'run', what };
    return { act: name === 'write_file' || name === 'edit_file' ? 'change' : 'look', what };
  });
}

export function nextMove(task: ScriptedTask, { messages }: ScriptRequest, allowed: Allowed): Move {
  const seen = whatWasSeen(messages);
  const due = task.steps.find((step) => !step.isDone(seen));
  const wanted: Move =
    due === undefined ? { kind: 'answer', text: task.answer(seen) } : { kind: 'call', call: due.call(seen) };
  return fitting(wanted, allowed, lastCall(messages) ?? task.steps.at(-1)?.call(seen));
}

/** Results, and what the client said since the task; the model's own words prove nothing. */
function whatWasSeen(messages: ScriptRequest['messages']): string {
  const start = messages.findIndex(({ role }) => role === 'user');
  return messages
    .slice(start + 1)
    .flatMap(({ role, content }) => (role === 'tool' || role === 'user' ? [content] : []))
    .join('\n');
}

/** Where the right move is not allowed: who may not call says how far it came, who must call repeats itself. */
function fitting(wanted: Move, { calls, answer }: Allowed, instead: ScriptedCall | undefined): Move {
  const mayCall = (name: string): boolean => calls?.includes(name) ?? true;
  if (wanted.kind === 'answer') {
    const other = instead && mayCall(instead.name) ? instead : undefined;
    return answer || other === undefined ? wanted : { kind: 'call', call: other };
  }
  if (mayCall(wanted.call.name)) return wanted;
  // A file is offered for a change only once it was read.
  const { path } = wanted.call.arguments;
  if (calls?.includes('read_file') === true && path !== undefined)
    return { kind: 'call', call: { name: 'read_file', arguments: { path } } };
  return { kind: 'answer', text: 'I could not finish this: there is more to do.' };
}

/** The newest call, also where a grammar made it and the history keeps its text. */
export function lastCall(messages: ScriptRequest['messages']): ScriptedCall | undefined {
  const calls = messages.flatMap(({ role, content, tool_calls: made = [] }) => {
    if (role !== 'assistant') return [];
    return made.length > 0
      ? made.map((call) => ({ name: call.function.name, arguments: call.function.arguments }))
      : writtenCall(content);
  });
  return calls.at(-1);
}

const writtenSchema = z.object({
  call: z.string(),
  with: z.custom<JsonObject>((value) => z.record(z.string(), z.json()).safeParse(value).success),
});

function writtenCall(content: string): ScriptedCall[] {
  try {
    const { data } = writtenSchema.safeParse(JSON.parse(content));
    return data === undefined ? [] : [{ name: data.call, arguments: data.with }];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
