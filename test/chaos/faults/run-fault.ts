/**
 * One conversation with several tools, questions, a command and a queued message, in which the k-th step of one edge
 * fails: a database write, a file call, a spawn, or a piece of an answer. The person tries again what was refused.
 * Afterwards the fault is gone, and everything must be there, valid, explained and usable.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { EngineMethods } from '../../../src/protocol/engine-methods.ts';
import { AndironError, type ErrorCode } from '../../../src/protocol/errors.ts';
import type { WaitsFor } from '../../../src/protocol/model.ts';
import { createRpcClient } from '../../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../../src/protocol/transport.ts';
import { messageOf, planScript, type PlanName } from '../../helpers/message-plans.ts';
import { MortalHouse } from '../../helpers/mortal-house.ts';
import { endedTurnProblems, requestProblems, storedProblems } from '../../helpers/session-checks.ts';
import { difference, lasting, ToldSession } from '../../helpers/told-session.ts';
import { Bell, within } from '../../helpers/waiting.ts';

export const edges = ['write', 'file', 'spawn', 'chunk'] as const;
export type Edge = (typeof edges)[number];

export interface FaultPlan {
  edge: Edge;
  /** The k-th step fails, counted from the start of the host. */
  k: number;
  /** Not that step alone: all that follow too, until a person has seen to it. An engine heals by itself. */
  lasting: boolean;
}

export interface FaultOutcome {
  /** The conversation had a k-th step. */
  fired: boolean;
  /** Which step it was. */
  what: string;
  /** What the person was told, in the order in which it happened; empty when nobody had to notice. */
  reasons: string[];
  /** Why the outcome is invalid; empty = it is valid. */
  problems: string[];
}

/** Pieces of answers that break one after the other before the engine is well again. */
const brokenChunks = 3;

/** The fault of each edge as the host meets it. */
const failures: Record<Edge, () => Error> = {
  write: () =>
    new AndironError(
      'storage',
      'The disk is full: andiron.db (database or disk is full).',
      'Free some space; what was saved before is kept.',
    ),
  file: () => Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }),
  spawn: () => Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' }),
  chunk: () => new Error('The connection breaks here.'),
};

export async function runFault(plan: FaultPlan): Promise<FaultOutcome> {
  const fault = new Fault(plan);
  const house = await MortalHouse.build({
    files: { 'notes.txt': 'milk\n' },
    sim: { script: planScript() },
    faults: {
      write: (what) => fault.step('write', what),
      file: (what) => fault.step('file', what),
      spawn: () => fault.step('spawn', 'spawn'),
      chunk: () => fault.step('chunk', 'chunk'),
    },
  });
  const outcome: FaultOutcome = { fired: false, what: '', reasons: [], problems: [] };
  try {
    await new Conversation(house, fault, outcome).hold();
  } catch (error) {
    outcome.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    fault.lift();
    await house.close();
  }
  return { ...outcome, fired: fault.fired, what: fault.what };
}

class Fault {
  fired = false;
  what = '';
  readonly #plan: FaultPlan;
  #left: number;
  #lifted = false;

  constructor(plan: FaultPlan) {
    this.#plan = plan;
    this.#left = plan.k;
  }

  get edge(): Edge {
    return this.#plan.edge;
  }

  step(edge: Edge, what: string): void {
    if (edge !== this.#plan.edge || this.#lifted) return;
    this.#left -= 1;
    if (this.#left > 0 || (this.fired && !this.#plan.lasting)) return;
    if (edge === 'chunk' && this.#left <= -brokenChunks) return;
    if (!this.fired) this.what = what.trim().split(/\s+/).slice(0, 4).join(' ');
    this.fired = true;
    throw failures[edge]();
  }

  /** The disk has space again, the machine has processes again. */
  lift(): void {
    this.#lifted = true;
  }
}

class Conversation {
  readonly #house: MortalHouse;
  readonly #fault: Fault;
  readonly #outcome: FaultOutcome;
  readonly #bell = new Bell();

  constructor(house: MortalHouse, fault: Fault, outcome: FaultOutcome) {
    this.#house = house;
    this.#fault = fault;
    this.#outcome = outcome;
  }

  async hold(): Promise<void> {
    await this.#tryAgain(() => this.#house.birth());
    const window = this.#house.openWindow();
    const { session: made } = await this.#tryAgain(() => window.rpc.call('session/create', {}));
    const session = await this.#tryAgain(() => ToldSession.open(window, made.id, () => this.#bell.ring()));

    const first = await this.#send(session, 1, 'everything');
    const second = await this.#send(session, 2, 'say');
    await this.#seeThrough(session, [first, second]);

    this.#fault.lift();
    await this.#lookForEngine();
    const last = await this.#send(session, 3, 'command');
    await this.#seeThrough(session, [last]);
    const { status } = session.turn(last) ?? {};
    if (status !== 'finished') this.#problem(`with the fault gone, the next turn is ${String(status)}`);
    await this.#check(session);
  }

  /** A person tries again what was refused, and sees to the fault when it was refused again. */
  async #tryAgain<T>(act: () => Promise<T>): Promise<T> {
    for (let refused = 0; ; refused += 1) {
      try {
        return await within(act(), 'an answer');
      } catch (error) {
        this.#told(error);
        if (refused > 1) throw error;
        if (refused > 0) this.#fault.lift();
      }
    }
  }

  #told(error: unknown): void {
    if (error instanceof AndironError) this.#reason(error.code, error.message, error.advice);
    else this.#problem(`told nothing but ${String(error)}`);
  }

  #reason(code: string, message: string, advice: string): void {
    this.#outcome.reasons.push(`${code}: ${message}`);
    const unclear: (ErrorCode | '')[] = ['internal', 'invalid_params', 'unknown_method', 'disconnected', ''];
    const wrong = this.#fault.edge === 'write' && code !== 'storage';
    if (wrong || unclear.some((each) => each === code) || message === '' || advice === '') {
      this.#problem(`the reason is unclear: ${code} "${message}" "${advice}"`);
    }
  }

  #problem(problem: string): void {
    this.#outcome.problems.push(problem);
  }

  #send(session: ToldSession, n: number, plan: PlanName): Promise<string> {
    const params = { sessionId: session.id, text: messageOf(n, plan) };
    return this.#tryAgain(async () => (await session.window.rpc.call('turn/start', params)).turnId);
  }

  /** As the button in the window does. */
  async #lookForEngine(): Promise<void> {
    const [windowEnd, engineEnd] = createTransportPair();
    this.#house.engine.connect(engineEnd);
    await createRpcClient<EngineMethods>(windowEnd).call('engine/refresh', {});
    windowEnd.close();
  }

  /** Says yes to every question; where that cannot be kept, the person stops the turn instead. */
  async #seeThrough(session: ToldSession, turnIds: string[]): Promise<void> {
    const closed = (): boolean => turnIds.every((id) => session.turn(id)?.closed ?? false);
    const held = (waitsFor: WaitsFor): boolean =>
      !session.runningTurn && turnIds.some((id) => session.turn(id)?.waitsFor === waitsFor);
    let asked: string | undefined;
    while (!closed()) {
      const { question } = session;
      const newQuestion = (): boolean => session.question !== undefined && session.question !== asked;
      if (question !== undefined && question !== asked) {
        asked = question;
        await this.#answer(session, question);
      }
      if (held('model')) await this.#lookForEngine();
      if (held('person'))
        await this.#tryAgain(() => session.window.rpc.call('turn/resume', { sessionId: session.id }));
      await this.#bell.until(
        () => closed() || newQuestion() || held('person') || held('model'),
        () => `the end: ${JSON.stringify(session.state)}`,
      );
    }
    for (const item of session.state.items) {
      if (!turnIds.includes(item.turnId)) continue;
      if (item.kind === 'error') this.#reason(item.code, item.message, item.advice);
      if (item.kind === 'tool' && item.state === 'failed')
        this.#outcome.reasons.push(`${item.tool}: ${item.result}`);
    }
  }

  async #answer({ id: sessionId, window }: ToldSession, approvalId: string): Promise<void> {
    const yes = { sessionId, approvalId, decision: 'allow', scope: 'once' } as const;
    try {
      await window.rpc.call('approval/answer', yes);
    } catch (error) {
      this.#told(error);
      await window.rpc.call('approval/answer', yes).catch(() => window.rpc.call('turn/stop', { sessionId }));
    }
  }

  async #check(session: ToldSession): Promise<void> {
    const { dir, sim } = this.#house;
    const chats = sim.truth.requests.filter((request) => request.endpoint === '/api/chat');
    this.#outcome.problems.push(
      ...session.eventProblems(),
      ...endedTurnProblems(session.state),
      ...(await session.replayProblems(this.#house.openWindow())),
      ...storedProblems(dir, true),
      ...chats.flatMap((request) => requestProblems(request)),
      ...sim.truth.violations.map(({ text }) => text),
      ...(await this.#effectProblems()),
    );
    const before = session.state;
    await within(this.#house.end(), 'the end of the host');
    await this.#house.birth();
    const kept = await session.follow(this.#house.openWindow());
    if (!isDeepStrictEqual(lasting(kept), lasting(before)))
      this.#problem(`not kept: ${difference(before, kept)}`);
  }

  /** No command ran twice, and a change is whole or not there. */
  async #effectProblems(): Promise<string[]> {
    const { workspace } = this.#house;
    const effects = await readFile(join(workspace, 'effects.txt'), 'utf8').catch(() => '');
    const notes = await readFile(join(workspace, 'notes.txt'), 'utf8');
    return [
      ...(['', '1\n', '3\n', '1\n3\n'].includes(effects)
        ? []
        : [`the commands left ${JSON.stringify(effects)}`]),
      ...(['milk\n', 'milk and more\n'].includes(notes) ? [] : [`the edit left ${JSON.stringify(notes)}`]),
    ];
  }
}
