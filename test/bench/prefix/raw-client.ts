/** Clients without a host around them: they append, send, and keep of a reply what their policy says. */
import { lastReply, parseAnswer, type ChatBody, type WireMessage } from './wire.ts';

export interface RawPolicy {
  /** Send the model's own thinking back. */
  echoThinking: boolean;
  /** Send the text that stood beside a call back. */
  textBesideCall: boolean;
  /** Tell the time at the end of the system message, as it is at each request. */
  clock: boolean;
}

const startOfDay = Date.UTC(2026, 0, 5, 9);
const secondsBetweenRequests = 7;

export class RawClient {
  readonly #url: string;
  readonly #policy: RawPolicy;
  readonly #messages: WireMessage[] = [];
  #head: ChatBody | undefined;
  #requests = 0;

  constructor(url: string, policy: RawPolicy) {
    this.#url = url;
    this.#policy = policy;
  }

  /**
   * Sends its own conversation and `incoming`. System message, tools and options are those of the first `like` for
   * good: whoever changes them on the way pays for it.
   */
  async ask(like: ChatBody, incoming: readonly WireMessage[]): Promise<void> {
    const head = (this.#head ??= like);
    this.#messages.push(...this.#paired(incoming));
    const systems = head.messages.filter(({ role }) => role === 'system').map((each) => this.#timed(each));
    this.#requests += 1;
    const response = await fetch(`${this.#url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({ ...head, stream: false, messages: [...systems, ...this.#messages] }),
    });
    if (!response.ok) throw new Error(`The simulator refused a raw client: ${await response.text()}`);
    this.#messages.push(this.#kept(parseAnswer(await response.json())));
  }

  /** Results name the calls of this client's own replies. */
  #paired(incoming: readonly WireMessage[]): WireMessage[] {
    const calls = this.#messages[lastReply(this.#messages)]?.tool_calls ?? [];
    return incoming.map((message, index) =>
      message.role === 'tool' ? { ...message, tool_call_id: calls[index]?.id } : message,
    );
  }

  #timed(system: WireMessage): WireMessage {
    if (!this.#policy.clock) return system;
    const now = new Date(startOfDay + this.#requests * secondsBetweenRequests * 1000);
    return { ...system, content: `${system.content}\n\nThe time is ${now.toISOString()}.` };
  }

  #kept(reply: WireMessage): WireMessage {
    const { thinking, ...rest } = reply;
    const called = (reply.tool_calls ?? []).length > 0;
    return {
      ...rest,
      content: called && !this.#policy.textBesideCall ? '' : reply.content,
      ...(this.#policy.echoThinking && thinking !== undefined && { thinking }),
    };
  }
}
