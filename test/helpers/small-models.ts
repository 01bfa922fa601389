/** A turn with a model that is called under a grammar and opens its turns, and what it says. */
import { done, text, TurnWorld } from './turn-world.ts';

export type Replies = ConstructorParameters<typeof TurnWorld>;
type Act = 'look' | 'change' | 'run' | 'answer';

export const smallSize = '630.17M';

/** It keeps to a grammar and opens its turns. */
export function small(...replies: Replies): TurnWorld {
  const world = new TurnWorld(...replies);
  world.leased = { parameterSize: smallSize };
  world.entries = ['a.txt'];
  return world;
}

export const reply = (value: unknown) => [text(JSON.stringify(value)), done()];
export const opening = (...acts: Act[]) =>
  reply({ steps: acts.map((act) => ({ act, what: act === 'answer' ? 'what was asked' : `${act} at it` })) });
export const looks = reply({ call: 'echo', with: {} });
export const touches = reply({ call: 'touch', with: {} });
export const answers = (words: string) => reply({ answer: words });
