/** The benchmark as a function: every task without faults, with them, and in a plain loop with the same ones. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asksForOpening, openingReply } from '../../../src/sim/script/scripted-acts.ts';
import { startSim, type Reply, type Script, type SimOptions } from '../../../src/sim/index.ts';
import type { FamilyName } from '../../../src/sim/render/index.ts';
import { fastFolder, World } from '../../helpers/host-world.ts';
import { conduct } from '../real/conduct.ts';
import { runPlainLoop } from '../real/plain-loop.ts';
import { fileOf, fill } from '../real/workspace.ts';
import { actsOf, allowedBy, lastCall, nextMove } from './honest-model.ts';
import { faultOf, faultyReply, fates, rightReply, type FaultKind, type Fate } from './inject.ts';
import { rungsOf } from './rungs.ts';
import { makeTask, type ScriptedTask } from './tasks.ts';

export const faultRate = 0.3;

/** Models that think, so that they can do so for ever. */
const families: readonly FamilyName[] = ['qwen3.8', 'qwen3.5', 'gemma4-small'];
const windowTokens = 16_384;
/** Nothing is waited for: loading, reading and writing take no time that could be felt. */
const speed = 1e6;
/** A turn that takes longer hangs. */
const capMs = 30_000;
const mostPlainReplies = 20;
/** So often the same wrong reply comes to the same prompt, whatever the seed. */
const sameReplies = 6;
/** Tasks with no more parts than a small model is given tools for: its grammars hold names of files and patterns. */
const smallTask = /^(?:change|join)-/;

/** What was sent to a client. */
export interface Sent {
  replies: number;
  constrained: number;
  faults: FaultKind[];
}

export interface Result {
  /** Why it is not done; null = it is. */
  why: string | null;
  sent: Sent;
  /** How often each rung of the repair ladder was seen. */
  rungs: ReadonlyMap<string, number>;
}

export interface TaskResult {
  task: ScriptedTask;
  family: FamilyName;
  isSmall: boolean;
  clean: Result;
  faulty: Result;
  plain: Result;
}

export async function runFaultsTask(seed: number, number: number): Promise<TaskResult> {
  const task = makeTask(seed, number);
  const family = families[number % families.length] ?? 'qwen3.5';
  const isSmall = smallTask.test(task.id);
  const model = { family, isSmall };
  return {
    task,
    ...model,
    clean: await inAndiron(task, model, fates(seed, number, 0)),
    faulty: await inAndiron(task, model, fates(seed, number, faultRate)),
    plain: await inPlainLoop(task, model, fates(seed, number, faultRate)),
  };
}

type Model = Pick<TaskResult, 'family' | 'isSmall'>;

/** A house of its own for every task: what was learnt about a model in one would help in the next. */
async function inAndiron(task: ScriptedTask, model: Model, next: () => Fate): Promise<Result> {
  const { sent, sim } = engineOf(task, model, next);
  const world = await World.start({ files: task.files, sim });
  try {
    const view = await world.openSession();
    const { turn, timedOut, answer } = await conduct(view, task.ask, capMs);
    const ended = timedOut ? 'it hung' : `it ended as ${turn.status}`;
    const error = view.items('error').at(-1)?.message;
    const unfinished =
      turn.status === 'finished' ? null : `${ended}${error === undefined ? '' : `: ${error}`}`;
    const why = unfinished ?? task.check({ answer, file: fileOf(world.workspace) });
    return { why, sent, rungs: rungsOf(view.state.items, sent.constrained) };
  } finally {
    await world.close();
  }
}

async function inPlainLoop(task: ScriptedTask, model: Model, next: () => Fate): Promise<Result> {
  const { sent, sim } = engineOf(task, model, next);
  const engine = await startSim(sim);
  const workspace = await realpath(await mkdtemp(join(fastFolder(), 'andiron-plain-')));
  try {
    await fill(workspace, task.files);
    const { ended, answer, error } = await runPlainLoop({
      url: engine.url,
      model: modelOf(model.family),
      workspace,
      ask: task.ask,
      options: { num_ctx: windowTokens, num_predict: windowTokens / 2 },
      shift: false,
      mostReplies: mostPlainReplies,
      signal: AbortSignal.timeout(capMs),
    });
    const why = ended === 'answered' ? task.check({ answer, file: fileOf(workspace) }) : error;
    return { why, sent, rungs: new Map() };
  } finally {
    await engine.close();
    await rm(workspace, { recursive: true, force: true });
  }
}

const modelOf = (family: FamilyName): string => `${family}:bench`;

function engineOf(task: ScriptedTask, model: Model, next: () => Fate): { sent: Sent; sim: SimOptions } {
  const { family, isSmall } = model;
  const sent: Sent = { replies: 0, constrained: 0, faults: [] };
  const models = [{ name: modelOf(family), family, ...(isSmall && { card: { parameterSize: '494M' } }) }];
  return { sent, sim: { models, script: scriptOf(task, model, next, sent), refuseUnpaired: true, speed } };
}

/** What comes again to the same request: a wrong reply a few times, a refused grammar always. */
interface Again {
  fault: FaultKind;
  reply: Reply;
  left: number;
}

function scriptOf(task: ScriptedTask, model: Model, next: () => Fate, sent: Sent): Script {
  const again = new Map<string, Again>();
  return (request) => {
    if (request.endpoint !== 'chat') return undefined;
    if (asksForOpening(request)) return openingReply(actsOf(task));
    const { messages, format } = request;
    const allowed = allowedBy(format);
    const isConstrained = format !== undefined;
    const previous = lastCall(messages);
    const situation = {
      ...model,
      move: nextMove(task, request, allowed),
      previous,
      isConstrained,
      format,
      mayRepeat: previous !== undefined && (allowed.calls?.includes(previous.name) ?? true),
    };
    const fate = next();
    sent.replies += 1;
    if (isConstrained) sent.constrained += 1;
    const [prompt, grammar] = [JSON.stringify([messages, format]), JSON.stringify(format ?? null)];
    const known = again.get(grammar) ?? again.get(prompt);
    if (known && known.left > 0) {
      known.left -= 1;
      sent.faults.push(known.fault);
      return known.reply;
    }
    const fault = fate.isFaulty ? faultOf(fate, situation) : null;
    if (fault === null) return rightReply(situation);
    sent.faults.push(fault);
    const faulty = faultyReply(fault, situation, fate);
    if (fault === 'same reply six times') again.set(prompt, { fault, reply: faulty, left: sameReplies - 1 });
    if (fault.startsWith('refused')) again.set(grammar, { fault, reply: faulty, left: Infinity });
    return faulty;
  };
}
