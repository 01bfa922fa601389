/** Clients without a host around them: they append, send, and keep of a reply what their policy says. */
import { firstSaid, lastReply, parseAnswer, type ChatBody, type WireMessage } from './wire.ts';

export interface RawPolicy {
  /** Send the model's own thinking back. */
  echoThinking: boolean;
  /** Send the text that stood beside a call back. */
  textBesideCall: boolean;
  /** Tell the time at the end of the system message, as it is at each request. */
  clock: boolean;
  /** Tools that stand in its head besides, as they are at each request; absent = none. */
  tools?: () => readonly unknown[];
}

/** A request of Andiron's, to be made in one's own way. */
export interface Example {
  body: ChatBody;
  /** Nothing of it stays in the conversation. */
  isAside: boolean;
}

const startOfDay = Date.UTC(2026, 0, 5, 9);
const secondsBetweenRequests = 7;

/**
 * Says what Andiron says, when it says it; but what it has once sent it sends for good as it was, and a reply as the
 * model wrote it. Where Andiron begins anew (a subagent, a summary) so does this client.
 */
export class RawClient {
  readonly #url: string;
  readonly #policy: RawPolicy;
  /** The conversations by their first message, as this client sends them. */
  readonly #threads = new Map<string, WireMessage[]>();
  #head: ChatBody | undefined;
  #requests = 0;
  /** Its tools and the conversation did not fit into the window any more. */
  hasOverflowed = false;

  constructor(url: string, policy: RawPolicy) {
    this.#url = url;
    this.#policy = policy;
  }

  /** System message and tools are those of the first example for good: whoever changes them on the way pays for it. */
  async ask({ body, isAside }: Example): Promise<void> {
    const head = (this.#head ??= body);
    const systems = head.messages.filter(({ role }) => role === 'system').map((each) => this.#timed(each));
    const spoken = body.messages.filter(({ role }) => role !== 'system');
    const thread = this.#threadOf(firstSaid(body));
    const messages = this.#continued(thread, spoken);
    this.#requests += 1;
    const response = await fetch(`${this.#url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({
        ...body,
        tools: [...(head.tools ?? []), ...(this.#policy.tools?.() ?? [])],
        stream: false,
        messages: [...systems, ...messages],
      }),
    });
    if (this.#policy.tools && response.status === 400) {
      this.hasOverflowed = true;
      return;
    }
    if (!response.ok) throw new Error(`The simulator refused a raw client: ${await response.text()}`);
    const answer = parseAnswer(await response.json());
    if (!isAside) thread.splice(0, Infinity, ...messages, this.#kept(answer));
  }

  #threadOf(first: string): WireMessage[] {
    const known = this.#threads.get(first);
    if (known) return known;
    const thread: WireMessage[] = [];
    this.#threads.set(first, thread);
    return thread;
  }

  /** Its own messages as far as they go, then what came since. */
  #continued(thread: readonly WireMessage[], spoken: readonly WireMessage[]): WireMessage[] {
    const messages: WireMessage[] = [];
    for (const [index, message] of spoken.entries()) {
      const own = thread[index];
      if (own === undefined) messages.push(inOwnTerms(message, messages));
      else if (sideOf(own) === sideOf(message)) messages.push(own);
      else throw new Error(`Andiron rewrote message ${index}, of ${own.role}, to one of ${message.role}.`);
    }
    return messages;
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

const sideOf = ({ role }: WireMessage): string => (role === 'assistant' ? 'model' : 'client');

/** A result names the call of this client's own reply; where that reply is text, the result is text too. */
function inOwnTerms(message: WireMessage, before: readonly WireMessage[]): WireMessage {
  if (message.role !== 'tool') return message;
  const at = lastReply(before);
  const calls = before[at]?.tool_calls ?? [];
  if (calls.length === 0)
    return { role: 'user', content: `Result of ${String(message['tool_name'])}:\n${message.content}` };
  return { ...message, tool_call_id: calls[before.length - 1 - at]?.id };
}
