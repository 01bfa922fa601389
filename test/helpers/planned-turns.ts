/** What a model writes when it plans, and a turn whose profile asks it to. */
import type { Profile } from '../../src/protocol/model.ts';
import { done, profile, text, TurnWorld, type ScriptedReply } from './turn-world.ts';

export const said = (...words: string[]): ScriptedReply => [text(words.join('\n')), done()];
export const analysis = (reflect: 'yes' | 'no') =>
  said('Goal: greet.', 'Risks: none.', `REFLECT: ${reflect}`);
export const plan = said('**Steps:**', '**M1: Greet**', '1. Look - TOOL: echo', '2. Greet - SELF');
export const answer = said('Hello.');

export function planning(changes: Partial<Profile>, ...replies: ScriptedReply[]): TurnWorld {
  const world = new TurnWorld(...replies);
  world.active = profile({ planningEnabled: true, ...changes });
  return world;
}

export const contents = (world: TurnWorld): string[] => world.messages.map(({ content }) => content);
export const phases = (world: TurnWorld) =>
  world.events.flatMap((event) => (event.type === 'planning/status' ? [event.phase] : []));
export const notes = (world: TurnWorld): string[] =>
  world.items().flatMap((item) => (item.kind === 'note' ? [item.text] : []));

export const checked = (check: string): ScriptedReply =>
  said('**Steps:**', '1. Make it - TOOL: touch', `   CHECK: ${check}`, '2. Greet - SELF');
