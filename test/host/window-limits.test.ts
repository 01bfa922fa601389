/** The limit of the window (I, W11): what does not fit into it, and by whose count. */
import { afterEach, describe, expect, it } from 'vitest';
import { AndironError } from '../../src/protocol/errors.ts';
import { estimateTokens } from '../../src/host/prompt/token-estimate.ts';
import { knowledgeIn } from '../../src/host/models/test-knowledge.ts';
import { storeFolder } from '../../src/host/store/testing.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { windowTokens, summary, after, summaries, estimated } from '../helpers/full-window.ts';
import { houseProblems } from '../helpers/house-checks.ts';
import { World } from '../helpers/host-world.ts';
import { assertValidHistory, done, model, text, words } from '../helpers/turn-world.ts';

describe('what does not fit', () => {
  it('a message of a megabyte is refused with what to do, and the next one works', async () => {
    const world = await after([[20, 100]], {}, [text('Fine.'), done()]);
    await world.run('x'.repeat(1_000_000));
    expect(world.requests).toHaveLength(0);
    expect(world.items()).toMatchObject([
      { kind: 'user', text: 'x'.repeat(1_000_000) },
      { kind: 'error', code: 'context_overflow', advice: expect.stringContaining('new session') },
    ]);
    expect(summaries(world)).toEqual([]);
    await world.run('Short');
    expect(world.ending()).toBe('turn/finished');
    expect(world.requests).toHaveLength(1);
    assertValidHistory(world.messages);
    expect(estimated(world)).toBeLessThanOrEqual(0.5 * windowTokens);
  });

  it('what the engine counts as too much corrects the estimate, is compacted and asked once more', async () => {
    const overflow = new AndironError('context_overflow', 'Too long.', 'Shorten it.');
    const world = await after(
      [
        [20, 300],
        [20, 300],
      ],
      { compactAt: 0 },
      [overflow],
      [text('Hello.'), done()],
    );
    const raw = estimateTokens(world.messages);
    await world.run('And now?');
    expect(world.requests).toHaveLength(2);
    expect(summaries(world)).toMatchObject([{ by: 'rules' }]);
    expect(world.learnt[0]?.counted).toBe(windowTokens);
    expect(world.learnt[0]?.estimated).toBeGreaterThan(raw);
    expect(world.learnt[0]?.estimated).toBeLessThan(windowTokens);
    expect(world.ending()).toBe('turn/finished');

    const again = await after(
      [
        [20, 300],
        [20, 300],
      ],
      { compactAt: 0 },
      [overflow],
      [overflow],
    );
    await again.run('And now?');
    expect(again.requests).toHaveLength(2);
    expect(again.items().at(-1)).toMatchObject({
      kind: 'error',
      code: 'context_overflow',
      advice: 'Shorten it.',
    });
  });

  it('the same through the whole house, and the next message works', async () => {
    const world = await World.start({
      sim: { speed: 2000, script: script([rule({}, reply().text(words(300)))]) },
    });
    try {
      const { rpc } = world.openWindow();
      await rpc.call('profile/update', { profileId: 'developer', changes: { contextTokens: 8192 } });
      const session = await world.openSession();
      await session.ask('First');
      const huge = await session.ask('x'.repeat(1_000_000));
      expect(huge.status).toBe('failed');
      expect(session.items('error')).toMatchObject([{ code: 'context_overflow' }]);
      expect((await session.ask('Second')).status).toBe('finished');
      expect((await session.ask('Third')).status).toBe('finished');
      await world.rest();
      expect(houseProblems(world, session)).toEqual([]);
    } finally {
      await world.close();
    }
  });
});

describe('one estimate for all of it (W11)', () => {
  const folder = storeFolder();
  afterEach(() => folder.remove());

  it('a model that counts more tokens a word is compacted earlier, and to half of its own count', async () => {
    const world = await after(
      [
        [20, 350],
        [20, 350],
      ],
      {},
      summary,
      [text('Hello.'), done()],
    );
    world.tokenRatio = 2;
    await world.run('And now?');
    expect(summaries(world)).toHaveLength(1);
    expect(summaries(world)[0]?.afterTokens).toBeLessThanOrEqual(0.5 * windowTokens);
    expect(2 * estimated(world)).toBeLessThanOrEqual(0.5 * windowTokens);
  });

  it('is learnt from what the engine counted, within bounds, for each model by itself', async () => {
    const models = knowledgeIn(folder.open());
    const other = { ...model, digest: 'other' };
    models.learnTokens(model, 1000, 1600);
    expect(models.tokenRatio(model)).toBeCloseTo(1.6);
    models.learnTokens(model, 1000, 1000);
    expect(models.tokenRatio(model)).toBeCloseTo(1.39);
    models.learnTokens(other, 1000, 90_000);
    expect([models.tokenRatio(other), models.tokenRatio({ ...model, digest: 'new' })]).toEqual([2.5, 1]);
  });

  it('every reply teaches it, side answers too', async () => {
    const world = await after(
      [
        [20, 800],
        [20, 800],
      ],
      {},
      [text('Goal.'), done({ promptTokens: 900 })],
      [text('Hi.'), done({ promptTokens: 200 })],
    );
    await world.run('And now?');
    expect(world.learnt.map(({ counted }) => counted)).toEqual([900, 200]);
  });
});
