/** The template card: how a model's template treats a conversation, as seen in about 25 renders. */
import { z } from 'zod';
import { lazyObject } from '../../../protocol/lazy-object.ts';
import { marksSchema } from './marks.ts';
import { parseJson } from '../../../protocol/json.ts';

/** null everywhere = the probes could not show it. */
const seen = z.boolean().nullable();

const piece = z.enum(['system', 'tools', 'user']);

/** Of the model's own thinking, sent back to it. */
const thinkingSchema = z.object({
  /** That of the newest step of the turn is in the prompt. */
  inLoop: seen,
  /** So is that of the turn's first step. */
  firstInLoop: seen,
  /** It stays when the next user message comes. */
  afterNextUser: seen,
});

/** From where a prompt is read again: nowhere, behind the last message, inside the log, inside the head. */
const reachSchema = z.enum(['nothing', 'end', 'log', 'head']);
export type Reach = z.infer<typeof reachSchema>;

const withoutFieldSchema = z.enum(['same', 'differs', 'refused']).nullable();

export const templateCardSchema = lazyObject(() => ({
  /** Of this file's fields and their meaning: a card of another version is made anew. */
  version: z.literal(2),
  /** What the conversation needed so as not to be refused. */
  conversation: z.enum(['any', 'nine-character ids', 'one call per message', 'no tools']),
  /** System text, tool list and first user text, in their order in a prompt that ends in a result; absent = not there. */
  order: z.array(piece),
  tools: z.object({
    place: z.enum(['head', 'last user message', 'nowhere']).nullable(),
    /** The tool list is in a prompt that ends in a result. */
    inLoop: seen,
  }),
  /** The system text is in a prompt that ends in a result (without tools: in a later prompt). */
  systemInLoop: z.boolean(),
  thinking: z.object({
    /** `think:true` is taken. */
    supported: z.boolean().nullable(),
    /** With `think` left out. */
    byDefault: thinkingSchema,
    off: thinkingSchema.nullable(),
    defaultIsOn: seen,
    defaultIsOff: seen,
    /** What switching think off changes at a first user message, and after results. */
    switchAtUser: reachSchema.nullable(),
    switchInLoop: reachSchema.nullable(),
  }),
  textBesideCall: z.object({
    /** Where the text stands that the model wrote before its call. */
    place: z.enum(['before call', 'after call', 'after result', 'dropped']).nullable(),
    /** The call is in the prompt: with a text beside it, and alone. */
    callWithText: seen,
    callAlone: seen,
  }),
  /** null = the text beside them hid both. */
  twoCalls: z.enum(['kept', 'one lost', 'refused']).nullable(),
  resultsShown: seen,
  /** A conversation with calls that is sent without a tool list. */
  withoutTools: z.object({ calls: seen, results: seen }),
  secondSystem: z.enum(['in place', 'moved to the head', 'dropped', 'refused']).nullable(),
  /** Two user messages in a row, and one right after a result. */
  userAfterUserRefused: seen,
  userAfterResultRefused: seen,
  /** A result's prompt without the field, beside the one with both. */
  ids: z.object({
    noCallId: withoutFieldSchema,
    noToolName: withoutFieldSchema,
    neither: withoutFieldSchema,
  }),
  arguments: z.object({
    order: z.enum(['as sent', 'sorted']).nullable(),
    html: z.enum(['raw', 'escaped']).nullable(),
    newline: z.enum(['raw', 'escaped']).nullable(),
    /** How 1000000 is spelled. */
    million: z.string().nullable(),
    /** What becomes of an integer beyond 64 bits: its last digits are lost, it gets an exponent, it is another number. */
    hugeInteger: z.enum(['rounded', 'exponent', 'garbage']).nullable(),
  }),
  /** When the prompt has a date in it: it changes at midnight. */
  date: z.enum(['always', 'without system text', 'never']),
  /** The begin-of-text mark that the template writes itself; '' = none. */
  bos: z.string(),
  /** What only the template writes. */
  marks: marksSchema,
  /** Ids of the refused probes. */
  refusals: z.array(z.string()),
}));
export type TemplateCard = z.infer<typeof templateCardSchema>;
export type KeptThinking = TemplateCard['thinking']['byDefault'];

/** What keeps the cards as JSON and need not know them. */
export interface CardRows {
  get(digest: string): string | undefined;
  set(digest: string, json: string): void;
}

/** Cards by the model's digest. One that cannot be read, or is of another version, is none: the template is probed again. */
export function createCardStore(rows: CardRows) {
  return {
    get: (digest: string): TemplateCard | undefined => readCard(rows.get(digest)),
    set: (digest: string, card: TemplateCard): void => rows.set(digest, JSON.stringify(card)),
  };
}

function readCard(json: string | undefined): TemplateCard | undefined {
  if (json === undefined) return undefined;
  try {
    return templateCardSchema.safeParse(parseJson(json)).data;
  } catch {
    return undefined;
  }
}
