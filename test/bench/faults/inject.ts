/** Replies, and what may be wrong with them. */
import { reply, type Reply } from '../../../src/sim/index.ts';
import type { FamilyName, JsonObject } from '../../../src/sim/render/index.ts';
import { Chance } from '../prefix/chance.ts';
import type { Move } from './honest-model.ts';
import type { ScriptedCall } from './tasks.ts';

export const freeKinds = [
  'broken JSON',
  'call as text',
  'wrong tool name',
  'missing argument',
  'repeated call',
  'empty reply',
  'thinking forever',
  'no done',
  'reply without end',
  'same reply six times',
] as const;

/** What becomes of a grammar that the engine does not take. */
const refusedKinds = ['refused pattern', 'refused enum'] as const;

/** What a grammar cannot exclude, and what becomes of a grammar that the engine does not take. */
export const constrainedKinds = [
  'cut by the limit',
  'repeated call',
  'empty reply',
  'thinking forever',
  'no done',
  'reply without end',
  'same reply six times',
  ...refusedKinds,
] as const;

/** Of what a model says as its turn opens. */
const openingKinds = [
  'opening in broken JSON',
  'opening cut by the limit',
  'empty opening',
  'opening without end',
  'opening without done',
  'refused opening',
] as const;

export type OpeningFault = (typeof openingKinds)[number];
export type CallFault = (typeof freeKinds)[number] | (typeof constrainedKinds)[number];
export type FaultKind = CallFault | OpeningFault;

/** One reply's fate, drawn before anything is known of the reply. */
export interface Fate {
  isFaulty: boolean;
  /** From 0 up to, not including, 1: which of the kinds that are possible, and which form of it. */
  kind: number;
  form: number;
}

const fineness = 1_000_000;

/** The fates of one task's replies, in order, retries included. Whoever draws anew gets the same. */
export function fates(seed: number, task: number, rate: number): () => Fate {
  const chance = new Chance(seed * 100_003 + task);
  const draw = (): number => chance.below(fineness) / fineness;
  return () => ({ isFaulty: draw() < rate, kind: draw(), form: draw() });
}

export interface OfferInput {
  family: FamilyName;
  move: Move;
  /** The newest call in the messages. */
  previous: ScriptedCall | undefined;
  isConstrained: boolean;
  /** Of the request. */
  format: unknown;
  /** May a constrained reply be that call again? */
  mayRepeat: boolean;
}

/** Uniform over the kinds that the request leaves possible; null = none. */
export function faultOf({ kind }: Fate, situation: OfferInput): CallFault | null {
  const kinds: readonly CallFault[] = situation.isConstrained ? constrainedKinds : freeKinds;
  const possible = kinds.filter((each) => isPossible(each, situation));
  return possible.length === 0 ? null : pick(possible, kind);
}

function isPossible(kind: CallFault, { previous, isConstrained, mayRepeat, format }: OfferInput): boolean {
  if (kind === 'repeated call') return !isConstrained || (mayRepeat && previous !== undefined);
  if (kind === 'refused pattern') return hasKeyword(format, 'pattern');
  return kind !== 'refused enum' || hasKeyword(format, 'enum');
}

function hasKeyword(schema: unknown, keyword: string): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return keyword in schema || Object.values(schema).some((part) => hasKeyword(part, keyword));
}

/** As llama.cpp words it, in the error of Ollama. */
const refusal = {
  code: 400,
  message: 'Failed to initialize samplers: failed to parse grammar',
  type: 'invalid_request_error',
};

export function rightReply({ move, isConstrained }: OfferInput): Reply {
  if (isConstrained) return reply().text(constrained(move));
  return move.kind === 'answer' ? reply().text(move.text) : calling(move.call);
}

/** A fault of a call, where the model would answer, is made of the call before: it tries that once more. */
export function faultyReply(fault: CallFault, situation: OfferInput, { form }: Pick<Fate, 'form'>): Reply {
  const { move, previous, isConstrained } = situation;
  const call = move.kind === 'call' ? move.call : (previous ?? nothing);
  switch (fault) {
    case 'broken JSON':
      return reply().text(pick(brokenForms, form)(call));
    case 'call as text':
      return reply().text(pick(textForms, form)(call));
    case 'wrong tool name':
      return calling({ ...call, name: pick(wrongNames[call.name] ?? ['do_it'], form) });
    case 'missing argument':
      return calling({ ...call, arguments: withoutFirst(call.arguments) });
    case 'repeated call':
      if (isConstrained) return reply().text(constrained({ kind: 'call', call: previous ?? call }));
      return previous === undefined ? calling(call).toolCall(call.name, call.arguments) : calling(previous);
    case 'empty reply':
      return reply().emptyReply();
    case 'thinking forever':
      return thinkingForEver(situation.family);
    case 'no done':
      return rightReply(situation).eofWithoutDone();
    case 'reply without end':
      return withoutEnd(situation, form);
    case 'same reply six times':
      return faultyReply(pick(isConstrained ? stubbornConstrained : stubbornFree, form), situation, { form });
    case 'refused pattern':
    case 'refused enum':
      return refusedGrammar();
    case 'cut by the limit': {
      const whole = constrained(move);
      return reply()
        .text(whole.slice(0, Math.ceil(whole.length * (0.2 + 0.6 * form))))
        .length();
    }
  }
}

export const openingFaultOf = ({ kind }: Fate): OpeningFault => pick(openingKinds, kind);

/** @param right the opening as it should be. */
export function faultyOpening(fault: OpeningFault, right: string, { form }: Pick<Fate, 'form'>): Reply {
  const begun = right.slice(0, Math.ceil(right.length * (0.2 + 0.6 * form)));
  switch (fault) {
    case 'opening in broken JSON':
      return reply().text(begun);
    case 'opening cut by the limit':
      return reply().text(begun).length();
    case 'empty opening':
      return reply().emptyReply();
    case 'opening without end':
      return reply()
        .text(`{"steps":[{"act":"look","what":"${sentence.repeat(rounds)}`)
        .length();
    case 'opening without done':
      return reply().text(right).eofWithoutDone();
    case 'refused opening':
      return refusedGrammar();
  }
}

const refusedGrammar = (): Reply => reply().error(400, JSON.stringify({ error: refusal }));

/** What is wrong with a reply that comes again and again. */
const stubbornFree = ['broken JSON', 'empty reply', 'wrong tool name', 'missing argument'] as const;
const stubbornConstrained = ['cut by the limit', 'empty reply'] as const;

/** As often as no limit allows: whoever does not cut it waits for all of it. */
const rounds = 600;
const sentence = 'I will look at it now and tell you what it says. ';

function withoutEnd({ move, previous, isConstrained }: OfferInput, form: number): Reply {
  const call = move.kind === 'call' ? move.call : (previous ?? nothing);
  if (isConstrained) {
    const opening =
      move.kind === 'answer'
        ? '{"answer":"'
        : `{"call":"${call.name}","with":{"${firstOf(call.arguments)}":"`;
    return reply()
      .text(opening + sentence.repeat(rounds))
      .length();
  }
  const written = `\`\`\`json\n${asJson(call)}\n\`\`\`\n`;
  const loops = [
    () => reply().text(sentence.repeat(rounds)).length(),
    () => reply().text(written.repeat(rounds)).length(),
    () =>
      Array.from({ length: 40 }).reduce<Reply>((made) => made.toolCall(call.name, call.arguments), reply()),
  ];
  return pick(loops, form)();
}

const firstOf = (args: JsonObject): string => Object.keys(args)[0] ?? 'path';

const nothing: ScriptedCall = { name: 'list_files', arguments: {} };

function calling({ name, arguments: args }: ScriptedCall): Reply {
  return reply().toolCall(name, args);
}

function constrained(move: Move): string {
  return JSON.stringify(
    move.kind === 'answer' ? { answer: move.text } : { call: move.call.name, with: move.call.arguments },
  );
}

type Form = (call: ScriptedCall) => string;

const asJson: Form = ({ name, arguments: args }) => JSON.stringify({ name, arguments: args });

const textForms: readonly Form[] = [
  asJson,
  (call) => `\`\`\`json\n${asJson(call)}\n\`\`\``,
  (call) => `I do that with this call:\n\n\`\`\`json\n${asJson(call)}\n\`\`\``,
  ({ name, arguments: args }) =>
    `<function_call>\n{"name": "${name}", "arguments": ${JSON.stringify(args)}}\n</function_call>`,
];

/** JSON that nobody can read for sure: broken off, a quote lost, no bracket closed; in the open, in a fence, in tags. */
const brokenForms: readonly Form[] = [
  (call) => asJson(call).slice(0, -Math.ceil(asJson(call).length / 3)),
  (call) => `\`\`\`json\n${asJson(call).slice(0, -3)}\n\`\`\``,
  (call) => asJson(call).replace('"arguments":{"', '"arguments":{'),
  (call) => `<tool_call>\n${asJson(call).slice(0, -2)}\n</tool_call>`,
];

const wrongNames: Readonly<Record<string, readonly string[]>> = {
  read_file: ['open_file', 'readFile', 'cat', 'get_document'],
  write_file: ['create_file', 'save', 'writeFile', 'store_text'],
  edit_file: ['str_replace', 'editFile', 'modify', 'apply_change'],
  search: ['grep', 'find_text', 'searchFiles', 'look_up'],
  glob: ['find_files', 'findFile', 'locate', 'file_finder'],
  run_command: ['bash', 'shell', 'runCommand', 'os_system'],
};

function withoutFirst(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).slice(1));
}

function pick<T>(from: readonly T[], share: number): T {
  const picked = from[Math.floor(share * from.length)];
  if (picked === undefined) throw new Error('There is nothing to pick from.');
  return picked;
}

/** Gemma's parser is told by a mark that a reply thinks, whatever the prompt ended in. */
function thinkingForEver(family: FamilyName): Reply {
  if (family !== 'gemma4-small') return reply().thinking(endlessThinking).length();
  return reply()
    .raw('<|channel>', 'thought\n', ...endlessThinking.split(/(?<= )/))
    .length();
}

/** More than any limit of a reply, and nothing that a guard against repeated tokens would end. */
const endlessThinking = new Chance(1).paragraph(20_000);
