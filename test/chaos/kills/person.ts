/** One person at the window: sends, answers, stops, and notes what was acknowledged. */
import type { SessionEvent } from '../../../src/protocol/events.ts';
import type { HostMethods } from '../../../src/protocol/host-methods.ts';
import type { RpcClient } from '../../../src/protocol/rpc-client.ts';
import { AndironError } from '../../../src/protocol/errors.ts';
import type { Chance } from '../../bench/prefix/chance.ts';
import type { Ledger } from './ledger.ts';
import { endless, messageOf, type Work } from './work.ts';

const declineShare = 6;
const queueShare = 6;
const stopShare = 5;

export interface Errand {
  sessionId: string;
  ledger: Ledger;
  work: Work;
  /** Names the next message, like no other. */
  nextJob: () => string;
}

export class Person {
  readonly #rpc: RpcClient<HostMethods>;
  readonly #errand: Errand;
  readonly #chance: Chance;
  readonly #doing: Promise<void>[] = [];
  #turnId: string | undefined;

  constructor(rpc: RpcClient<HostMethods>, errand: Errand, chance: Chance) {
    this.#rpc = rpc;
    this.#errand = errand;
    this.#chance = chance;
  }

  /** Sends the message, and now and then a second one behind it. */
  begin(): void {
    this.#do(this.#send(this.#errand.work));
    if (this.#chance.below(queueShare) === 0) this.#do(this.#send('append'));
  }

  see({ event }: SessionEvent): void {
    if (event.type === 'approval/requested') {
      const decision = this.#chance.below(declineShare) === 0 ? 'deny' : 'allow';
      this.#later(8, () => this.#answer(event.approval.id, decision));
    }
    const stops = endless.has(this.#errand.work) || this.#chance.below(stopShare) === 0;
    if (event.type === 'tool/started' && stops) this.#later(150, () => this.#stop());
  }

  /** Everything that was asked has been answered, or was cut off by the death of the host. */
  async settled(): Promise<void> {
    await Promise.all(this.#doing);
  }

  async #send(work: Work): Promise<void> {
    const text = messageOf(this.#errand.nextJob(), work);
    const { turnId } = await this.#rpc.call('turn/start', { sessionId: this.#errand.sessionId, text });
    this.#turnId ??= turnId;
    this.#errand.ledger.started(turnId, text);
  }

  async #answer(approvalId: string, decision: 'allow' | 'deny'): Promise<void> {
    const { sessionId, ledger } = this.#errand;
    await this.#rpc.call('approval/answer', { sessionId, approvalId, decision });
    ledger.answered(approvalId, decision);
  }

  async #stop(): Promise<void> {
    const turnId = this.#turnId;
    if (turnId !== undefined) this.#errand.ledger.stopped(turnId);
    await this.#rpc.call('turn/stop', {
      sessionId: this.#errand.sessionId,
      ...(turnId !== undefined && { turnId }),
    });
  }

  #later(withinMs: number, act: () => Promise<void>): void {
    setTimeout(() => this.#do(act()), this.#chance.below(withinMs));
  }

  /** A host that dies answers nothing more; a question that a stop has closed is answered by `not_found`. */
  #do(asked: Promise<void>): void {
    this.#doing.push(
      asked.catch((error: unknown) => {
        const expected = error instanceof AndironError && ['disconnected', 'not_found'].includes(error.code);
        if (!expected) throw error;
      }),
    );
  }
}
