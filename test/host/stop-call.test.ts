/** Ending one command alone: it is gone, what it printed is its result, and the turn goes on. */
import { afterEach, describe, expect, it } from 'vitest';
import { reply, sequence } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function runningCommand() {
  const script = sequence(
    reply().toolCall('run_command', { command: 'echo begun; sleep 60; echo late' }),
    reply().text('Then without it.'),
  );
  const world = await World.start({ sim: { script } });
  worlds.push(world);
  const session = await world.openSession();
  const turnId = await session.send('Run it');
  await session.answer('allow');
  await session.until(() => session.items('tool')[0]?.output.includes('begun') ?? false);
  const stop = (callId = session.items('tool')[0]?.callId ?? '') =>
    session.rpc.call('call/stop', { sessionId: session.sessionId, callId });
  return { session, turnId, stop };
}

describe('a command that is stopped alone', () => {
  it('ends at once, tells the model what it had printed and who ended it, and the turn goes on', async () => {
    const { session, turnId, stop } = await runningCommand();
    await stop();
    expect((await session.closed(turnId)).status).toBe('finished');
    const [command] = session.items('tool');
    expect(command).toMatchObject({ state: 'stopped', display: { kind: 'command', exitCode: null } });
    expect(command?.result).toMatch(
      /^Error: the person ended this call before it was done\..*stdout:\nbegun$/s,
    );
    expect(command?.runMs).toBeLessThan(30_000);
    expect(session.items('text')[0]).toMatchObject({ text: 'Then without it.' });
  });

  it('is no other call, and one that is over needs no stop', async () => {
    const { session, turnId, stop } = await runningCommand();
    await stop('another');
    expect(session.items('tool')[0]?.state).toBe('running');
    await stop();
    await session.closed(turnId);
    expect(await stop()).toEqual({});
  });
});
