/** Whatever is done with a conversation, in any order: each generation in force is a history that any model accepts. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AndironError } from '../../src/protocol/errors.ts';
import type { SessionView, World } from '../helpers/host-world.ts';
import { assertValidLogs, numbersRead, speakingWorld, storedLog } from '../helpers/session-world.ts';
import { isThorough } from '../helpers/thorough.ts';

type Deed =
  | 'say'
  | 'read'
  | 'stop'
  | 'fork'
  | 'edit'
  | 'regenerate'
  | 'choose'
  | 'compact'
  | 'undo'
  | 'reset'
  | 'restart'
  | 'import';
const deeds: Deed[] = [
  'say',
  'read',
  'say',
  'stop',
  'fork',
  'edit',
  'regenerate',
  'choose',
  'choose',
  'compact',
  'undo',
  'reset',
  'restart',
  'import',
];
interface Step {
  deed: Deed;
  pick: number;
}
const steps = fc.array(fc.record({ deed: fc.constantFrom(...deeds), pick: fc.nat(50) }), {
  minLength: 8,
  maxLength: 16,
});

/** One window at a time, on the session that the last deed made. */
class Person {
  readonly #world: World;
  readonly did: string[] = [];
  #view: SessionView;
  #count = 0;

  constructor(world: World, view: SessionView) {
    this.#world = world;
    this.#view = view;
  }

  async do({ deed, pick }: Step): Promise<void> {
    try {
      await this.#act(deed, pick);
      this.did.push(deed);
    } catch (error) {
      // Refused in words for a person, and nothing has happened.
      if (!(error instanceof AndironError) || !['not_found', 'busy'].includes(error.code)) throw error;
    }
    assertValidLogs(this.#world);
    this.#checkRead();
  }

  async #act(deed: Deed, pick: number): Promise<void> {
    const { rpc, sessionId, state } = this.#view;
    const turnId = state.turns[pick % Math.max(1, state.turns.length)]?.id ?? 'none';
    const message = `#${String((this.#count += 1))}`;
    switch (deed) {
      case 'say':
        return void (await this.#view.ask(message));
      case 'read':
        return void (await this.#view.ask(`read ${message}`));
      case 'stop': {
        const running = await this.#view.send(`hang ${message}`);
        await this.#view.until(() => this.#view.turn(running)?.status === 'running');
        await rpc.call('turn/stop', { sessionId });
        return void (await this.#view.closed(running));
      }
      case 'fork':
        return this.#follow((await rpc.call('session/fork', { sessionId, turnId })).session.id);
      case 'import': {
        const { snapshot } = await rpc.call('session/export', { sessionId });
        return this.#follow((await rpc.call('session/import', { snapshot })).session.id);
      }
      case 'edit':
        return this.#closed(await rpc.call('turn/edit', { sessionId, turnId, text: message }));
      case 'regenerate': {
        // What hangs would hang again.
        if (this.#view.turn(turnId)?.text.includes('hang')) return;
        return this.#closed(await rpc.call('turn/regenerate', { sessionId, turnId }));
      }
      case 'choose': {
        const several = state.turns.filter(({ replaced, versions }) => !replaced && versions);
        const { versions = ['none'] } = several[pick % Math.max(1, several.length)] ?? {};
        const chosen = versions[pick % versions.length] ?? 'none';
        return void (await rpc.call('turn/choose-version', { sessionId, turnId: chosen }));
      }
      case 'compact':
        return this.#closed(await rpc.call('session/compact', { sessionId }));
      case 'undo': {
        const itemId = this.#view.items('summary').findLast(({ undone }) => !undone)?.id ?? 'none';
        return void (await rpc.call('session/undo-compaction', { sessionId, itemId }));
      }
      case 'reset':
        return void (await rpc.call('session/reset', { sessionId }));
      case 'restart':
        await this.#world.restartHost();
        return this.#follow(sessionId);
    }
  }

  async #follow(sessionId: string): Promise<void> {
    this.#view = await this.#world.openWindow().follow(sessionId);
  }

  async #closed({ turnId }: { turnId: string }): Promise<void> {
    await this.#view.closed(turnId);
  }

  /** The model reads messages of the version in force, in their order, the newest at the end, and no other. */
  #checkRead(): void {
    const read = numbersRead(storedLog(this.#world, this.#view.sessionId));
    const inForce = this.#view.state.turns
      .filter(({ replaced }) => !replaced)
      .flatMap(({ text }) => /#(\d+)/.exec(text)?.[1] ?? []);
    const expected = inForce.filter((number) => read.includes(number));
    const newest = inForce.at(-1);
    const wrong = expected.join() !== read.join() || (newest !== undefined && newest !== read.at(-1));
    if (wrong) throw new Error(`The model reads ${read.join()} of ${inForce.join()}`);
  }
}

test('X12 a: forks, edits, undone summaries and resets in any order leave only valid histories', async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(steps, async (chosen) => {
      const world = await speakingWorld();
      try {
        const person = new Person(world, await world.openSession());
        for (const deed of ['say', 'read'] as const) await person.do({ deed, pick: 0 });
        for (const step of chosen) await person.do(step);
        for (const deed of person.did) met.add(deed);
      } finally {
        await world.close();
      }
    }),
    { ...(isThorough ? { numRuns: 100 } : { numRuns: 5, seed: 20_260 }), endOnFailure: true },
  );
  expect(deeds.filter((deed) => !met.has(deed))).toEqual([]);
});
