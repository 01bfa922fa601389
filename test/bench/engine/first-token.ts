/**
 * What Andiron adds to the wait for the first token: from `turn/start` leaving the client to the first text that its
 * window holds, beside the first line of a bare request; interleaved, at a raw first token of one second.
 */
import { request } from 'node:http';
import { reply, startSim, type Sim, type SimOptions } from '../../../src/sim/index.ts';
import { World, type SessionView } from '../../helpers/host-world.ts';
import { median, quantile, round, type Part } from './figures.ts';

const model = 'qwen3.5:9b';
/** Durations that a script names keep their length, whatever the speed. */
const prefillSeconds = 1;

export async function benchFirstToken(seed: number, pairs: number): Promise<Part> {
  const options: SimOptions = {
    speed: 1_000,
    seed,
    models: [{ name: model, family: 'qwen3.5' }],
    script: ({ endpoint }) =>
      endpoint === 'generate'
        ? reply().text('.')
        : reply().prefill(prefillSeconds).withoutThinking().text('Yes.'),
  };
  const world = await World.start({ sim: options });
  const raw = await startSim(options);
  const [ours, theirs]: [number[], number[]] = [[], []];
  try {
    const session = await world.openSession();
    await ourWait(session);
    await rawWait(raw);
    for (let pair = 0; pair < pairs; pair += 1) {
      ours.push(await ourWait(session));
      await world.rest();
      theirs.push(await rawWait(raw));
    }
  } finally {
    await raw.close();
    await world.close();
  }
  const over = ours.map((ms, index) => ms - (theirs[index] ?? 0));
  const figures = {
    ttft_pairs: pairs,
    ttft_ratio: round(median(ours) / median(theirs), 3),
    ttft_over_raw_p50_ms: round(median(over), 1),
    ttft_over_raw_p95_ms: round(quantile(over, 0.95), 1),
  };
  return {
    title: 'first token',
    figures,
    gates: [{ figure: 'ttft_ratio', at: 'most', limit: 1.02 }],
    rows: [
      ['client', 'p50 ms', 'p95 ms'],
      ['Andiron', median(ours).toFixed(0), quantile(ours, 0.95).toFixed(0)],
      ['bare', median(theirs).toFixed(0), quantile(theirs, 0.95).toFixed(0)],
    ],
  };
}

async function ourWait(session: SessionView): Promise<number> {
  const before = session.items('text').length;
  const began = performance.now();
  const turnId = await session.send('Is it so?');
  await session.until(() => session.items('text').length > before);
  const ms = performance.now() - began;
  await session.closed(turnId);
  return ms;
}

function rawWait(sim: Sim): Promise<number> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Is it so?' }], think: false });
  return new Promise((resolve, reject) => {
    const began = performance.now();
    let ms = 0;
    const outgoing = request(
      `${sim.url}/api/chat`,
      { method: 'POST', agent: false, headers: { 'Content-Length': Buffer.byteLength(body) } },
      (incoming) => {
        incoming.once('data', () => (ms = performance.now() - began));
        incoming.on('end', () => resolve(ms));
        incoming.on('error', reject);
        incoming.resume();
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
