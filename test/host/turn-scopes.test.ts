/** What a turn said as it opened and what the person allowed it: kept, copied, and never taken on trust. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TurnScope } from '../../src/protocol/model.ts';
import type { SessionView, World } from '../helpers/host-world.ts';
import { assertValidLogs, speakingWorld } from '../helpers/session-world.ts';

let world: World;
let session: SessionView;
let sessionId: string;
beforeEach(async () => {
  world = await speakingWorld();
  session = await world.openSession();
  sessionId = session.sessionId;
});
afterEach(async () => {
  assertValidLogs(world);
  await world.close();
});

const scope: TurnScope = {
  change: false,
  run: false,
  steps: [
    { act: 'look', what: 'what notes.txt says 🥛' },
    { act: 'answer', what: '' },
  ],
};
const scopes = ({ state }: SessionView) => state.turns.map((turn) => turn.scope);
const allowed = ({ state }: SessionView) => state.turns.map(({ allow }) => allow);
const exported = z.looseObject({ turns: z.array(z.looseObject({})) });

async function exportOf(id: string) {
  const { snapshot } = await session.rpc.call('session/export', { sessionId: id });
  return exported.parse(snapshot);
}

/** A copy of the session whose first turn says this beside what it is. */
async function importWith(more: object): Promise<SessionView> {
  const file = await exportOf(sessionId);
  const turns = file.turns.map((turn, at) => (at === 0 ? { ...turn, ...more } : turn));
  const made = await session.rpc.call('session/import', { snapshot: { ...file, turns } });
  return world.openWindow().follow(made.session.id);
}

describe('the scope of a turn', () => {
  it('a scope survives import, restart, fork and export, and a turn of an older Andiron has none', async () => {
    await session.ask('read #1');
    await session.ask('#2');
    const copy = await importWith({ scope });
    expect(scopes(copy)).toEqual([scope, undefined]);
    await world.restartHost();
    const later = await world.openWindow().follow(copy.sessionId);
    expect(scopes(later)).toEqual([scope, undefined]);
    session = later;
    const forked = await later.rpc.call('session/fork', { sessionId: copy.sessionId });
    expect(scopes(await world.openWindow().follow(forked.session.id))).toEqual([scope, undefined]);
    expect((await exportOf(copy.sessionId)).turns[0]).toMatchObject({ scope });
    await later.ask('#3');
    expect(later.state.turns.at(0)).toMatchObject({ scope });
  });

  it('a scope that no Andiron could have written is refused with the session that brings it', async () => {
    await session.ask('#1');
    const steps = [{ act: 'look', what: 'x'.repeat(61) }];
    for (const bad of [{ scope: { ...scope, steps } }, { scope: 'all' }, { allow: ['everything'] }])
      await expect(importWith(bad)).rejects.toMatchObject({ code: 'snapshot_invalid' });
  });

  it('a scope is not part of the session as Markdown', async () => {
    await session.ask('#1');
    const copy = await importWith({ scope, allow: ['change'] });
    const { markdown } = await copy.rpc.call('session/export-markdown', { sessionId: copy.sessionId });
    expect(markdown).not.toMatch(/notes\.txt says|change|scope/);
  });
});

describe('what a person allows a turn that is asked again', () => {
  it('a permission belongs to the new turn alone, and is still there after a restart', async () => {
    const first = await session.ask('#1');
    const { turnId } = await session.rpc.call('turn/regenerate', {
      sessionId,
      turnId: first.id,
      allow: ['change', 'run'],
    });
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(allowed(session)).toEqual([undefined, ['change', 'run']]);
    await world.restartHost();
    const later = await world.openWindow().follow(sessionId);
    expect(allowed(later)).toEqual([undefined, ['change', 'run']]);
    const again = await later.rpc.call('turn/regenerate', { sessionId, turnId });
    await later.closed(again.turnId);
    expect(allowed(later)).toEqual([undefined, ['change', 'run'], undefined]);
  });

  it('an unknown permission is refused, and the turn stays as it is', async () => {
    const { id: turnId } = await session.ask('#1');
    for (const allow of [['delete'], 'change', ['run', 'run']])
      await expect(
        session.rpc.call('turn/regenerate', { sessionId, turnId, allow: allow as never }),
      ).rejects.toMatchObject({ code: 'invalid_params' });
    expect(session.state.turns).toMatchObject([{ id: turnId, status: 'finished' }]);
    expect(session.turn(turnId)?.replaced).toBeUndefined();
  });
});
