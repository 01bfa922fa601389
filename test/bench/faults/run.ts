/** The benchmark as a function: every task without faults, with them, and in a plain loop with the same ones. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asksForOpening, openingReply, type OpeningStep } from '../../../src/sim/script/scripted-acts.ts';
import { startSim, type Reply, type Script, type SimOptions } from '../../../src/sim/index.ts';
import type { FamilyName } from '../../../src/sim/render/index.ts';
import { fastFolder, World, type WorldOptions } from '../../helpers/host-world.ts';
import { abilitiesWithoutOpening, knownAbilities } from '../../helpers/proven-models.ts';
import { conduct } from '../real/conduct.ts';
import { runPlainLoop } from '../real/plain-loop.ts';
import { fileOf, fill } from '../real/workspace.ts';
import { actsOf, allowedBy, lastCall, nextMove } from './honest-model.ts';
import {
  faultOf,
  faultyOpening,
  faultyReply,
  fates,
  openingFaultOf,
  rightReply,
  type FaultKind,
  type Fate,
} from './inject.ts';
import { rungsOf } from './rungs.ts';
import { makeTask, taskKinds, type ScriptedTask } from './tasks.ts';

export const faultRate = 0.3;

/** Models that think, so that they can do so for ever. */
const families: readonly FamilyName[] = ['qwen3.8', 'qwen3.5', 'gemma4-small'];
const windowTokens = 16_384;
/** Nothing is waited for: loading, reading and writing take no time that could be felt. */
const speed = 1e6;
/** So often a person has an answer go on that was cut. */
const maxContinues = 2;
/** A turn that takes longer hangs. */
const capMs = 30_000;
const mostPlainReplies = 20;
/** So often the same wrong reply comes to the same prompt, whatever the seed. */
const sameReplies = 6;
/** How the scripted model works: by its own calls, or under a grammar with or without opening its turns. */
export const modelKinds = ['native', 'guided', 'constrained'] as const;
export type ModelKind = (typeof modelKinds)[number];

/** What each kind is known for; those under a grammar call themselves small. */
const knownFor: Readonly<Record<ModelKind, NonNullable<WorldOptions['known']>>> = {
  native: knownAbilities,
  guided: knownAbilities,
  constrained: abilitiesWithoutOpening,
};

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
  kind: ModelKind;
  clean: Result;
  faulty: Result;
  plain: Result;
}

export async function runFaultsTask(seed: number, number: number): Promise<TaskResult> {
  const task = makeTask(seed, number);
  const family = families[number % families.length] ?? 'qwen3.5';
  const model = { family, kind: kindOf(number) };
  return {
    task,
    ...model,
    clean: await inAndiron(task, model, fates(seed, number, 0)),
    faulty: await inAndiron(task, model, fates(seed, number, faultRate)),
    plain: await inPlainLoop(task, model, fates(seed, number, faultRate)),
  };
}

/** Each kind of model does each kind of task. */
const kindOf = (number: number): ModelKind =>
  modelKinds[Math.floor(number / taskKinds) % modelKinds.length] ?? 'native';

type Model = Pick<TaskResult, 'family' | 'kind'>;

/** A house of its own for every task: what was learnt about a model in one would help in the next. */
async function inAndiron(task: ScriptedTask, model: Model, next: () => Fate): Promise<Result> {
  const { sent, sim } = engineOf(task, model, next);
  const world = await World.start({ files: task.files, sim, known: knownFor[model.kind] });
  try {
    const view = await world.openSession();
    let ended = await conduct(view, task.ask, capMs);
    // Its button says so: a person who sees half an answer presses it.
    for (let pressed = 0; ended.turn.cut === true && pressed < maxContinues; pressed += 1)
      ended = await conduct(view, 'Continue.', capMs);
    const { turn, timedOut, answer } = ended;
    const how = timedOut ? 'it hung' : `it ended as ${turn.status}`;
    const error = view.items('error').at(-1)?.message;
    const unfinished = turn.status === 'finished' ? null : `${how}${error === undefined ? '' : `: ${error}`}`;
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
  const { family, kind } = model;
  const isSmall = kind !== 'native';
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
    const { messages, format } = request;
    if (asksForOpening(request)) return openingOf(actsOf(task, request), next(), sent);
    const allowed = allowedBy(format);
    const isConstrained = format !== undefined;
    const previous = lastCall(messages);
    const situation = {
      family: model.family,
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

function openingOf(acts: readonly OpeningStep[], fate: Fate, sent: Sent): Reply {
  const right = openingReply(acts);
  sent.replies += 1;
  sent.constrained += 1;
  if (!fate.isFaulty) return right;
  const fault = openingFaultOf(fate);
  sent.faults.push(fault);
  const written = right.steps.flatMap((step) =>
    step.do === 'constrained' ? JSON.stringify(step.value) : [],
  );
  return faultyOpening(fault, written.join(''), fate);
}
