/** What a model's template decides about a conversation: by its card, or by its family until it is probed. */
import type { ModelInfo } from '../../protocol/model.ts';
import type { HistoryPolicy } from '../providers/provider.ts';
import type { KeptThinking, Reach, TemplateCard } from './card/card.ts';
import { noMarks, type ControlMarks } from './card/marks.ts';

export interface TemplatePolicy extends HistoryPolicy {
  oneCallPerMessage: boolean;
  /** The tools stand in the system text, none are sent as such, and every call is constrained. */
  toolsInSystem: boolean;
  /** Calls and results go as text of assistant and user: the template does not show them as what they are. */
  callsAsText: boolean;
  /** The system text opens the first user message: as a system message it vanishes after a result. */
  systemInFirstUser: boolean;
  /** When `think` may change without reading the conversation again; mostly it is fixed for a session. */
  thinkSwitch: 'any time' | 'between turns' | 'never';
  /** A side call may switch thinking off and still finds the head in the cache. */
  thinkOffKeepsHead: boolean;
  /** Roles that do not alternate are refused. */
  rolesAlternate: boolean;
  /** Begin-of-text mark to cut off a rendered prompt before it is sent raw to a model whose tokenizer adds one. */
  beginOfText: string;
  /** What only the template writes: never shown to a person where it comes in a reply. */
  marks: ControlMarks;
}

/**
 * Families whose template moves the text beside a call behind the results (gemma4), or drops it (llama 3.1's published
 * template): sent or not, the engine reads the turn again from there, so the shorter history is the better one.
 */
const losesTextBesideCall = new Set(['gemma4', 'llama']);

/** This family's parser passes on a call that the reply ended in, with its arguments cut short. */
const passesOnHalfCalls = new Set(['gemma4']);

export function mayHalveCalls(model: ModelInfo): boolean {
  return passesOnHalfCalls.has(model.family);
}

/** Without a card the family decides. A policy that changes inside a session changes its prompt: take it at the start. */
export function historyPolicy(model: ModelInfo, card?: TemplateCard): TemplatePolicy {
  return card ? policyOf(card) : guess(model);
}

/** Echoing thinking costs nothing where the template drops it and saves the turn where it keeps it (renders, rule 2). */
function guess(model: ModelInfo): TemplatePolicy {
  // The engine refuses a tool list for such a model, and its template shows neither calls nor results.
  const withoutTools = model.capabilities?.includes('tools') === false;
  return {
    echoThinking: true,
    textBesideCall: !losesTextBesideCall.has(model.family),
    oneCallPerMessage: false,
    toolsInSystem: withoutTools,
    callsAsText: withoutTools,
    systemInFirstUser: false,
    thinkSwitch: 'never',
    thinkOffKeepsHead: false,
    rolesAlternate: true,
    beginOfText: '',
    marks: noMarks,
  };
}

export function policyOf(card: TemplateCard): TemplatePolicy {
  const toolsInSystem = card.conversation === 'no tools' || card.tools.inLoop === false;
  const { byDefault, off } = card.thinking;
  return {
    echoThinking: [byDefault, off].some((kept) => kept !== null && isShown(kept)),
    textBesideCall: textIsFaithful(card),
    oneCallPerMessage: card.twoCalls === 'refused' || card.twoCalls === 'one lost',
    toolsInSystem,
    // A constrained call is written as text; shown in any other form, each one would be read again.
    callsAsText: toolsInSystem || card.textBesideCall.callAlone === false || card.resultsShown === false,
    systemInFirstUser: !card.systemInLoop,
    thinkSwitch: thinkSwitch(card),
    thinkOffKeepsHead: [card.thinking.switchAtUser, card.thinking.switchInLoop].every(keepsHead),
    rolesAlternate: card.userAfterUserRefused !== false || card.userAfterResultRefused !== false,
    beginOfText: card.bos,
    marks: card.marks,
  };
}

const isShown = (kept: KeptThinking): boolean =>
  kept.inLoop === true || kept.firstInLoop === true || kept.afterNextUser === true;

/** Sent where it stands in the order of writing, and costs no call. Elsewhere the shorter history is the better one. */
function textIsFaithful({ textBesideCall }: TemplateCard): boolean {
  const { place, callWithText } = textBesideCall;
  return (place === null || place === 'before call') && callWithText !== false;
}

const keepsLog = (reach: Reach | null): boolean => reach === 'nothing' || reach === 'end';
const keepsHead = (reach: Reach | null): boolean => keepsLog(reach) || reach === 'log';

function thinkSwitch({ thinking }: TemplateCard): TemplatePolicy['thinkSwitch'] {
  const { byDefault, off, switchAtUser, switchInLoop } = thinking;
  // What is kept of earlier turns may differ although a first prompt does not.
  if (!keepsLog(switchAtUser) || byDefault.afterNextUser !== off?.afterNextUser) return 'never';
  return keepsLog(switchInLoop) ? 'any time' : 'between turns';
}

/**
 * A rendered prompt as `/api/generate` takes it with `raw:true`: the tokenizer's own mark would double the written one.
 * `tokenizerAddsMark`: `tokenizer.ggml.add_bos_token` of `/api/show`; false = the written one must stay.
 */
export function toRawPrompt(rendered: string, beginOfText: string, tokenizerAddsMark: boolean): string {
  return tokenizerAddsMark && rendered.startsWith(beginOfText)
    ? rendered.slice(beginOfText.length)
    : rendered;
}
