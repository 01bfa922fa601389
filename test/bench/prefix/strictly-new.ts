/**
 * Sorts the tokens of a prompt: which of them a client cannot help sending now for the first time?
 *
 * Strictly new: what people wrote (a subagent's task among it), tool results and the template's scaffolding
 * around them. Not strictly new, though they may be read for the first time: Andiron's own words (system text, tools,
 * opening, notes, instructions). Everything else was sent before, or is the model's own reply, which the engine holds
 * because it wrote it.
 */
import { note } from '../../../src/host/prompt/notes.ts';
import { tokenise, type Family, type Piece, type Prompt, type Reply } from '../../../src/sim/render/index.ts';
import { firstSaid, lastReply, type ChatBody } from './wire.ts';

/** Tokens that a request brings. */
export interface NewTokens {
  strictlyNew: number;
  /** Andiron's own words, for the first time. */
  own: number;
}

/** One conversation with its subagents, request by request. */
export class NewTokenCount {
  readonly #family: Family;
  /** What the model generated at the end of each conversation, by its first message. */
  readonly #written = new Map<string, string>();

  constructor(family: Family) {
    this.#family = family;
  }

  /**
   * @param said what people wrote, or the model to its subagent, in order
   * @param reply what the model answered
   */
  add(body: ChatBody, said: readonly string[], reply: Reply): NewTokens {
    const prompt = this.#family.render(body);
    if (!prompt.ok) throw new Error(`The request renders as a refusal: ${prompt.error}`);
    const thread = firstSaid(body);
    const isFirst = this.#written.size === 0;
    const texts = said.map((text) => text.trim());
    const counts = count(
      prompt,
      sorter(body, prompt.pieces, texts, this.#written.get(thread) ?? '', isFirst),
    );
    this.#written.set(thread, this.#family.writeReply(reply, prompt.thinking));
    return { strictlyNew: counts.new, own: counts.own };
  }
}

type Kind = 'new' | 'own' | 'old';

/** A stretch of the prompt. */
interface Stretch {
  kind: Kind;
  length: number;
}

const noteMark = note('').trimEnd();
/** Where results go as text. */
const resultMark = 'Result of ';

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

function sorter(
  { messages }: ChatBody,
  pieces: readonly Piece[],
  said: readonly string[],
  written: string,
  isFirst: boolean,
): Sorter {
  const reply = lastReply(messages);
  const lastOf = (...kinds: Piece['kind'][]): number =>
    pieces.findLastIndex(({ kind, messageIndex }) => messageIndex === reply && kinds.includes(kind));
  /** The end of what the model wrote: its calls, because some families put the text behind the results. */
  const anchor = [lastOf('call'), lastOf('assistant', 'thinking')].find((at) => at !== -1) ?? -1;
  /** Where a subagent begins, the head is an old one. */
  const fresh = reply === -1 && !isFirst ? pieces.findIndex(({ kind }) => kind === 'user') : 0;

  return (piece, at) => {
    const { kind, text, messageIndex = -1 } = piece;
    const old: Stretch[] = [{ kind: 'old', length: text.length }];
    switch (kind) {
      case 'markup':
      case 'boilerplate':
        if (at < anchor || at < fresh) return old;
        // The reply's own closing marks were generated with it.
        return split(text, 0, at === anchor + 1 ? overlap(written, text) : 0, 'old', 'new');
      case 'system':
      case 'tools':
        return isFirst ? [{ kind: 'own', length: text.length }] : old;
      case 'user':
        if (messageIndex < reply) return old;
        return text.startsWith(resultMark) ? untilNote(text) : whatWasSaid(text, said);
      case 'result':
        return messageIndex < reply ? old : untilNote(text);
      case 'assistant':
      case 'thinking':
      case 'call':
        return old;
    }
  };
}

function untilNote(text: string): Stretch[] {
  const noted = text.indexOf(noteMark);
  return split(text, 0, noted === -1 ? text.length : noted, 'new', 'own');
}

/** Everything around it is Andiron's. */
function whatWasSaid(text: string, said: readonly string[]): Stretch[] {
  const stretches: Stretch[] = [];
  let done = 0;
  for (const each of said) {
    const start = text.indexOf(each, done);
    if (start === -1) continue;
    stretches.push({ kind: 'own', length: start - done }, { kind: 'new', length: each.length });
    done = start + each.length;
  }
  return [...stretches, { kind: 'own', length: text.length - done }];
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
