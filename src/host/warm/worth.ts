/** Whether the end of a turn leaves something that the next message would wait for. */
import type { TemplateCard } from '../prompt/card/card.ts';

/** What a warm-up has to know of a model, from its metadata. */
export interface MemoryFacts {
  /** Goes back to any token of what it holds; a sliding window or a recurrent state goes back to checkpoints only. */
  rewinds: boolean;
  /** The tokenizer puts a begin-of-text mark before every prompt. */
  addsBeginOfText: boolean;
}

/**
 * Where a template keeps everything and a memory rewinds, the next prompt only grows and nothing is sent. Without a
 * card nothing is known, so it is done.
 */
export function isWorthIt(
  card: TemplateCard | undefined,
  think: boolean | string | undefined,
  { rewinds }: Pick<MemoryFacts, 'rewinds'>,
): boolean {
  if (card === undefined || !rewinds) return true;
  return dropsThinking(card, think) || card.tools.place === 'last user message';
}

/** Also where the generation prompt has a mark of thinking that history has not. */
function dropsThinking({ thinking }: TemplateCard, think: boolean | string | undefined): boolean {
  if (thinking.supported === false) return false;
  const kept = think === false ? thinking.off : thinking.byDefault;
  return kept?.afterNextUser !== true;
}

/** Of `model_info`. Keys of memories that do not rewind, behind the architecture's name. */
const bound = /\.(attention\.sliding_window|ssm\.|shortconv\.|wkv\.|full_attention_interval)/;

/** What is not said is taken for the worse: warming too much costs idle time, too little costs a person's. */
export function memoryFacts(modelInfo: Readonly<Record<string, unknown>> | undefined): MemoryFacts {
  const entries = Object.entries(modelInfo ?? {});
  return {
    rewinds: entries.length > 0 && !entries.some(([key, value]) => bound.test(key) && value !== 0),
    // A template that writes the mark is nearly always one of a tokenizer that adds it (engine-truth/renders).
    addsBeginOfText: modelInfo?.['tokenizer.ggml.add_bos_token'] !== false,
  };
}
