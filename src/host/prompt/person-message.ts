/**
 * What a run was asked, in the words of whoever asked: a person's message, or a subagent's task, which stands for one in
 * its run. Andiron decides nothing by these words. Their type has no text that could be matched: only those read it who
 * send it, show it, or look up what it names, and `npm run house` counts everybody else.
 */
class OpaqueMessage {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  static read(message: OpaqueMessage): string {
    return message.#text;
  }
}

export type PersonMessage = OpaqueMessage;

/** For the places where a message enters the loop. */
export const personMessage = (text: string): PersonMessage => new OpaqueMessage(text);

/** For the readers that `scripts/house/messages.ts` lists. */
export const readMessage = (message: PersonMessage): string => OpaqueMessage.read(message);
