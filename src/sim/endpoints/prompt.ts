import type { WireParts } from '../engine.ts';
import type { SimModel } from '../models.ts';
import { tokenise } from '../render/index.ts';
import type { Message, Piece, ThinkingState, ThinkValue, Tool } from '../render/index.ts';
import { refuse, type Outcome, type Refusal } from '../wire/outcome.ts';
import type { RunRequest } from '../wire/requests.ts';
import { parseThink } from '../wire/think.ts';

/** A prompt on its way to the runner. */
export interface ReadyPrompt {
  text: string;
  tokens: string[];
  userStarts: number[];
  thinking: ThinkingState;
}

export interface PromptRequest {
  /** The model's name as the client sent it. */
  name: string;
  messages: readonly Message[];
  tools: readonly Tool[];
  think: ThinkValue | undefined;
  /** When the prompt is written, in milliseconds since 1970; some families print the day. */
  at: number;
}

const TOO_LONG =
  'the prompt is longer than the context length currently available to the model; shorten the prompt, ' +
  'adjust the context length in settings, or use a model with a longer context length';

export const tokensOf = (model: SimModel, text: string): string[] => (model.tokenise ?? tokenise)(text);

/** A model that can think does so unless told otherwise, one that cannot never does. */
export function thinkOf(model: SimModel, asked: ThinkValue | undefined): ThinkValue {
  return asked ?? model.capabilities.includes('thinking');
}

/** Whether a model takes this `think`. Renderers take any word, templates only those that Ollama knows. */
export function thinkProblem(
  { dialect }: WireParts,
  model: SimModel,
  { model: sent, think }: RunRequest,
): Refusal | undefined {
  const word = parseThink(think, model.path === 'rendered' ? dialect : '0.33.2');
  if (!word.ok) return word;
  const isUnsupported = think !== undefined && think !== false && !model.capabilities.includes('thinking');
  return isUnsupported ? refuse(400, `${JSON.stringify(sent)} does not support thinking`) : undefined;
}

/** Renders and tokenises a list of messages as the model's family does. */
export function renderPrompt(model: SimModel, request: PromptRequest): Outcome<ReadyPrompt> {
  const rendered = model.family.render({
    model: request.name,
    messages: withModelSystem(model, request.messages),
    tools: request.tools,
    // A family whose template knows no thinking would refuse the word.
    think: model.family.capabilities.includes('thinking') ? request.think : undefined,
    today: localDay(request.at),
  });
  if (!rendered.ok) return rendered;
  const { text, pieces, thinking } = rendered;
  const userStarts = model.path === 'native' ? startsOfUserPieces(model, pieces) : [];
  return { ok: true, value: { text, tokens: tokensOf(model, text), userStarts, thinking } };
}

/** The day by the machine's own calendar, as 2026-11-21. */
function localDay(at: number): string {
  const date = new Date(at);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/**
 * Drops whole messages from the front until the prompt fits; system messages and the last message stay.
 * Nothing tells the client.
 */
export function renderFitting(model: SimModel, request: PromptRequest, numCtx: number): Outcome<ReadyPrompt> {
  const { messages } = request;
  let rendered = renderPrompt(model, request);
  for (
    let first = 1;
    first < messages.length && rendered.ok && rendered.value.tokens.length > numCtx;
    first++
  ) {
    const kept = messages.filter((message, index) => index >= first || message.role === 'system');
    rendered = renderPrompt(model, { ...request, messages: kept });
  }
  return rendered;
}

/** What Ollama does to a prompt that is still too long: cut its middle out, or refuse where it may not. */
export function cutToFit(
  tokens: string[],
  numCtx: number,
  numKeep: number,
  shift: boolean,
): Outcome<string[]> {
  if (tokens.length <= numCtx) return { ok: true, value: tokens };
  if (!shift) return refuse(400, TOO_LONG);
  const keep = Math.max(0, Math.min(numKeep, numCtx - 1));
  const tail = Math.floor((numCtx - keep) / 2);
  return { ok: true, value: [...tokens.slice(0, keep), ...tokens.slice(tokens.length - tail)] };
}

/** The Modelfile's SYSTEM stands before a conversation that does not begin with a system message. */
function withModelSystem(model: SimModel, messages: readonly Message[]): readonly Message[] {
  if (model.system === '' || messages[0]?.role === 'system') return messages;
  return [{ role: 'system', content: model.system }, ...messages];
}

function startsOfUserPieces(model: SimModel, pieces: readonly Piece[]): number[] {
  let tokens = 0;
  const starts: number[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'user') starts.push(tokens);
    tokens += tokensOf(model, piece.text).length;
  }
  return starts;
}
