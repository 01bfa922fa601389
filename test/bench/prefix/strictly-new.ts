/**
 * Sorts the tokens of a prompt: which of them a client cannot help sending now for the first time?
 *
 * Strictly new (design 5): user text, tool results and the template's scaffolding around them. Not strictly new,
 * though they may be read for the first time: Andiron's own words (system text, tools, opening, notes). Everything
 * else was sent before, or is the model's own reply, which the engine holds because it wrote it.
 */
import { note } from '../../../src/host/prompt/notes.ts';
import { tokenise, type Family, type Piece, type Prompt, type Reply } from '../../../src/sim/render/index.ts';
import { lastReply, type ChatBody } from './wire.ts';

export interface NewTokens {
  strictlyNew: number;
  /** Andiron's own words in the first request: head and opening. */
  head: number;
  /** Its own words that came later. */
  notes: number;
}

/** Counts over all requests of one conversation. */
export class NewTokenCount implements NewTokens {
  strictlyNew = 0;
  head = 0;
  notes = 0;
  readonly #family: Family;
  readonly #replyTo: (body: ChatBody) => Reply;
  /** What the model generated at the end of the request before. */
  #written = '';

  constructor(family: Family, replyTo: (body: ChatBody) => Reply) {
    this.#family = family;
    this.#replyTo = replyTo;
  }

  /** @param userText what the person wrote in this turn */
  add(body: ChatBody, userText: string): void {
    const prompt = this.#family.render(body);
    if (!prompt.ok) throw new Error(`The request renders as a refusal: ${prompt.error}`);
    const counts = count(prompt, sorter(body, prompt.pieces, userText.trim(), this.#written));
    this.strictlyNew += counts.new;
    if (lastReply(body.messages) === -1) this.head += counts.own;
    else this.notes += counts.own;
    this.#written = this.#family.writeReply(this.#replyTo(body), prompt.thinking);
  }
}

type Kind = 'new' | 'own' | 'old';

/** A stretch of the prompt. */
interface Stretch {
  kind: Kind;
  length: number;
}

const noteMark = note('').trimEnd();

type Sorter = (piece: Piece, at: number) => Stretch[];

/** A token belongs to the stretch in which it begins. */
function count({ text, pieces }: Prompt, sort: Sorter): Record<Kind, number> {
  const counts: Record<Kind, number> = { new: 0, own: 0, old: 0 };
  const stretches = pieces.flatMap(sort);
  let current = -1;
  let end = 0;
  let position = 0;
  for (const token of tokenise(text)) {
    while (position >= end) {
      current += 1;
      end += stretches[current]?.length ?? Infinity;
    }
    counts[stretches[current]?.kind ?? 'old'] += 1;
    position += token.length;
  }
  return counts;
}

function sorter({ messages }: ChatBody, pieces: readonly Piece[], userText: string, written: string): Sorter {
  const reply = lastReply(messages);
  const isFirst = reply === -1;
  const lastOf = (...kinds: Piece['kind'][]): number =>
    pieces.findLastIndex(({ kind, messageIndex }) => messageIndex === reply && kinds.includes(kind));
  /** The end of what the model wrote: its calls, because some families put the text behind the results. */
  const anchor = [lastOf('call'), lastOf('assistant', 'thinking')].find((at) => at !== -1) ?? -1;

  return (piece, at) => {
    const { kind, text, messageIndex = -1 } = piece;
    const old: Stretch[] = [{ kind: 'old', length: text.length }];
    switch (kind) {
      case 'markup':
      case 'boilerplate':
        if (at < anchor) return old;
        // The reply's own closing marks were generated with it.
        return split(text, 0, at === anchor + 1 ? overlap(written, text) : 0, 'old', 'new');
      case 'system':
      case 'tools':
        return isFirst ? [{ kind: 'own', length: text.length }] : old;
      case 'user': {
        if (messageIndex < reply) return old;
        const start = text.indexOf(userText);
        if (start === -1) throw new Error('The message does not hold what the person wrote.');
        return split(text, start, start + userText.length, 'new', 'own');
      }
      case 'result': {
        if (messageIndex < reply) return old;
        const noted = text.indexOf(noteMark);
        return split(text, 0, noted === -1 ? text.length : noted, 'new', 'own');
      }
      case 'assistant':
      case 'thinking':
      case 'call':
        return old;
    }
  };
}

/** `inside` from `start` to `end`, `outside` before and behind. */
function split(text: string, start: number, end: number, inside: Kind, outside: Kind): Stretch[] {
  return [
    { kind: outside, length: start },
    { kind: inside, length: end - start },
    { kind: outside, length: text.length - end },
  ];
}

/** How much of the beginning of `behind` is the end of `written`. */
function overlap(written: string, behind: string): number {
  let length = Math.min(written.length, behind.length);
  while (length > 0 && !written.endsWith(behind.slice(0, length))) length -= 1;
  return length;
}
