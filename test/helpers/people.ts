/** Two people's sessions in one mortal house, and what they may do: each step is checked, whatever it meets. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AndironError } from '../../src/protocol/errors.ts';
import type { ApprovalDecision, Turn } from '../../src/protocol/model.ts';
import { messageOf, planOf, planScript, type PlanName } from './message-plans.ts';
import { Dead, MortalHouse, type Faults } from './mortal-house.ts';
import { endedTurnProblems, lossProblems, requestProblems, storedProblems } from './session-checks.ts';
import { difference, lasting, ToldSession } from './told-session.ts';
import { Bell, within } from './waiting.ts';

export class People {
  readonly house: MortalHouse;
  readonly sessions: ToldSession[] = [];
  /** Taken so far. */
  steps = 0;
  readonly #bell = new Bell();
  /** Numbers of the messages whose questions were answered with yes, or may have been. */
  readonly #allowed = new Set<string>();
  #messages = 0;

  private constructor(house: MortalHouse) {
    this.house = house;
  }

  static async move(sessions: number, faults: Faults = {}): Promise<People> {
    const house = await MortalHouse.start({
      files: { 'notes.txt': 'milk\n' },
      sim: { script: planScript() },
      faults,
    });
    const people = new People(house);
    for (let n = 0; n < sessions; n += 1) {
      const window = house.openWindow();
      const { session } = await window.rpc.call('session/create', {});
      people.sessions.push(await ToldSession.open(window, session.id, () => people.#bell.ring()));
    }
    return people;
  }

  session(which: number): ToldSession {
    const session = this.sessions[which % this.sessions.length];
    if (!session) throw new Error('Nobody lives here.');
    return session;
  }

  // What a person does. Whatever is refused must be refused in words; a dying host may not answer at all.

  async send(which: number, plan: PlanName, queue: boolean): Promise<void> {
    const session = this.session(which);
    const text = messageOf((this.#messages += 1), plan);
    const sent = this.#call(
      ['busy'],
      session.window.rpc.call('turn/start', { sessionId: session.id, text, queue }),
    );
    const turnId = (await sent)?.turnId;
    if (turnId !== undefined && session.turn(turnId)?.text !== text) {
      throw new Error(`${text} was acknowledged as ${turnId} and is not there.`);
    }
  }

  /** The running turn, or the last that waits. */
  async stop(which: number, queued: boolean): Promise<void> {
    const session = this.session(which);
    const turn = session.state.turns.findLast((each) => each.status === 'queued');
    const { id: sessionId } = session;
    const turnId = queued ? turn?.id : undefined;
    if (queued && turnId === undefined) return;
    const params = { sessionId, ...(turnId !== undefined && { turnId }) };
    await this.#call([], session.window.rpc.call('turn/stop', params));
  }

  /** What waits for the person, because of a stop or a death. */
  async sendHeld(which: number): Promise<void> {
    const { id: sessionId, state, window } = this.session(which);
    if (state.turns.some(({ waitsFor }) => waitsFor === 'person'))
      await this.#call([], window.rpc.call('turn/resume', { sessionId }));
  }

  async answer(which: number, decision: ApprovalDecision, scope: 'once' | 'session'): Promise<void> {
    const session = this.session(which);
    const approvalId = session.question ?? 'ask_nobody';
    const n = planOf(session.runningTurn?.text ?? '')?.n;
    if (decision === 'allow' && n !== undefined) this.#allowed.add(n);
    const params = { sessionId: session.id, approvalId, decision, scope };
    await this.#call(['not_found'], session.window.rpc.call('approval/answer', params));
  }

  async switchProfile(which: number, profileId: string): Promise<void> {
    const session = this.session(which);
    await this.#call(
      [],
      session.window.rpc.call('session/set-profile', { sessionId: session.id, profileId }),
    );
  }

  async update(
    which: number,
    changes: { model?: string | null; title?: string; pinned?: boolean },
  ): Promise<void> {
    const session = this.session(which);
    await this.#call([], session.window.rpc.call('session/update', { sessionId: session.id, ...changes }));
  }

  async reload(which: number): Promise<void> {
    const session = this.session(which);
    // A second window first, because it must agree with the first; then the first one is replaced.
    const second = this.house.openWindow();
    fail(await this.#call([], session.replayProblems(second)));
    second.rpc.close();
    const before = session.window;
    await this.#call([], session.follow(this.house.openWindow()));
    before.rpc.close();
  }

  /**
   * The host dies at the write after `writes` more, counted from before `act`, or once nothing moves; the next one
   * perhaps while it starts.
   */
  async crash(writes: number, writesOfNext: number | null, act: () => Promise<void>): Promise<void> {
    this.house.doom(writes);
    void this.house.died.then(() => this.#bell.ring());
    await act();
    if (writes > 0) await this.until(() => !this.house.alive || this.resting, 'the death');
    this.house.kill();
    await this.#reborn(writesOfNext);
  }

  /** As a closed app: it is allowed to take its time, and loses nothing at all. */
  async restart(): Promise<void> {
    await within(this.house.end(), 'the end of the host');
    for (const session of this.sessions) {
      fail(session.eventProblems());
      if (session.runningTurn) fail([`${session.runningTurn.id} outlived the host`]);
    }
    const before = this.sessions.map((session) => session.state);
    await this.house.birth();
    for (const [index, session] of this.sessions.entries()) {
      const kept = await session.follow(this.house.openWindow());
      if (!isDeepStrictEqual(lasting(kept), lasting(before[index]))) fail([difference(before[index], kept)]);
    }
  }

  async #reborn(writesOfNext: number | null): Promise<void> {
    const told = this.sessions.map((session) => session.state);
    for (const session of this.sessions) fail(session.eventProblems());
    if (writesOfNext !== null) {
      try {
        await this.house.birth(writesOfNext);
      } catch (error) {
        if (!(error instanceof Dead)) throw error;
      }
    }
    if (!this.house.alive) await this.house.birth();
    fail(storedProblems(this.house.dir, true));
    for (const [index, session] of this.sessions.entries()) {
      const kept = await session.follow(this.house.openWindow());
      const before = told[index];
      if (before) fail([...lossProblems(before, kept), ...endedTurnProblems(kept)]);
    }
  }

  /** Waits for `events` more, or until nothing moves by itself. */
  async watch(events: number): Promise<void> {
    let left = events;
    await this.until(() => left-- <= 0 || this.resting, 'something to happen');
  }

  /** Nothing moves by itself: idle, asking, silent by its plan, or behind another session that is so. */
  get resting(): boolean {
    const states = new Set(this.sessions.map((session) => restOf(session)));
    return !states.has('moving') && (!states.has('waiting') || states.has('held'));
  }

  /** Looks now and after every event. */
  until(ready: () => boolean, what: string): Promise<void> {
    return this.#bell.until(
      ready,
      () => `${what}. ${JSON.stringify(this.sessions.map(({ state }) => state.turns.at(-1)))}`,
    );
  }

  /** What waits for the person is sent, and what waits for a model that is not there gets one. */
  async #sendAll(which: number): Promise<void> {
    const { turns } = this.session(which).state;
    if (turns.some(({ waitsFor }) => waitsFor === 'model')) await this.update(which, { model: null });
    await this.sendHeld(which);
  }

  /** Everything is brought to its end; then all that must always hold is looked at. Returns what had come to pass. */
  async settle(): Promise<string[]> {
    const busy = (): boolean => this.sessions.some((each) => each.state.turns.some((turn) => !turn.closed));
    // A round that changes nothing never yields to a timer: without a bound it would hang instead of failing.
    for (let round = 0; busy(); round += 1) {
      if (round === 1000) fail([`nothing ends any more: ${JSON.stringify(this.sessions.map(unended))}`]);
      for (const [which, session] of this.sessions.entries()) {
        const turn = session.runningTurn;
        if (!turn) await this.#sendAll(which);
        if (!turn || restOf(session) !== 'held') continue;
        const { question } = session;
        if (question !== undefined) {
          await this.answer(which, 'deny', 'once');
          await this.until(() => session.question !== question, 'the answer');
        } else {
          await this.stop(which, false);
          await this.until(() => session.runningTurn?.id !== turn.id, 'its end');
        }
      }
      await this.until(() => this.resting, 'rest');
    }
    await this.#leasesBack();
    const { requests, violations } = this.house.sim.truth;
    const chats = requests.filter((request) => request.endpoint === '/api/chat');
    fail([
      ...this.sessions.flatMap((session) => [
        ...session.eventProblems(),
        ...endedTurnProblems(session.state),
      ]),
      ...storedProblems(this.house.dir, true),
      ...chats.flatMap((request) => requestProblems(request)),
      ...violations.map(({ text }) => text),
      ...(await this.#effectProblems()),
    ]);
    await this.restart();
    return this.sessions.flatMap(({ state: { turns, items } }) => [
      ...turns.map((turn) => `turn ${turn.status}`),
      ...items.map((item) => {
        if (item.kind === 'tool') return `tool ${item.state}`;
        return item.kind === 'error' ? `error ${item.code}` : item.kind;
      }),
    ]);
  }

  async #leasesBack(): Promise<void> {
    const { engine } = this.house;
    const back = Promise.withResolvers<void>();
    const look = (): void => {
      const { lease, waiting } = engine.state();
      if (lease === null && waiting === 0) back.resolve();
    };
    const stop = engine.onChange(look);
    look();
    await within(back.promise, 'the lease').finally(stop);
  }

  /** A command leaves its message's number: at most once, and only after a yes. */
  async #effectProblems(): Promise<string[]> {
    const path = join(this.house.workspace, 'effects.txt');
    const effects = await readFile(path, 'utf8').catch(() => '');
    const seen = new Set<string>();
    const problems: string[] = [];
    for (const n of effects.split('\n').filter((line) => line !== '')) {
      if (seen.has(n)) problems.push(`the command of #${n} ran twice`);
      if (!this.#allowed.has(n)) problems.push(`the command of #${n} ran without a yes`);
      seen.add(n);
    }
    return problems;
  }

  /** undefined = refused for one of the reasons that are allowed, or nobody lived to answer. */
  async #call<T>(refusals: string[], call: Promise<T>): Promise<T | undefined> {
    try {
      return await within(call, 'an answer');
    } catch (error) {
      const code = error instanceof AndironError ? error.code : '';
      if (refusals.includes(code) || (code === 'disconnected' && !this.house.alive)) return undefined;
      throw error;
    }
  }
}

/** `held`: moves only when a person acts. `waiting`: for the GPU. */
function restOf(session: ToldSession): 'moving' | 'held' | 'waiting' | 'idle' {
  const turn = session.runningTurn;
  if (!turn) return unended(session).some(({ waitsFor }) => waitsFor === undefined) ? 'moving' : 'idle';
  if (session.question !== undefined) return 'held';
  const plan = planOf(turn.text)?.plan;
  if (plan === 'hang' && turn.phase === 'text') return 'held';
  if (plan === 'silent' && turn.phase === 'prefill') return 'held';
  return turn.phase === 'lease' ? 'waiting' : 'moving';
}

const unended = (session: ToldSession): Turn[] => session.state.turns.filter(({ closed }) => !closed);

export function fail(problems: readonly string[] | undefined): void {
  if (problems && problems.length > 0) throw new Error(problems.join('\n'));
}
