/** A guess at tokens where nothing was measured: 1 per 4 characters, and 16 characters of scaffolding per message (I6). */
import { charactersPerToken } from '../../rules/token-guess.ts';
import { imagesOf, type ContextMessage, type PromptHead } from '../providers/provider.ts';

const scaffolding = 16;
/**
 * What Ollama itself counts for an image when it cuts a prompt, and more than the 500 that were asked for:
 * models take from some 250 to a few thousand. The engine's own counts correct it as they do everything else.
 */
export const imageTokens = 768;

export function estimateTokens(messages: readonly ContextMessage[]): number {
  let characters = 0;
  for (const message of messages) {
    characters += scaffolding + message.content.length;
    characters += imagesOf(message).length * imageTokens * charactersPerToken;
    if (message.role !== 'assistant') continue;
    characters += message.thinking.length;
    for (const call of message.calls)
      characters += call.name.length + JSON.stringify(call.args).length + scaffolding;
  }
  return Math.ceil(characters / charactersPerToken);
}

export const countImages = (messages: readonly ContextMessage[]): number =>
  messages.reduce((count, message) => count + imagesOf(message).length, 0);

export function estimateHead(head: PromptHead): number {
  return Math.ceil((head.system.length + JSON.stringify(head.tools).length) / charactersPerToken);
}

/** What a request will hold: the last measured prompt and reply, plus a guess at what came since. */
export interface PromptMeasure {
  /** Tokens of prompt and reply together, counted by the engine. */
  tokens: number;
  /** How many messages of the log that covers. */
  messages: number;
  /** How many images were among them: a model that does not see was sent none. */
  images?: number;
}

export function estimatePrompt(
  head: PromptHead,
  messages: readonly ContextMessage[],
  measured: PromptMeasure | null,
  /** What this model counts for an estimated token (W11). */
  ratio = 1,
): number {
  if (measured === null || measured.messages > messages.length)
    return Math.ceil((estimateHead(head) + estimateTokens(messages)) * ratio);
  const { tokens, images } = measured;
  const shown = countImages(messages.slice(0, measured.messages));
  const others = images === undefined ? 0 : (shown - images) * imageTokens;
  return tokens + others + Math.ceil(estimateTokens(messages.slice(measured.messages)) * ratio);
}
