/** The ledger in the whole house: what each request of a turn read, and why. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Reading } from '../../src/protocol/model.ts';
import { reply, type ScriptRequest, type SimOptions } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

const thinks = 'I will look into it at once, of course.';

function answer({ endpoint, lastUser, results }: ScriptRequest) {
  if (endpoint === 'generate') return reply().text('.');
  if (lastUser.includes('Read') && results.length === 0)
    return reply().thinking(thinks).toolCall('read_file', { path: 'a.txt' });
  return reply().thinking(thinks).text('It says alpha.');
}

let world: World;
let session: SessionView;

async function open(family: 'qwen3.5' | 'template-llama3.1', parameterSize = '9.0B'): Promise<void> {
  const models = [{ name: 'model:9b', family, card: { parameterSize } }];
  const sim: SimOptions = { speed: 1_000, models, script: answer };
  world = await World.start({ sim, files: { 'a.txt': 'alpha\n' } });
  session = await world.openSession();
}

/** Asks, and lets the warm-up behind the answer end. */
async function askAndRead(text: string): Promise<void> {
  await session.ask(text);
  const asked = world.sim.truth.last()?.id ?? 0;
  await world.sim.truth.waitFor(({ requests }) =>
    requests.some(
      ({ id, endpoint, outcome }) => id > asked && endpoint === '/api/generate' && outcome === 'done',
    ),
  );
  await world.rest();
}

/** Of every request so far, in order. */
function readings(): (Reading | undefined)[] {
  return session.state.turns.flatMap(({ usage }) => usage.map(({ reading }) => reading));
}

const newest = (): Reading | undefined => readings().findLast((reading) => (reading?.rereadTokens ?? 0) > 0);
const owned = { owner: 'person', cause: 'persons_choice' };

afterEach(() => world.close());

it('finds a re-warm of a small model, which is asked in fewer words than the log has', async () => {
  await open('qwen3.5', '630.17M');
  for (const text of ['Say one', 'Say two', 'Say three']) await askAndRead(text);
  for (const reading of readings().slice(1)) {
    expect(reading?.cachedTokens).toBeGreaterThan(0);
    expect(reading?.predictedCached).toBe(reading?.cachedTokens);
  }
});

describe('what each request of a turn read', () => {
  beforeEach(() => open('qwen3.5'));

  it('is predicted to the token, and nothing is blamed while the conversation only grows', async () => {
    for (const text of ['Read one', 'Say two', 'Read three']) await askAndRead(text);
    const all = readings();
    expect(all).toHaveLength(5);
    for (const reading of all) {
      expect(reading).toMatchObject({ settledBy: 'engine' });
      expect(reading?.predictedCached).toBe(reading?.cachedTokens);
      expect([null, 'checkpoint']).toContain(reading?.cause);
    }
  });

  it('is blamed on whoever unloaded the model', async () => {
    await askAndRead('Say one');
    await world.openEngineRoom().call('model/unload', { model: 'model:9b' });
    await session.ask('Say two');
    expect(readings().at(-1)).toMatchObject({ cachedTokens: 0, cause: 'reload' });
  });

  it('is nobody’s fault where the person edited a message, asked again or reset (audit-U4)', async () => {
    const { sessionId, rpc } = session;
    const long = 'Say '.repeat(200);
    await session.ask(`${long} one`);
    const { id: turnId } = await session.ask(`${long} two`);
    const edit = await rpc.call('turn/edit', { sessionId, turnId, text: `${long} three` });
    await session.closed(edit.turnId);
    const again = await rpc.call('turn/regenerate', { sessionId, turnId: edit.turnId });
    await session.closed(again.turnId);
    expect(readings().some((reading) => reading?.owner === 'andiron')).toBe(false);
    const first = session.state.turns[0]?.id ?? '';
    const other = await rpc.call('turn/edit', { sessionId, turnId: first, text: `${long} four` });
    await session.closed(other.turnId);
    expect(newest()).toMatchObject({ ...owned, detail: 'You edited a message.' });
  });

  it('is the person’s choice where they switched the profile, or wrote another prompt for it (audit-U4)', async () => {
    const { sessionId, rpc } = session;
    await session.ask('Say one');
    await rpc.call('session/set-profile', { sessionId, profileId: 'reader' });
    await session.ask('Say two');
    expect(newest()).toMatchObject({
      ...owned,
      detail: expect.stringMatching(/^You switched to the profile /),
    });
    const prompt = 'You answer in one word. '.repeat(40);
    await rpc.call('profile/write-prompt', {
      profileId: 'reader',
      prompt: 'system',
      text: prompt,
      expected: null,
    });
    await session.ask('Say three');
    expect(newest()).toMatchObject({ ...owned, detail: 'You changed the profile.' });
  });

  it('is the person’s choice where they chose another folder for an imported conversation', async () => {
    const { sessionId, rpc } = session;
    await session.ask('Say '.repeat(200));
    const { snapshot } = await rpc.call('session/export', { sessionId });
    const { session: imported } = await rpc.call('session/import', { snapshot });
    session = await world.openWindow().follow(imported.id);
    for (const text of ['Say two', 'Say three']) await session.ask(text);
    await session.rpc.call('session/update', { sessionId: imported.id, workspace: world.workspace });
    await session.ask('Say four');
    expect(newest()).toMatchObject({ ...owned, detail: 'You chose another folder.' });
  });
});
