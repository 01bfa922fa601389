import { startSim } from '../../src/sim/index.ts';
import type { Sim, SimOptions } from '../../src/sim/index.ts';

/**
 * Runs `use` against a simulated Ollama and closes it afterwards, whatever happens. Work is simulated two
 * hundred times as fast as on a real machine unless the options say otherwise.
 *
 * @example
 * await withSim({ script: sequence(reply().toolCall('list_files'), reply().text('Two files.')) }, async (sim) => {
 *   const prefill = sim.truth.next('prefill-started'); // never sleep: wait for what happened
 *   const answer = fetch(`${sim.url}/api/chat`, { method: 'POST', body: JSON.stringify(request) });
 *   await prefill;
 *   …
 *   expect(sim.truth.last()?.outcome).toBe('done');
 * });
 */
export async function withSim<T>(options: SimOptions, use: (sim: Sim) => Promise<T>): Promise<T> {
  const sim = await startSim({ speed: 200, ...options });
  try {
    return await use(sim);
  } finally {
    await sim.close();
  }
}
