/** A session whose window is nearly full, and what became of it. */
import type { ItemOf, Profile } from '../../src/protocol/model.ts';
import { summaryInstruction } from '../../src/host/prompt/compaction.ts';
import { estimateHead, estimateTokens } from '../../src/host/prompt/token-estimate.ts';
import { done, profile, text, TurnWorld, words, type ScriptedReply } from './turn-world.ts';

export const windowTokens = 4096;
export const summary: ScriptedReply = [text('Goal: go on.'), done()];

/** A session with this much said before, in turns of their own: [words of the person, words of the answer]. */
export async function after(
  said: readonly [number, number][],
  changes: Partial<Profile>,
  ...replies: ScriptedReply[]
): Promise<TurnWorld> {
  const answers = said.map(([, length]): ScriptedReply => [text(words(length)), done()]);
  const world = new TurnWorld(...answers, ...replies);
  world.opening = 'Workspace folder: /work\n\n';
  world.active = profile({ contextTokens: windowTokens, ...changes, compactAt: 0 });
  for (const [index, [length]] of said.entries()) await world.run(`#${String(index)} ${words(length)}`);
  world.active = profile({ contextTokens: windowTokens, ...changes });
  world.events.length = 0;
  world.requests.length = 0;
  return world;
}

export const summaries = (world: TurnWorld): ItemOf<'summary'>[] =>
  world.items().filter((item): item is ItemOf<'summary'> => item.kind === 'summary');
export const estimated = (world: TurnWorld): number => {
  const head = world.requests[0]?.head;
  return (head ? estimateHead(head) : 0) + estimateTokens(world.messages);
};
export const isSummaryRequest = ({ messages }: TurnWorld['requests'][number]): boolean =>
  messages.at(-1)?.content === summaryInstruction;
