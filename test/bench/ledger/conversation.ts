/** What is said in the bench: heads, replies and results of made-up words, plain enough that nothing is spelt in two ways. */
import type { ContextMessage, PromptHead } from '../../../src/host/providers/provider.ts';
import { reply, type Reply } from '../../../src/sim/index.ts';
import type { JsonObject } from '../../../src/sim/render/index.ts';
import type { Chance } from '../prefix/chance.ts';

export type Assistant = Extract<ContextMessage, { role: 'assistant' }>;

/** A reply as the model writes it and as it stands in the log. */
export interface Spoken {
  script: Reply;
  message: Assistant;
  underGrammar: boolean;
}

export interface Voice {
  thinks: boolean;
  /** Calls come as JSON under a grammar. */
  constrained: boolean;
}

export function makeHead(chance: Chance): PromptHead {
  return {
    system: `You are Andiron. ${chance.paragraph(160)}`,
    tools: Array.from({ length: 5 }, () => makeTool(chance)),
  };
}

export function makeTool(chance: Chance): PromptHead['tools'][number] {
  const text = { type: 'string' as const, description: chance.sentence(8) };
  return {
    name: `${chance.word()}_${chance.word()}`,
    description: chance.sentence(14),
    schema: { type: 'object', properties: { path: text, query: text }, required: ['path'] },
  };
}

export const asks = (chance: Chance): ContextMessage => ({ role: 'user', content: chance.paragraph(40) });

export function resultOf(chance: Chance, { calls }: Assistant): ContextMessage[] {
  return calls.map(({ id, name }) => ({
    role: 'tool',
    callId: id,
    tool: name,
    content: chance.paragraph(60 + chance.below(120)),
  }));
}

export interface Wishes {
  thinking?: boolean;
  textBesideCall?: boolean;
  /** Arguments that a template may spell otherwise. */
  oddArguments?: boolean;
}

export function calls(chance: Chance, head: PromptHead, voice: Voice, wishes: Wishes = {}): Spoken {
  const { name } = chance.pick(head.tools);
  // Behind a text that moves, enough is read again to be told.
  const depth = wishes.textBesideCall ? 12 : 2;
  const path = ['src', ...Array.from({ length: depth }, () => chance.word())].join('/');
  const odd = { query: `${chance.sentence(12)} <${chance.word()}> & more`, path, limit: 2_000_000 };
  const args: JsonObject = wishes.oddArguments ? odd : { path };
  const thinking = voice.thinks && wishes.thinking !== false ? chance.paragraph(36) : '';
  const content = wishes.textBesideCall ? chance.sentence(18) : '';
  const id = `tool_${chance.word()}${chance.below(1e6)}`;
  const message: Assistant = { role: 'assistant', content, thinking, calls: [{ id, name, args }] };
  if (voice.constrained) {
    const sorted = { path, ...(wishes.oddArguments && odd) };
    const written = { ...message, content: '', thinking: '', calls: [{ id, name, args: inOrder(sorted) }] };
    return { script: reply().constrainedCall(name, sorted), message: written, underGrammar: true };
  }
  const spoken = content === '' ? reply() : reply().text(content);
  const script = thinking === '' ? spoken : reply().thinking(thinking);
  const whole = thinking !== '' && content !== '' ? script.text(content) : script;
  return { script: whole.toolCall(name, args), message, underGrammar: false };
}

export function answers(chance: Chance, voice: Voice, wishes: Wishes = {}): Spoken {
  const thinking = voice.thinks && wishes.thinking !== false ? chance.paragraph(36) : '';
  const content = chance.paragraph(40 + chance.below(40));
  const script = thinking === '' ? reply().text(content) : reply().thinking(thinking).text(content);
  return { script, message: { role: 'assistant', content, thinking, calls: [] }, underGrammar: false };
}

/** A grammar writes keys in alphabetical order. */
const inOrder = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
