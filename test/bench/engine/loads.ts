/**
 * One hundred mixed requests over three models: every caller sends the same load plan, so each model is loaded
 * once. Beside it what programs usually do: each of their parts names its own options, or none.
 */
import { reply, startSim, type ScriptRequest, type SimOptions } from '../../../src/sim/index.ts';
import { World, type SessionView } from '../../helpers/host-world.ts';
import { numbered } from '../../helpers/long-text.ts';
import { Chance } from '../prefix/chance.ts';
import { round, type Part } from './figures.ts';

const requests = 100;
const models = ['qwen3.5:9b', 'gemma4:8b', 'llama3.1:8b'];
const families = ['qwen3.5', 'gemma4-small', 'template-llama3.1'] as const;

type Kind = 'chat' | 'plan' | 'tool' | 'agent' | 'summary' | 'peek' | 'stop' | 'profile';
const kinds: readonly Kind[] = ['chat', 'plan', 'tool', 'agent', 'summary', 'peek', 'stop', 'profile'];

function answer({ endpoint, lastUser, results }: ScriptRequest) {
  if (endpoint === 'generate') return reply().text('.');
  if (results.length > 0) return reply().text('That is all.');
  if (lastUser.includes('tool #')) return reply().toolCall('list_files', { path: '.' });
  if (lastUser.includes('agent #'))
    return reply().toolCall('spawn_agent', { task: 'Count the files.', briefing: 'They are here.' });
  if (lastUser.includes('stop #')) return reply().text(numbered('word ', 2_000));
  return reply().text('Fine.');
}

export async function benchLoads(seed: number): Promise<Part> {
  const chance = new Chance(seed);
  const sim: SimOptions = {
    speed: 200,
    seed,
    gpu: { totalBytes: 96 * 2 ** 30, otherBytes: 0 },
    models: models.map((name, index) => ({ name, family: families[index] ?? 'qwen3.5', bytes: 5e9 })),
    script: answer,
  };
  const world = await World.start({ sim, files: { 'a.txt': 'alpha\n' } });
  try {
    const sessions = await Promise.all(models.map((model) => openWith(world, model)));
    const made = new Map<Kind, number>();
    for (let number = 0; number < requests; number += 1) {
      const kind = kinds[number % kinds.length] ?? 'chat';
      made.set(kind, (made.get(kind) ?? 0) + 1);
      await request(kind, number, chance.pick(sessions), world, chance);
    }
    await world.rest();
    const loads = world.sim.truth.loads.length;
    return {
      title: 'loads',
      figures: {
        mixed_requests: requests,
        loads,
        loads_per_model: round(loads / models.length, 2),
        naive_loads: await naiveLoads(sim, seed),
      },
      gates: [{ figure: 'loads_per_model', at: 'exactly', limit: 1 }],
      rows: [['request', 'times'], ...[...made].map(([kind, times]) => [kind, String(times)])],
    };
  } finally {
    await world.close();
  }
}

async function openWith(world: World, model: string): Promise<SessionView> {
  const session = await world.openSession();
  await session.rpc.call('session/update', { sessionId: session.sessionId, model });
  return session;
}

async function request(
  kind: Kind,
  number: number,
  session: SessionView,
  world: World,
  chance: Chance,
): Promise<void> {
  const { rpc, sessionId } = session;
  const say = (): Promise<unknown> => session.ask(`${kind} #${String(number)} ${chance.paragraph(60)}`);
  switch (kind) {
    case 'chat':
    case 'tool':
    case 'agent':
      await say();
      return;
    case 'plan':
      await rpc.call('session/set-profile', { sessionId, profileId: 'planner' });
      await say();
      await rpc.call('session/set-profile', { sessionId, profileId: 'developer' });
      return;
    case 'summary': {
      const { turnId } = await rpc.call('session/compact', { sessionId });
      await session.closed(turnId);
      return;
    }
    case 'peek':
      await peek(world, chance.pick(models));
      return;
    case 'stop': {
      const turnId = await session.send(`stop #${String(number)}`);
      await session.until(
        () => session.turn(turnId)?.phase === 'text' || session.turn(turnId)?.endedAt !== null,
      );
      await rpc.call('turn/stop', { sessionId, turnId });
      await session.closed(turnId);
      return;
    }
    case 'profile':
      await rpc.call('session/set-profile', { sessionId, profileId: 'developer' });
      await session.ask(`chat #${String(number)}`);
  }
}

/** What the settings ask while somebody looks at them. */
async function peek(world: World, model: string): Promise<void> {
  const engine = world.openEngineRoom();
  await engine.call('model/details', { model });
  await engine.call('model/fit', { model, contextTokens: [8_192, 16_384, 32_768, 65_536] });
  await engine.call('model/price', { model, contextTokens: 65_536 });
  await engine.call('library/catalogue', {});
}

/** A chat with the window of its settings, a title with the model's default, a summary with a smaller one, embeddings. */
async function naiveLoads(options: SimOptions, seed: number): Promise<number> {
  const chance = new Chance(seed);
  const sim = await startSim(options);
  const ask = async (path: string, body: object): Promise<void> => {
    const response = await fetch(`${sim.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    await response.text();
  };
  try {
    for (let number = 0; number < requests; number += 1) {
      const model = chance.pick(models);
      const messages = [{ role: 'user', content: chance.paragraph(60) }];
      const options = [{ num_ctx: 16_384 }, {}, { num_ctx: 4_096 }][number % 3];
      await ask('/api/chat', { model, messages, stream: false, options });
    }
    return sim.truth.loads.length;
  } finally {
    await sim.close();
  }
}
