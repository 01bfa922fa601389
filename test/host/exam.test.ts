/** The exam of a model over the whole house: measured by real counters, nothing run, turns first, cancelled at once. */
import { readdir } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { HostEvent } from '../../src/protocol/events.ts';
import type { ExamProgress, ExamResult } from '../../src/protocol/model.ts';
import { questions } from '../../src/host/models/exam/exam-questions.ts';
import { reply, type Reply, type Script, type ScriptRequest } from '../../src/sim/index.ts';
import { World, type Window, type WorldOptions } from '../helpers/host-world.ts';

let world: World;
afterEach(() => world.close());

const able = [{ name: 'able:9b', family: 'template-qwen2.5' }] as const;
const pace = { loadSeconds: 0.2, prefillTokensPerSecond: 2_000, decodeTokensPerSecond: 50, noise: 0 };
const model = 'able:9b';

/** What a window hears of exams. */
class Listener {
  readonly window: Window;
  readonly told: Extract<HostEvent, { type: 'exam/changed' }>[] = [];
  #waiting: { ready: () => boolean; resolve: () => void }[] = [];

  constructor(window: Window) {
    this.window = window;
    window.rpc.onEvent((topic, _seq, event) => {
      if (topic !== 'host' || (event as HostEvent).type !== 'exam/changed') return;
      this.told.push(event as Extract<HostEvent, { type: 'exam/changed' }>);
      for (const each of this.#waiting.filter(({ ready }) => ready())) each.resolve();
      this.#waiting = this.#waiting.filter(({ ready }) => !ready());
    });
  }

  until(ready: () => boolean): Promise<void> {
    if (ready()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ ready, resolve }));
  }

  /** From now on. */
  over(): Promise<void> {
    const seen = this.told.length;
    return this.until(() =>
      this.told.slice(seen).some(({ exam }) => exam === null || exam.phase === 'failed'),
    );
  }

  phase(phase: ExamProgress['phase']): Promise<void> {
    return this.until(() => this.told.at(-1)?.exam?.phase === phase);
  }

  result(): ExamResult {
    const result = this.told.at(-1)?.result;
    if (!result) throw new Error(`There is no result: ${JSON.stringify(this.told.at(-1))}`);
    return result;
  }
}

async function open(script: Script, options: WorldOptions = {}): Promise<Listener> {
  const models = able.map((each) => ({ ...each, time: pace }));
  world = await World.start({ ...options, sim: { script, models, speed: 20, ...options.sim } });
  const window = world.openWindow();
  const listener = new Listener(window);
  await window.rpc.call('host/subscribe', {});
  await world.engineUntil(({ modelsReadAt }) => modelsReadAt !== null);
  return listener;
}

const begin = ({ window }: Listener) => window.rpc.call('exam/begin', { model, profileId: 'developer' });

async function take(
  script: Script,
  options: WorldOptions = {},
): Promise<{ listener: Listener; result: ExamResult }> {
  const listener = await open(script, options);
  const over = listener.over();
  await begin(listener);
  await over;
  return { listener, result: listener.result() };
}

/** The call that is right for a question, in the way that it is asked. */
function rightCall({ lastUser, format }: ScriptRequest): Reply | undefined {
  const [right] = questions.find(({ text }) => lastUser.includes(text))?.right ?? [];
  if (!right) return undefined;
  const args = { ...right.args };
  return format === undefined
    ? reply().toolCall(right.tool, args)
    : reply().constrainedCall(right.tool, args);
}

const counting = reply().text('one two three four five six seven eight nine ten '.repeat(8));
const excellent: Script = (request) =>
  request.endpoint === 'chat' ? (rightCall(request) ?? counting) : undefined;

const slips: Script = (request) => {
  if (request.endpoint !== 'chat') return undefined;
  if (request.format !== undefined) return reply().constrainedAnswer('I would rather not.');
  const [right] = questions.find(({ text }) => request.lastUser.includes(text))?.right ?? [];
  if (!right) return counting;
  return reply().text(JSON.stringify({ name: right.tool, arguments: right.args }));
};

const answers: Script = (request) =>
  request.lastUser.includes('Good morning') ? reply().text('Good morning to you.') : excellent(request);

const warmsForLong: Script = (request) =>
  request.endpoint === 'generate' ? reply().prefill(600).text('.') : excellent(request);

const talksOfPlans: Script = (request) =>
  request.endpoint === 'chat' && request.lastUser.includes('Keep a list of the steps')
    ? reply().text('I will do that.')
    : excellent(request);

it('What a model test finds counts as evidence of what the model can do, for its next turns', async () => {
  const { listener } = await take(talksOfPlans, { unproven: true });
  const { abilities } = await listener.window.rpc.call('model/abilities', { model });
  const row = (name: string) => abilities.find(({ ability }) => ability === name);
  expect(row('native')?.good).toBeCloseTo(12, 1);
  expect(row('native')).toMatchObject({ holds: true });
  expect(row('grammar')?.good).toBeCloseTo(12, 1);
  expect(row('restraint')).toMatchObject({ holds: true });
  // It answers with words where a plan should be followed by work.
  expect(row('planning')).toMatchObject({ holds: false });
  expect(row('planning')?.bad).toBeCloseTo(4, 1);
});

describe('a model that calls tools well', () => {
  it('gets all questions right in both ways, and its speed by the engine’s counters', async () => {
    const models = able.map((each) => ({ ...each, time: { ...pace, decodeTokensPerSecond: 300 } }));
    const { result } = await take(excellent, { sim: { models, speed: 1 } });
    const all = questions.length;
    expect(result.native).toEqual({ valid: all, asked: all, mended: 0 });
    expect(result.constrained).toEqual({ valid: all, asked: all, mended: 0 });
    expect(result.complete).toBe(true);
    expect(result.byItself).toBe('native');
    expect(result.readsPerSecond).toBeGreaterThan(1_000);
    expect(result.readsPerSecond).toBeLessThan(2_200);
    expect(result.writesPerSecond).toBeGreaterThan(150);
    expect(result.writesPerSecond).toBeLessThan(330);
    // Nothing is known of this machine's memory here.
    expect(result.largestWindow).toBeNull();
  });

  it('runs nothing of what was called', async () => {
    await take(excellent);
    expect(await readdir(world.workspace)).toEqual([]);
    expect(world.sim.truth.violations).toEqual([]);
  });

  it('is loaded once, by the plan of its profile, and stays loaded', async () => {
    const { result } = await take(excellent);
    const loads = world.sim.truth.loads.filter((load) => load.model === model);
    expect(loads.map(({ numCtx }) => numCtx)).toEqual([16_384]);
    expect(result.contextTokens).toBe(16_384);
    expect(world.engine.state().loaded.map(({ name }) => name)).toContain(model);
  });

  it('is remembered for its bytes: as the price of the next one, and by a new window after a restart', async () => {
    const { listener, result } = await take(excellent);
    const price = await listener.window.rpc.call('exam/price', { model });
    expect(price.expectedMs).toBe(result.tookMs);
    await world.restartHost();
    const { exams } = await world.openWindow().rpc.call('host/subscribe', {});
    expect(exams).toEqual([result]);
  });
});

it('a model that answers in words gets none right, and one that slips has its calls mended', async () => {
  const { result, listener } = await take(slips, { unproven: true });
  expect(result.native).toEqual({
    valid: questions.length,
    asked: questions.length,
    mended: questions.length,
  });
  expect(result.constrained?.valid).toBe(0);
  const { abilities } = await listener.window.rpc.call('model/abilities', { model });
  expect(abilities.find(({ ability }) => ability === 'native')).toMatchObject({ good: 0, holds: false });
  expect(abilities.find(({ ability }) => ability === 'text')).toMatchObject({ bad: 0 });
});

it('a model that was not made for tools is asked in a fixed form alone', async () => {
  const talker = able.map((each) => ({ ...each, time: pace, capabilities: ['completion' as const] }));
  const { result } = await take(excellent, { sim: { models: talker } });
  expect(result.native).toBeNull();
  expect(result.constrained?.valid).toBe(questions.length);
  expect(result.byItself).toBe('constrained');
});

it('is refused while one runs, and for a model that is not there', async () => {
  const listener = await open(excellent, { sim: { speed: 1 } });
  await begin(listener);
  await expect(begin(listener)).rejects.toMatchObject({ code: 'busy' });
  const missing = listener.window.rpc.call('exam/begin', { model: 'gone:7b', profileId: 'developer' });
  await expect(missing).rejects.toMatchObject({ code: 'busy' });
  const over = listener.over();
  await listener.window.rpc.call('exam/cancel', {});
  await over;
  await expect(
    listener.window.rpc.call('exam/begin', { model: 'gone:7b', profileId: 'developer' }),
  ).rejects.toMatchObject({ code: 'model_missing' });
});

it('is cancelled at once, says nothing of itself afterwards, and leaves the model loaded', async () => {
  const listener = await open(excellent, { sim: { speed: 1 } });
  await begin(listener);
  await listener.phase('calling');
  const over = listener.over();
  await listener.window.rpc.call('exam/cancel', {});
  await over;
  expect(listener.told.at(-1)).toEqual({ type: 'exam/changed', exam: null });
  await world.rest();
  expect(world.engine.state().loaded.map(({ name }) => name)).toContain(model);
  expect((await listener.window.rpc.call('host/subscribe', {})).exams).toEqual([]);
});

it('a turn goes first: it is answered while the exam waits, and the exam ends afterwards with everything asked', async () => {
  const listener = await open(answers, { sim: { speed: 4 } });
  await begin(listener);
  await listener.phase('calling');
  const over = listener.over();
  const session = await world.openSession('developer');
  const turn = await session.ask('Good morning');
  expect(turn.status).toBe('finished');
  expect(listener.told.at(-1)?.exam).not.toBeNull();
  await over;
  const { native, constrained, complete } = listener.result();
  expect([native?.asked, constrained?.asked, complete]).toEqual([questions.length, questions.length, true]);
  expect(world.sim.truth.loads).toHaveLength(1);
});

it('does not wait for a prompt that is only warmed', async () => {
  const listener = await open(warmsForLong);
  const warming = world.sim.truth.next(
    'prefill-started',
    ({ request }) => request?.endpoint === '/api/generate',
  );
  await world.openSession('developer');
  await warming;
  const over = listener.over();
  await begin(listener);
  await over;
  expect(listener.result().complete).toBe(true);
});

it('an engine that goes away ends it with what happened and what to do', async () => {
  const listener = await open(excellent, { sim: { speed: 1 } });
  await begin(listener);
  await listener.phase('calling');
  const over = listener.over();
  await world.sim.close();
  await over;
  const problem = listener.told.at(-1)?.exam?.problem;
  expect(problem?.message).not.toBe('');
  expect(problem?.advice).not.toBe('');
});
