/** Exported sessions as large as they may be, each in its own way. */
import { z } from 'zod';
import type { Window } from './host-world.ts';

export type SnapshotFile = Record<string, unknown>;

const line = 'a line of text, and "more"\n';

/** A session with nothing in it, as a file. */
export async function emptySession({ rpc }: Window, workspace: string): Promise<SnapshotFile> {
  const { session } = await rpc.call('session/create', { workspace });
  const { snapshot } = await rpc.call('session/export', { sessionId: session.id });
  await rpc.call('session/delete', { sessionId: session.id });
  return z.looseObject({}).parse(snapshot);
}

/** So many turns, each with a message and its answer of few words. */
export function withTurns(empty: SnapshotFile, count: number): SnapshotFile {
  const words = line.repeat(8);
  const turns = Array.from({ length: count }, (_, index) => ({
    id: `turn_${String(index)}`,
    status: 'finished',
    text: words,
    profileId: 'developer',
    model: null,
    phase: null,
    phaseSince: null,
    queuedAt: 1,
    startedAt: 1,
    endedAt: 2,
    closed: true,
    iterations: 1,
    usage: [],
  }));
  const items = turns.map(({ id: turnId }, index) => ({
    kind: 'user',
    id: `item_${String(index)}`,
    turnId,
    index,
    startedAt: 1,
    completedAt: 1,
    cut: false,
    text: words,
  }));
  const context = turns.flatMap(({ id: turnId }) => [
    { message: { role: 'user', content: 'Go on.' }, turnId },
    { message: { role: 'assistant', content: 'Done.', thinking: '', calls: [] }, turnId },
  ]);
  return { ...empty, turns, items, context };
}

/** So many messages and answers of so many characters each. */
export function withMessages(empty: SnapshotFile, count: number, characters: number): SnapshotFile {
  const content = line.repeat(Math.ceil(characters / line.length));
  const context = Array.from({ length: count }, (_, index) => ({
    message:
      index % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content, thinking: '', calls: [] },
    turnId: null,
  }));
  return { ...empty, context };
}
