import { reply, script, rule, startSim, type Dialect } from '../../src/sim/index.ts';
import { describeEngine } from './engine-contract.ts';

/** A file for each dialect: loads take seconds of real time, and the files are waited for side by side. */
export function describeSimulator(dialect: Dialect): void {
  describeEngine(`the simulator, dialect ${dialect}`, async () => {
    const sim = await startSim({
      dialect,
      models: [
        { name: 'qwen3.5:9b', family: 'qwen3.5' },
        { name: 'plain:1b', family: 'template-llama3.1', capabilities: ['completion'] },
      ],
      script: script([rule({}, reply().text('Hello there, friend.'))]),
    });
    return { url: sim.url, withTools: 'qwen3.5:9b', withoutTools: 'plain:1b', close: () => sim.close() };
  });
}
