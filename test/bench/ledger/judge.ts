/** What was true of a request, and whether the ledger said so. */
import type { Reading } from '../../../src/protocol/engine-room.ts';
import type { FamilyName } from '../../../src/sim/render/index.ts';
import type { Expected, Injection, Lay } from './causes.ts';
import type { BenchEngine, Truth } from './engine.ts';
import type { Assistant } from './conversation.ts';

/** Re-reads of so many tokens must have a cause; of so few must have none; between them nothing is asked. */
export const [enough, few] = [32, 8];

export interface Verdict {
  injection: Injection | null;
  expected: Expected | null;
  isStopped: boolean;
  predicted: number;
}

export interface Case extends Verdict {
  family: FamilyName;
  /** What of the evaluated tokens had been evaluated before. */
  reread: number;
  cached: number;
  promptTokens: number;
  isForeseeable: boolean;
  reading: Reading;
}

const written: ReadonlySet<string> = new Set(['assistant', 'thinking', 'call']);

export function commonOf(a: readonly number[], b: readonly number[]): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at += 1;
  return at;
}

/** Tokens behind the cached ones that belong to texts which this model had read or written before. */
export function rereadOf(
  { prompt, cached, ids, evaluated }: Truth,
  engine: BenchEngine,
  seen: Set<string>,
): number {
  let reread = 0;
  let end = ids.length;
  const texts: string[] = [];
  for (const { kind, text } of prompt.pieces.toReversed()) {
    const start = end - engine.countOf(text);
    const overlap = Math.min(end, evaluated) - Math.max(start, cached);
    end = start;
    if (kind === 'markup') continue;
    // Whatever the model wrote it has evaluated, in its own spelling.
    if (overlap > 0 && (seen.has(text) || written.has(kind))) reread += overlap;
    if (end + engine.countOf(text) <= evaluated) texts.push(text);
    if (end <= cached) break;
  }
  for (const text of texts) seen.add(text);
  return reread;
}

export interface Past {
  lay: Lay;
  last: { truth: Truth; think: boolean | undefined; reply: Assistant | null };
  truth: Truth;
  /** Tokens in common with all that the last request left. */
  common: number;
  isNewTurn: boolean;
}

const template = (cause: Expected['cause']): Expected => ({ cause, owner: 'template' });

/** What the template does to a conversation that only grew. */
export function naturalCause({ lay, last, truth, common, isNewTurn }: Past): Expected | null {
  if (common >= last.truth.held.length - 2 && truth.cached >= common - few) return null;
  const { card, policy, model } = lay;
  const { byDefault } = card.thinking;
  const drops = byDefault.inLoop === true && byDefault.afterNextUser === false;
  const isInReply = common >= last.truth.ids.length - 24;
  if (isNewTurn && card.tools.place === 'last user message' && !policy.toolsInSystem)
    return template('tools_moved');
  const { reply } = last;
  if (isNewTurn && drops && (!isInReply || reply?.thinking !== '')) return template('thinking_dropped');
  if (isInReply && common < last.truth.held.length - 2) {
    const isLeftOut =
      reply !== null && reply.content !== '' && reply.calls.length > 0 && !policy.textBesideCall;
    return template(isLeftOut ? 'text_moved' : 'rendering');
  }
  return model.memory.kind === 'full' ? null : { cause: 'checkpoint', owner: 'engine' };
}
