/** What one server asks the person, one question at a time, and only while one of its tools runs for somebody who can answer. */
import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import type { AskForm } from '../tools/tool.ts';
import { readElicitation } from './read-elicitation.ts';

/** Of those that wait behind one that is open. */
const maxWaiting = 4;

export class Elicitations {
  readonly #server: string;
  readonly #calls = new Set<{ ask: AskForm | null }>();
  #before: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param server as the person knows it */
  constructor(server: string) {
    this.#server = server;
  }

  /** @param ask null = nobody sits there */
  async during<T>(ask: AskForm | null, work: () => Promise<T>): Promise<T> {
    const call = { ask };
    this.#calls.add(call);
    try {
      return await work();
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Never rejects. */
  async answer(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult> {
    if (this.#waiting >= maxWaiting) return { action: 'cancel' };
    this.#waiting += 1;
    const answered = this.#before.then(() => this.#askNow(params, signal));
    this.#before = answered;
    try {
      return await answered;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #askNow(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult> {
    if (signal.aborted) return { action: 'cancel' };
    const [call, other] = this.#calls;
    const question = readElicitation(this.#server, params);
    if (!call?.ask || question === null) return { action: 'decline' };
    // A server does not say for which of its calls it asks, and nobody answers for another session.
    if (other) return { action: 'cancel' };
    const answer = await call.ask(question, signal);
    return answer.action === 'accept'
      ? { action: 'accept', ...(answer.values && { content: answer.values }) }
      : answer;
  }
}
