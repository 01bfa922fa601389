/** What to send of a model's own past, by family, until the template is probed (design 5.3). */
import type { ModelInfo } from '../../protocol/model.ts';
import type { HistoryPolicy } from '../providers/provider.ts';

/**
 * Families whose template moves the text beside a call behind the results (gemma4), or drops it (llama 3.1's published
 * template): sent or not, the engine reads the turn again from there, so the shorter history is the better one.
 */
const losesTextBesideCall = new Set(['gemma4', 'llama']);

/** This family's parser passes on a call that the reply ended in, with its arguments cut short (contract 2.4). */
const passesOnHalfCalls = new Set(['gemma4']);

export function mayHalveCalls(model: ModelInfo): boolean {
  return passesOnHalfCalls.has(model.family);
}

/** Echoing thinking costs nothing where the template drops it and saves the turn where it keeps it (renders, rule 2). */
export function historyPolicy(model: ModelInfo): HistoryPolicy {
  return { echoThinking: true, textBesideCall: !losesTextBesideCall.has(model.family) };
}
