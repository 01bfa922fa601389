/** One whole turn, a stop and a second message against a real Ollama: the house as a user has it, without the window. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { House } from '../helpers/host-world.ts';
import { realEngine } from './real-engine.ts';

const window = 4096;

describe('a whole turn on a real Ollama', () => {
  let house: House;
  let model: string | null = null;

  beforeAll(async () => {
    const engine = await realEngine();
    model = engine.withTools;
    house = await House.open(engine.url, {
      files: { 'README.md': '# Lantern\n\nLantern lights the way to the shed.\n' },
    });
  });
  afterAll(async () => {
    await house.close();
  });

  const open = async () => {
    const session = await house.openSession();
    const { rpc, sessionId } = session;
    // A small window: the machine may have to read it on a CPU.
    await rpc.call('profile/update', {
      profileId: 'developer',
      changes: {
        contextTokens: window,
        sampling: { temperature: 0 },
        maxIterations: 4,
        firstTokenTimeoutS: 600,
      },
    });
    await rpc.call('session/update', { sessionId, model });
    return session;
  };

  it('streams an answer, runs whatever tools the model calls, and counts what was read', async ({ skip }) => {
    if (model === null) return skip('no model here can call tools');
    const session = await open();
    const turnId = await session.send('Create the file notes.txt with the text: buy milk');
    const allow = session.answer('allow').catch(() => undefined);
    const turn = await session.closed(turnId);
    void allow;

    expect(['finished', 'max_iterations']).toContain(turn.status);
    expect(turn.usage.length).toBeGreaterThan(0);
    for (const usage of turn.usage) expect(usage.promptTokens).toBeGreaterThan(100);
    expect(house.engine.state().loaded).toContainEqual(
      expect.objectContaining({ name: model, asPlanned: true }),
    );
    // Whether a small model calls the tool is its own affair; what the card says must be true.
    const wrote = session.items('tool').some((item) => item.tool === 'write_file' && item.state === 'done');
    expect(existsSync(join(house.workspace, 'notes.txt'))).toBe(wrote);
  });

  it('stops in prefill with the model still loaded, and the next message is answered', async ({ skip }) => {
    if (model === null) return skip('no model here can call tools');
    const session = await open();
    const turnId = await session.send(`Summarise: ${'lantern shed garden '.repeat(200)}`);
    await session.until((state) => state.turns[0]?.phase === 'prefill');
    await session.rpc.call('turn/stop', { sessionId: session.sessionId });
    const stopped = await session.closed(turnId);
    expect(stopped.status).toBe('stopped');
    expect(session.items('stopped')[0]).toMatchObject({ stillLoaded: true, model });
    expect(session.items('stopped')[0]?.closedMs).toBeLessThan(100);

    const next = await session.ask('Say yes.');
    expect(['finished', 'max_iterations', 'failed']).toContain(next.status);
    expect(next.usage.length).toBeGreaterThan(0);
  });
});
